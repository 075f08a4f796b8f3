/** The parts of a check of a keyword. */
import type { Part, Reference } from '../schema/registry.ts';
import type { Predicate } from '../shape/test.ts';
import type { Evaluator } from './evaluated.ts';

/** Creates the check of one keyword. It must accept values of types to which the keyword does not apply. */
export type KeywordCheck = (context: CheckContext) => Predicate | undefined;

export interface CheckContext {
  readonly value: unknown;
  readonly part: Part;
  /** Another keyword of the same schema. */
  sibling(name: string): unknown;
  /** The predicate of a subschema. */
  validate(schema: unknown, ...segments: (string | number)[]): Predicate;
  /** The predicate of the schema that a reference beside points at. */
  validateReference(name: Reference): Predicate;
  /** What the schema speaks of, but for one of its keywords. */
  evaluate(without: string): Evaluator;
}
