/** Values of JSON, of which documents consist: what they are, and copies of them. */

/** A JSON object whose fields are not known. */
export type Json = { [name: string]: unknown };

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Sets a member of any name. An assignment to `__proto__` would set the prototype instead. */
export function setMember(object: Json, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Explains why a value is not JSON; raised by `copyJson`. */
export class NotJson extends Error {}

/**
 * Copies a value as `JSON.stringify` writes it: members that are `undefined` are left out, and `toJSON` is called.
 *
 * @throws {NotJson} for a value that JSON cannot express.
 */
export function copyJson(value: unknown): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw new NotJson(`${value} is not JSON`);
  }
  if (typeof value !== 'object') throw new NotJson(`a ${typeof value} is not JSON`);
  const { toJSON } = value as { toJSON?: () => unknown };
  if (typeof toJSON === 'function') return copyJson(toJSON.call(value));
  if (Array.isArray(value)) return value.map(copyJson);
  const entries = Object.entries(value).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries.map(([name, member]) => [name, copyJson(member)]));
}
