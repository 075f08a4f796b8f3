/** Copies schemas, so that what happens to the object of the application does not count. */
import { isPlainObject } from '../shared/plain-object.ts';

/** A deep copy. Functions and class instances are not JSON, and are kept as they are. */
export function copySchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(copySchema);
  if (!isPlainObject(schema)) return schema;
  const copy = { ...schema };
  for (const key of Object.keys(copy)) copy[key] = copySchema(copy[key]);
  return copy;
}
