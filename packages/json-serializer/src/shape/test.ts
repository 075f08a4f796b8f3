/** The tests that choose a branch, and whether a value passes one. `emit/test-code.ts` generates the same as code. */
import type { JsonType } from '@ambit/json-schema';
import { isWritableString } from '../runtime/strings.ts';

export type Primitive = string | number | boolean | null;

export function isPrimitive(value: unknown): value is Primitive {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

export type Predicate = (value: unknown) => boolean;

export type Test =
  /** Always passes. */
  | { readonly kind: 'always' }
  /** A list of types as a test for output: `null` passes unless it has its own branch, and dates are strings. */
  | { readonly kind: 'writable'; readonly type: JsonType }
  /**
   * A branch whose types no other branch has. An object with `toJSON`, such as a Date, counts as a string and as an
   * object. If branches have both types, `acceptsToJson` decides about such objects.
   */
  | { readonly kind: 'types'; readonly types: readonly JsonType[]; readonly acceptsToJson?: Predicate }
  /** A branch with a property whose value no other branch has. */
  | { readonly kind: 'property'; readonly name: string; readonly values: readonly Primitive[] }
  /** All other branches: the validator decides. */
  | { readonly kind: 'validator'; readonly matches: Predicate };

export function matches(test: Test, value: unknown): boolean {
  switch (test.kind) {
    case 'always':
      return true;
    case 'writable':
      return matchesWritable(test.type, value);
    case 'types':
      if (!test.types.some((type) => ofType[type](value))) return false;
      return test.acceptsToJson === undefined || !hasToJson(value) || test.acceptsToJson(value);
    case 'property':
      return ofType.object(value) && test.values.includes((value as Record<string, never>)[test.name]!);
    case 'validator':
      return test.matches(value);
  }
}

function matchesWritable(type: JsonType, value: unknown): boolean {
  if (type === 'string') return isWritableString(value);
  if (value === null) return type !== 'array';
  return type === 'number' ? typeof value === 'number' || typeof value === 'bigint' : ofType[type](value);
}

/** Dates and other objects with `toJSON` count as strings and as objects, because they are written as strings. */
export const ofType: Record<JsonType, Predicate> = {
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
