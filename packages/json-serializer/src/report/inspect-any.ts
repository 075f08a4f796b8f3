/** Walks values without a schema. It finds only what JSON cannot express. */
import { joinPointer } from '@ambit/json-schema';
import { SerializationError } from '../errors.ts';
import type { Inspector } from './inspector.ts';

/** @param isItem Whether the value is in an array. There, `null` is written for a value that JSON cannot express. */
export function inspectAny(inspector: Inspector, value: unknown, path: string, isItem = false): void {
  if (typeof value === 'bigint') {
    throw new SerializationError(
      'a bigint needs a schema of type integer or number to be written as JSON',
      path,
    );
  }
  if (typeof value === 'object' && value !== null) inspectObject(inspector, value, path, isItem);
  else if (isLost(value) && isItem) inspector.reportCoerced(value, 'null', path);
  else if (isLost(value)) inspectLost(inspector, value, path);
  else if (typeof value === 'number' && !Number.isFinite(value)) inspector.reportCoerced(value, 'null', path);
}

/** Whether JSON cannot express a value. */
export function isLost(value: unknown): boolean {
  return value === undefined || typeof value === 'function' || typeof value === 'symbol';
}

/** Reports a lost property. If its value is undefined, nothing is lost. */
export function inspectLost(inspector: Inspector, value: unknown, path: string): void {
  if (value !== undefined) inspector.reportDropped(`dropped, because JSON has no ${typeof value}s`, path);
}

function inspectObject(inspector: Inspector, value: object, path: string, isItem: boolean): void {
  const toJson = (value as { toJSON?: unknown }).toJSON;
  if (typeof toJson === 'function') {
    const written: unknown = toJson.call(value, '');
    // `toJSON` may return the value itself.
    if (written !== value) {
      inspector.guard(written, path, () => inspectAny(inspector, written, path, isItem));
      return;
    }
  }
  const keys = Object.keys(value);
  if (keys.length === 0 && isEmptied(value)) inspector.reportCoerced(value, '{}', path);
  for (const key of keys) inspectChild(inspector, value, key, joinPointer(path, key));
}

/** Whether a value may contain something that JSON does not write, such as a Map, an Error or an instance with getters. */
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
