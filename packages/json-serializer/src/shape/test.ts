/** Owns the tests that choose a branch: a JavaScript expression, or a call of a validator. */

import type { JsonType } from '../json-schema.ts';

export type Primitive = string | number | boolean | null;

export type Predicate = (value: unknown) => boolean;

export type Test =
  /** Always passes. */
  | { readonly kind: 'always' }
  /** A list of types that chooses the output: `null` passes unless it is tested separately, dates are strings. */
  | { readonly kind: 'writable'; readonly type: JsonType }
  /**
   * A branch that shares no type with the others. An object with `toJSON`, such as a Date, is both a string and an
   * object: if branches have both, `writers` decides about such objects.
   */
  | { readonly kind: 'types'; readonly types: readonly JsonType[]; readonly writers?: Predicate }
  /** A branch in which a property has a value of its own. */
  | { readonly kind: 'property'; readonly name: string; readonly values: readonly Primitive[] }
  /** All other cases: the validator decides. */
  | { readonly kind: 'validator'; readonly matches: Predicate };
