/** Declares the input and the output of the description of a schema. */
import type { Json } from '../json.ts';
import type { DynamicScope } from './dynamic-scope.ts';
import type { SchemaRoot } from './references.ts';

/** The location of a schema: the root for its references, and a name that it gets if it needs one. */
export interface SchemaLocation {
  readonly root: SchemaRoot;
  readonly base: string;
  readonly hint: string;
  /** The targets of `$dynamicRef`, which depend on the references that led to this location. */
  readonly dynamic: DynamicScope;
}

/** A schema of the document. */
export type DescribedSchema = Json | boolean;

/** Explains why a schema cannot be described, and where the fault is. */
export class SchemaProblem extends Error {
  readonly path: string;

  constructor(message: string, path: readonly (string | number)[]) {
    super(message);
    this.path = path.map((step) => `/${step}`).join('');
  }
}
