/** What reading one keyword needs of reading the whole: the shapes of subschemas. */
import type { Part, Registry } from '../schema/registry.ts';
import type { Validators } from '../validate/validators.ts';
import type { Shape } from './shape.ts';

/** A shape before it has a number and a place. */
export type ShapeBody = {
  [S in Shape as S['kind']]: Omit<S, 'number' | 'schemaPath' | 'nullable'>;
}[Shape['kind']];

export interface SubschemaReader {
  readonly registry: Registry;
  readonly validators: Validators;
  /** The shape of all the given parts together. */
  read(parts: readonly Part[]): Shape;
  readBoolean(schema: boolean, place: string): Shape;
  /**
   * To be called for each combination of several decisions that gets a shape.
   *
   * @throws {SchemaError} when there are too many.
   */
  countCombination(place: string): void;
}
