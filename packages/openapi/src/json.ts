/** What is JSON and what is not: documents are data, and what they are made of has to be. */

/** A JSON object whose fields are not known. */
export type Json = { [name: string]: unknown };

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for object literals; class instances are another library's. */
export function isPlainObject(value: unknown): value is Json {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Why a value is not JSON, raised by `copyJson`. */
export class NotJson extends Error {}

/**
 * A copy as `JSON.stringify` sees it: members that are `undefined` are left out, and `toJSON` counts.
 *
 * @throws {NotJson} for what JSON has no word for.
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
