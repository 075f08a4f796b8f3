/** Owns the tests that choose a branch: a JavaScript expression, or a call of a validator. */

import type { JsonType } from '../json-schema.ts';

export type Primitive = string | number | boolean | null;

export type Predicate = (value: unknown) => boolean;

export type Test =
  /** Always passes. */
  | { readonly kind: 'always' }
  /** A list of types as it chooses the output: `null` passes unless told apart, dates are strings. */
  | { readonly kind: 'writable'; readonly type: JsonType }
  /**
   * A branch no other branch shares a type with. An object that writes itself, such as a Date, is a string as well as an
   * object: where branches have both, `writers` decides on such objects.
   */
  | { readonly kind: 'types'; readonly types: readonly JsonType[]; readonly writers?: Predicate }
  /** A branch that has a property of its own value. */
  | { readonly kind: 'property'; readonly name: string; readonly values: readonly Primitive[] }
  /** Everything else: the validator decides. */
  | { readonly kind: 'validator'; readonly matches: Predicate };
