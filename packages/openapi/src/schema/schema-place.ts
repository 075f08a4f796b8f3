/** Declares what the description of a schema starts from, and what it results in. */
import type { Json } from '../json.ts';
import type { DynamicScope } from './dynamic-scope.ts';
import type { SchemaRoot } from './references.ts';

/** The place of a schema: the root for its references, and a name in case it needs one. */
export interface SchemaPlace {
  readonly root: SchemaRoot;
  readonly base: string;
  readonly hint: string;
  /** The targets of `$dynamicRef`, which depend on the way to this place. */
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
