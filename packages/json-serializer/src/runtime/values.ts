/** Owns what is written without a schema, and how properties are read where a name also exists on every object. */
import { types } from 'node:util';

/** The text of any value; undefined where JSON has none, as for functions. */
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

/** A bigint as native serialization can write it. */
export function toNativeInteger(value: number | bigint): unknown {
  if (typeof value === 'number') return value;
  return rawJson === undefined ? Number(value) : rawJson(String(value));
}
