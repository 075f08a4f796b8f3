/** The shapes: what is written for a schema, with references resolved and keywords merged. All code is generated from them. */
import type { Test } from './test.ts';

interface Common {
  readonly number: number;
  /** JSON Pointer of the schema it came from; for messages. */
  readonly schemaPath: string;
  /** `null` is written as `null`, not coerced. */
  readonly nullable: boolean;
}

/** Any JSON value, written as by `JSON.stringify`. */
export interface AnyShape extends Common {
  readonly kind: 'any';
}
/** The schema `false`. */
export interface NeverShape extends Common {
  readonly kind: 'never';
}
/** A fixed text for every value. */
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
export type ScalarShape = ConstShape | StringShape | PlainShape;
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
/** Selects a leaf by its number: follows the first branch whose test passes; an error if none does. */
export type Selector =
  | number
  | {
      readonly branches: readonly { readonly test: Test; readonly next: Selector }[];
      /** JSON Pointer of the schema with the condition. */
      readonly schemaPath: string;
    };
/** A condition that is true if a selector returns one leaf; undefined means always true. */
export interface Conditional {
  readonly when: { readonly selector: number; readonly leaf: number } | undefined;
}
/**
 * An object with several conditions and choices. Each property stores in which outcomes it is written, so that the
 * outcomes need not be combined.
 */
export interface ConditionalShape extends Common {
  readonly kind: 'conditional';
  readonly selectors: readonly Selector[];
  /** In the order of output. A name may occur several times, for outcomes that exclude one another. */
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
  /** For items after the tuple; without it they are an error. */
  readonly rest: Shape | undefined;
}
/** The first branch whose test passes; an error if none does. Created from a list of types, `oneOf`, `anyOf` and `if`. */
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

/** A shape without its number and path. */
export type ShapeBody = {
  [S in Shape as S['kind']]: Omit<S, 'number' | 'schemaPath' | 'nullable'>;
}[Shape['kind']];
