/** Copies plain data and freezes the copy all the way down; functions and class instances are shared as they are. */
import { isPlainObject } from './plain-object.ts';

export function frozenCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  if (!isPlainObject(value)) return value;
  return Object.freeze(
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, frozenCopy(inner)])),
  ) as T;
}
