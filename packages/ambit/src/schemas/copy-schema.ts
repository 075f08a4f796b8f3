/** Copies schemas, so that later changes of the application's object have no effect. */
import { isPlainObject } from '../shared/values.ts';

/** Returns a deep copy. Functions and class instances are not copied, because they are not JSON. */
export function copySchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(copySchema);
  if (!isPlainObject(schema)) return schema;
  const copy = { ...schema };
  for (const key of Object.keys(copy)) copy[key] = copySchema(copy[key]);
  return copy;
}
