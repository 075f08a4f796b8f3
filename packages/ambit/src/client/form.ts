/** Makes the forms that the typed client sends as `multipart/form-data`. */
import type { TypedForm } from '../contract/multipart.ts';

/**
 * Makes the body of a request to a route that accepts `multipart/form-data`: `body: form({ title: 'Summer', picture: file })`.
 *
 * @param fields By name. A `File` or `Blob` is sent as a file, an array as a field that comes several times, any other object as JSON, and
 *   everything else as text. `undefined` and `null` are left out.
 * @returns A `FormData` that knows the types of its fields.
 */
export function form<const Fields extends object>(fields: Fields): TypedForm<Fields> {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    for (const item of [value].flat()) append(data, name, item);
  }
  return data;
}

function append(data: FormData, name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (value instanceof Blob) data.append(name, value);
  else if (value instanceof Date) data.append(name, value.toISOString());
  else if (typeof value === 'object')
    data.append(name, new Blob([JSON.stringify(value)], { type: 'application/json' }));
  else data.append(name, String(value));
}
