/** The tests that choose a branch: a JavaScript expression, or a call of a validator. */
import type { JsonType } from '@ambit/json-schema';

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
