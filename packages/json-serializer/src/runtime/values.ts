/** Writes values without a schema, and reads properties that every object inherits. */
import { types } from 'node:util';
import { SerializationError } from '../errors.ts';

/** The text of any value; undefined if JSON cannot express it, as for functions. */
export function anyText(value: unknown): string | undefined {
  return value === undefined ? undefined : (JSON.stringify(value) as string | undefined);
}

/** The same inside an array, where `null` is written instead. */
export function anyItemText(value: unknown): string {
  return anyText(value) ?? 'null';
}

/** A property whose name every object inherits, such as `constructor` or `__proto__`. Only an own property counts. */
export function readOwn(value: unknown, name: string): unknown {
  if (value === undefined || value === null) return (value as unknown as Record<string, unknown>)[name];
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** An object with only the members that every object inherits. */
export const emptyObject: object = {};

// HOT: once per object that may lack most of its properties. Bench: "sparse optional fields".
/**
 * The names of all own properties of a plain object, if there are few. Then only these properties can provide values,
 * except members that `emptyObject` has too. Undefined for all other objects, and if `toJSON` is one of the names.
 */
export function fewNames(value: unknown, maxNames: number): string[] | undefined {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return undefined;
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const names = Object.getOwnPropertyNames(value);
  if (names.length > maxNames) return undefined;
  for (let index = 0; index < names.length; index++) if (names[index] === 'toJSON') return undefined;
  return names;
}

/** A property that the schema does not declare by name; undefined if it is not written. */
export function readExtra(value: Record<string, unknown>, key: string): unknown {
  const found = value[key];
  return typeof found === 'function' || typeof found === 'symbol' ? undefined : found;
}

const iterate = Array.prototype[Symbol.iterator];

/** Longer arrays are checked for holes first: an array of holes takes no memory, but its text or copy can take all memory. */
export const longItems = 1_000_000;

/** @throws {SerializationError} if an item is missing. */
export function checkItems(items: readonly unknown[]): void {
  for (let index = 0; index < items.length; index++) {
    if (!(index in items)) throw new SerializationError(`Item at ${index} is missing.`);
  }
}

// HOT: once per array that is written natively. Bench: "nested object".
/** A packed array, which native code writes faster than an array that is created by length. Each item is read once. */
export function copyItems(items: readonly unknown[]): unknown[] {
  switch (items.length) {
    case 1:
      return [items[0]];
    case 2:
      return [items[0], items[1]];
    case 3:
      return [items[0], items[1], items[2]];
    case 4:
      return [items[0], items[1], items[2], items[3]];
  }
  if (items.length > longItems) checkItems(items);
  // Reads by index, as native code does, because iteration would call a replaced iterator.
  if (items[Symbol.iterator] !== iterate)
    return Array.from({ length: items.length }, (_, index) => items[index]);
  return [...items];
}

/** Whether all values of some kind inherit a `toJSON`. Then native serialization writes something else. */
export function isNativeTampered(): boolean {
  return (
    (Object.prototype as { toJSON?: unknown }).toJSON !== undefined ||
    (Array.prototype as { toJSON?: unknown }).toJSON !== undefined ||
    (String.prototype as { toJSON?: unknown }).toJSON !== undefined ||
    (Number.prototype as { toJSON?: unknown }).toJSON !== undefined ||
    (Boolean.prototype as { toJSON?: unknown }).toJSON !== undefined
  );
}

const rawJson = (JSON as { rawJSON?: (text: string) => unknown }).rawJSON;

// Before V8 11.4, native code cannot write bigint. It is copied as a string that no value has, and its quotes are
// removed later.
let bigintMark: string | undefined;

function markBigint(value: bigint): string {
  bigintMark ??= `bigint ${crypto.randomUUID()} `;
  return bigintMark + value;
}

/** A bigint in a form that native serialization can write. */
export function toNativeInteger(value: number | bigint): unknown {
  if (typeof value === 'number') return value;
  return rawJson === undefined ? markBigint(value) : rawJson(String(value));
}

/** The text of a copy of declared values. */
export const nativeText: (copy: unknown) => string = rawJson === undefined ? restoringText : JSON.stringify;

function restoringText(copy: unknown): string {
  const text = JSON.stringify(copy);
  if (bigintMark === undefined || !text.includes(bigintMark)) return text;
  return text.replace(new RegExp(`"${bigintMark}(-?\\d+)"`, 'g'), '$1');
}
