/** The checks of type, nullable, enum and const. */
import { isEqual, type JsonType } from '@ambit/json-schema';
import type { Predicate } from '../shape/test.ts';
import type { KeywordCheck } from './keyword-check.ts';

// Dates and other objects with `toJSON` count as strings and as objects, because they are written as strings.
const ofType: Record<JsonType, Predicate> = {
  null: (value) => value === null,
  boolean: (value) => typeof value === 'boolean',
  integer: (value) => Number.isInteger(value) || typeof value === 'bigint',
  number: (value) => Number.isFinite(value) || typeof value === 'bigint',
  string: (value) => typeof value === 'string' || hasToJson(value),
  array: (value) => Array.isArray(value),
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
};

export function hasToJson(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as { toJSON?: unknown }).toJSON === 'function'
  );
}

export function isOfType(type: JsonType, value: unknown): boolean {
  return ofType[type](value);
}

export const typeKeywords: Record<string, KeywordCheck> = {
  type({ value: type, sibling }) {
    const names = (Array.isArray(type) ? type : [type]) as JsonType[];
    const predicates = names.flatMap((name) => ofType[name] ?? []);
    if (sibling('nullable') === true) predicates.push(ofType.null);
    const [only] = predicates;
    return predicates.length === 1 ? only : (value) => predicates.some((predicate) => predicate(value));
  },
  enum({ value }) {
    if (!Array.isArray(value)) return undefined;
    const list = copyData(value) as unknown[];
    return (instance) => list.some((allowed) => isEqual(allowed, instance));
  },
  const({ value }) {
    const constant = copyData(value);
    return (instance) => isEqual(constant, instance);
  },
};

/** A copy, so that later changes of a schema do not affect compiled code. */
function copyData(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(copyData);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyData(inner)]));
}
