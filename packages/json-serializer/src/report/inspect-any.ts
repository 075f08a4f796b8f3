/** Owns the walk of values that no schema describes: only what JSON itself cannot hold is found there. */
import { SerializationError } from '../errors.ts';
import { joinPointer } from '../pointer.ts';
import type { Inspector } from './inspector.ts';

/** @param isItem Whether it stands in an array, where what JSON does not have is written as `null`. */
export function inspectAny(inspector: Inspector, value: unknown, path: string, isItem = false): void {
  if (typeof value === 'bigint') {
    throw new SerializationError('a bigint needs a schema of type integer to be written as JSON', path);
  }
  if (typeof value === 'object' && value !== null) inspectObject(inspector, value, path, isItem);
  else if (isLost(value) && isItem) inspector.reportCoerced(value, 'null', path);
  else if (isLost(value)) inspectLost(inspector, value, path);
  else if (typeof value === 'number' && !Number.isFinite(value)) inspector.reportCoerced(value, 'null', path);
}

/** Whether JSON has nothing for a value. */
export function isLost(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

/** Nothing is lost with a property that is undefined. */
export function inspectLost(inspector: Inspector, value: unknown, path: string): void {
  if (value !== undefined) inspector.reportDropped(`dropped, because JSON has no ${typeof value}s`, path);
}

function inspectObject(inspector: Inspector, value: object, path: string, isItem: boolean): void {
  const source = (value as { toJSON?: unknown }).toJSON;
  if (typeof source === 'function') {
    const written: unknown = source.call(value, '');
    // A value may write itself as itself.
    if (written !== value) {
      inspector.guard(written, path, () => inspectAny(inspector, written, path, isItem));
      return;
    }
  }
  const keys = Object.keys(value);
  if (keys.length === 0 && isEmptied(value)) inspector.reportCoerced(value, '{}', path);
  for (const key of keys) inspectChild(inspector, value, key, joinPointer(path, key));
}

/** Whether it may hold something that JSON does not see, such as a Map, an Error or an instance with getters. */
function isEmptied(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype !== Object.prototype && prototype !== null && JSON.stringify(value) === '{}';
}

function inspectChild(inspector: Inspector, parent: object, key: string, path: string): void {
  let child: unknown;
  inspector.guard(undefined, path, () => {
    child = (parent as Record<string, unknown>)[key];
  });
  inspector.guard(child, path, () => inspectAny(inspector, child, path, Array.isArray(parent)));
}
