/** Creates the forms that the typed client sends as `multipart/form-data`. */

import { toJson, toText } from '../shared/typed-calls.ts';
import type { TypedForm } from '../types/multipart.ts';

/**
 * Creates the body of a request to a route that accepts `multipart/form-data`: `body: form({ title: 'Summer', picture: file })`.
 *
 * @param fields The values by name. A `File` or `Blob` is sent as a file, an array as several fields of that name, any other object as
 *   JSON, and everything else as text. `undefined` and `null` are left out.
 * @returns A `FormData` whose type contains the types of its fields.
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
  else if (typeof value === 'object' && !(value instanceof Date))
    data.append(name, new Blob([toJson(value)], { type: 'application/json' }));
  else data.append(name, toText(value, name));
}
