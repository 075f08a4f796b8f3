/** Turns what a step of boot failed with into an Error: avvio, and listeners that ask `if (error)`, take `false`, `0` and an empty string for success. */
import { FailedWithoutError } from '../../contract/errors.ts';
import { type ErrorPlace, locateError } from '../../shared/error-place.ts';
import { textOf } from '../../shared/thrown-values.ts';

/** Makes the error that a step fails with from what it threw or gave to `done`. */
export type MakeError = (thrown: unknown) => Error;

/**
 * @param thrown An object is kept as it is: it may be an error of another realm. Any other value becomes the cause of an Error.
 * @param step The step that failed, for that Error's message.
 * @param where The place that the error gets, unless it has one.
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
