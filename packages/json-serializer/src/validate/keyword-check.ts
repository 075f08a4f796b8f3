/** Declares the check of a keyword, and what it gets. */
import type { Part, Reference } from '@ambit/json-schema';
import type { Predicate } from '../shape/test.ts';
import type { Evaluator } from './evaluated.ts';

/** Creates the check of one keyword. It must accept values of types to which the keyword does not apply. */
export type KeywordCheck = (context: CheckContext) => Predicate | undefined;

export interface CheckContext {
  readonly value: unknown;
  readonly part: Part;
  /** The value of another keyword of the same schema. */
  sibling(name: string): unknown;
  /** The predicate of a subschema. */
  validate(schema: unknown, ...segments: (string | number)[]): Predicate;
  /** The predicate of the target of a `$ref` next to the keyword. */
  validateReference(name: Reference): Predicate;
  /** What the schema covers, without one of its keywords. */
  evaluate(without: string): Evaluator;
}
