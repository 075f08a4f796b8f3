/** Owns what a step of boot failed with: avvio, and listeners that ask `if (error)`, take `false`, `0` and an empty string for success. */
import { FailedWithoutError } from '../contract/errors.ts';
import { type ErrorPlace, locateError } from '../shared/define-error.ts';
import { textOf } from '../shared/text-of.ts';

/** What a step fails with when it is given something for an error. */
export type Failure = (given: unknown) => Error;

/**
 * @param what The step, for the error that stands in for a value that is none. Objects of any kind stay: they may be errors after all.
 * @param where The place that the error gets, unless it has one.
 */
export function errorOf(given: unknown, what: string, where: () => ErrorPlace): Error {
  if (typeof given === 'object' && given !== null) return locateError(given as Error, where);
  return FailedWithoutError.at({ cause: given, where: where() }, what, textOf(given));
}

/** `done` for a step of boot: anything but `undefined` and `null` fails it. */
export function strictDone(
  done: (error?: Error | null) => void,
  failure: Failure,
): (error?: unknown) => void {
  return (error) => (error === undefined || error === null ? done() : done(failure(error)));
}
