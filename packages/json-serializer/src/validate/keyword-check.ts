/** What a check of a keyword is made of. */
import type { Part, Reference } from '../schema/registry.ts';
import type { Predicate } from '../shape/test.ts';

/** Makes the check of one keyword. It must pass values of types that the keyword does not speak of. */
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
}
