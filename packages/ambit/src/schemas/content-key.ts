/** A pure helper: one text for all schemas of equal content, so that each content is compiled once. */

/**
 * The schema as JSON text; `undefined` for a schema that JSON cannot express completely: with functions, symbols, class instances or cycles
 * in them, two schemas of the same text may differ.
 */
export function contentKey(schema: unknown): string | undefined {
  try {
    return isJsonData(schema) ? JSON.stringify(schema) : undefined;
  } catch {
    // A cycle: it is deeper than the stack.
    return undefined;
  }
}

function isJsonData(value: unknown): boolean {
  if (value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  if (Array.isArray(value)) return value.every(isJsonData);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return false;
  return Object.getOwnPropertySymbols(value).length === 0 && Object.values(value).every(isJsonData);
}
