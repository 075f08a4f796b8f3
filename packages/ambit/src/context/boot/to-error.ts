/**
 * Turns any value that a step of boot failed with into an Error, because avvio, and listeners that test `if (error)`, would read `false`,
 * `0` and `''` as success.
 */

import { type ErrorPlace, locateError } from '../../shared/error-place.ts';
import { textOf } from '../../shared/thrown-values.ts';
import { FailedWithoutError } from '../../types/errors.ts';

/** Creates the error of a failed step from the value that it threw or passed to `done`. */
export type MakeError = (thrown: unknown) => Error;

/**
 * @param thrown An object is used as it is, because it may be an error of another realm. Any other value becomes the cause of a new Error.
 * @param step The step that failed, for that Error's message.
 * @param where Returns the place that the error gets if it has none.
 */
export function toError(thrown: unknown, step: string, where: () => ErrorPlace): Error {
  if (typeof thrown === 'object' && thrown !== null) return locateError(thrown as Error, where);
  return FailedWithoutError.at({ cause: thrown, where: where() }, step, textOf(thrown));
}

/** The callback `done` for a step of boot. Any argument but `undefined` and `null` fails the step. */
export function strictDone(
  done: (error?: Error | null) => void,
  makeError: MakeError,
): (error?: unknown) => void {
  return (error) => (error === undefined || error === null ? done() : done(makeError(error)));
}
