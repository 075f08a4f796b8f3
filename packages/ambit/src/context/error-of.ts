/** Owns what a step of boot failed with: avvio, and listeners that ask `if (error)`, take `false`, `0` and an empty string for success. */
import { FailedWithoutError } from '../contract/errors.ts';
import { textOf } from '../kit/text-of.ts';

/** @param what The step, for the error that stands in for one of these. */
export function errorOf(given: unknown, what: string): Error {
  return (given || FailedWithoutError.at({ cause: given }, what, textOf(given))) as Error;
}

/** `done` for a step of boot: anything but `undefined` and `null` fails it. */
export function strictDone(done: (error?: Error | null) => void, what: string): (error?: unknown) => void {
  return (error) => (error === undefined || error === null ? done() : done(errorOf(error, what)));
}
