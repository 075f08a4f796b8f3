/** Owns the shapes: what a schema says about output, with references resolved and keywords merged. All else is made from them. */
import type { Test } from './test.ts';

interface Common {
  readonly number: number;
  /** JSON Pointer of the schema it came from; for messages. */
  readonly schemaPath: string;
  /** `null` is written as `null`, not coerced. */
  readonly nullable: boolean;
}

/** Whatever JSON can hold, written as `JSON.stringify` does. */
export interface AnyShape extends Common {
  readonly kind: 'any';
}
/** The schema `false`. */
export interface NeverShape extends Common {
  readonly kind: 'never';
}
/** One fixed text, whatever the value. */
export interface ConstShape extends Common {
  readonly kind: 'const';
  readonly text: string;
}
export type DateFormat = 'date' | 'time' | 'date-time';
export interface StringShape extends Common {
  readonly kind: 'string';
  readonly format: DateFormat | undefined;
}
export interface PlainShape extends Common {
  readonly kind: 'integer' | 'number' | 'boolean' | 'null';
}
export interface PropertyShape {
  readonly name: string;
  readonly shape: Shape;
  readonly isRequired: boolean;
  /** JSON text written when the property is undefined. */
  readonly defaultText: string | undefined;
}
export interface PatternShape {
  readonly pattern: RegExp;
  readonly shape: Shape;
}
export interface ObjectShape extends Common {
  readonly kind: 'object';
  /** In the order of output: required ones first. */
  readonly properties: readonly PropertyShape[];
  readonly patterns: readonly PatternShape[];
  readonly additional: Shape | undefined;
  /** Required names that `properties` does not declare. */
  readonly otherRequired: readonly string[];
}
/** Picks one of some leaves, by their number: the first branch whose test passes leads on; an error when none does. */
export type Selector =
  | number
  | {
      readonly branches: readonly { readonly test: Test; readonly next: Selector }[];
      /** JSON Pointer of the schema that decides. */
      readonly schemaPath: string;
    };
/** What holds in one leaf of one selector, or always. */
export interface Conditional {
  readonly when: { readonly selector: number; readonly leaf: number } | undefined;
}
/**
 * An object on which several conditions and choices bear together. Each property says in which outcomes it is written, so that
 * nothing is multiplied by anything.
 */
export interface ConditionalShape extends Common {
  readonly kind: 'conditional';
  readonly selectors: readonly Selector[];
  /** In the order of output. A name may be there several times: for outcomes of which only one can be. */
  readonly properties: readonly (PropertyShape & Conditional)[];
  /** Required names that are not declared. */
  readonly otherRequired: readonly ({ readonly name: string } & Conditional)[];
}
export interface ArrayShape extends Common {
  readonly kind: 'array';
  readonly item: Shape;
}
export interface TupleShape extends Common {
  readonly kind: 'tuple';
  readonly items: readonly { readonly shape: Shape; readonly accepts: Test }[];
  /** For items past the tuple; without it they are an error. */
  readonly rest: Shape | undefined;
}
/** The first branch whose test passes; an error when none does. Made from a list of types, `oneOf`, `anyOf` and `if`. */
export interface ChoiceShape extends Common {
  readonly kind: 'choice';
  readonly branches: readonly { readonly test: Test; readonly shape: Shape }[];
}

export type Shape =
  | AnyShape
  | NeverShape
  | ConstShape
  | StringShape
  | PlainShape
  | ObjectShape
  | ConditionalShape
  | ArrayShape
  | TupleShape
  | ChoiceShape;
