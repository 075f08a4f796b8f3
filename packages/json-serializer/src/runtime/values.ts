/** Owns what is written without a schema, and how properties are read where a name also exists on every object. */
import { types } from 'node:util';
import { SerializationError } from '../errors.ts';

/** The text of any value; undefined if JSON has none, as for functions. */
export function anyText(value: unknown): string | undefined {
  return value === undefined ? undefined : (JSON.stringify(value) as string | undefined);
}

/** The same inside an array, where nothing is written as `null`. */
export function anyItemText(value: unknown): string {
  return anyText(value) ?? 'null';
}

/** A property whose name every object inherits, such as `constructor` or `__proto__`: only an own one counts. */
export function readOwn(value: unknown, name: string): unknown {
  if (value === undefined || value === null) return (value as unknown as Record<string, unknown>)[name];
  return Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined;
}

/** An object that has nothing but what every object inherits. */
export const bare: object = {};

// HOT: once per object that may lack most of its properties. Bench: "sparse optional fields".
/**
 * Names of all own properties of a plain object, when they are few: nothing else can answer for it, save what `bare` has too.
 * Undefined for everything else, and where `toJSON` is among them.
 */
export function fewNames(value: unknown, most: number): string[] | undefined {
  if (typeof value !== 'object' || value === null || types.isProxy(value)) return undefined;
  if (Object.getPrototypeOf(value) !== Object.prototype) return undefined;
  const names = Object.getOwnPropertyNames(value);
  if (names.length > most) return undefined;
  for (let index = 0; index < names.length; index++) if (names[index] === 'toJSON') return undefined;
  return names;
}

/** A property that the schema does not name, or undefined where it is not written. */
export function readExtra(value: Record<string, unknown>, key: string): unknown {
  const found = value[key];
  return typeof found === 'function' || typeof found === 'symbol' ? undefined : found;
}

const iterate = Array.prototype[Symbol.iterator];

/** Longer arrays are looked at first: one that is all holes takes no memory, and its text or copy all there is. */
export const longItems = 1_000_000;

/** @throws {SerializationError} where an item is missing. */
export function checkItems(items: readonly unknown[]): void {
  for (let index = 0; index < items.length; index++) {
    if (!(index in items)) throw new SerializationError(`Item at ${index} is missing.`);
  }
}

// HOT: once per array that goes native. Bench: "nested object", of which spreading three strings is 3 % (Node 26).
/** A packed array, which native code writes faster than one made by length. Each item is read once. */
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
  // By index, as native code reads, where another iterator would be asked.
  if (items[Symbol.iterator] !== iterate)
    return Array.from({ length: items.length }, (_, index) => items[index]);
  return [...items];
}

/** Whether someone gave every object, array or string a `toJSON`: then native serialization writes something else. */
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

// Before V8 11.4 native code writes no bigint. One is copied as a string that no value has, and its quotes are taken off after.
let bigintMark: string | undefined;

function markBigint(value: bigint): string {
  bigintMark ??= `bigint ${crypto.randomUUID()} `;
  return bigintMark + value;
}

/** A bigint as native serialization can write it. */
export function toNativeInteger(value: number | bigint): unknown {
  if (typeof value === 'number') return value;
  return rawJson === undefined ? markBigint(value) : rawJson(String(value));
}

/** The text of a copy made of declared values. */
export const nativeText: (copy: unknown) => string = rawJson === undefined ? restoringText : JSON.stringify;

function restoringText(copy: unknown): string {
  const text = JSON.stringify(copy);
  if (bigintMark === undefined || !text.includes(bigintMark)) return text;
  return text.replace(new RegExp(`"${bigintMark}(-?\\d+)"`, 'g'), '$1');
}
