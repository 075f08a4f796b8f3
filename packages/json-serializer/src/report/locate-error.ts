/** The error of a failed serialization. The fast code does not know paths, so the value is walked again to find the place. */
import { isSerializationError, SerializationError } from '../errors.ts';
import { describeThrown } from '../runtime/describe.ts';
import type { Rounding } from '../runtime/numbers.ts';
import type { Shape } from '../shape/shape.ts';
import { inspect } from './inspect.ts';

export function locateError(
  shape: Shape,
  value: unknown,
  rounding: Rounding,
  error: unknown,
): SerializationError {
  try {
    inspect(shape, value, rounding, () => {});
  } catch (located) {
    if (isSerializationError(located)) return located;
    return new SerializationError('the value is nested too deeply to be written', '', error);
  }
  // The walk found no fault: the value returned something else the second time.
  if (isSerializationError(error)) return error;
  return new SerializationError(describeThrown(error), '', error);
}

/**
 * Finds the place that made `JSON.stringify` throw.
 *
 * @param value The value that it was given.
 * @param error What it threw.
 * @returns An error with the path of the value that cannot be written.
 */
export function locateNativeError(value: unknown, error: unknown): SerializationError {
  return locateError({ kind: 'any', number: 0, schemaPath: '', nullable: false }, value, 'trunc', error);
}
