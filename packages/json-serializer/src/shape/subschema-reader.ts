/** Declares what reading a keyword needs from reading the whole schema: the shapes of subschemas. */
import type { Part, Registry } from '@ambit/json-schema';
import type { Validators } from '../validate/validators.ts';
import type { Shape } from './shape.ts';

/** A shape without its number and path. */
export type ShapeBody = {
  [S in Shape as S['kind']]: Omit<S, 'number' | 'schemaPath' | 'nullable'>;
}[Shape['kind']];

export interface SubschemaReader {
  readonly registry: Registry;
  readonly validators: Validators;
  /** The shape for all the given parts together. */
  read(parts: readonly Part[]): Shape;
  /**
   * What is written if the schemas that apply to a value contradict one another: nothing, because no value is valid. This is an error of
   * the schema only at its root, because elsewhere other values may be valid.
   */
  contradict(message: string, parts: readonly Part[], schemaPath: string): ShapeBody;
  readBoolean(schema: boolean, schemaPath: string): Shape;
  /**
   * Must be called for each combination of several decisions that gets its own shape.
   *
   * @throws {SchemaError} if there are too many.
   */
  countCombination(schemaPath: string): void;
}
