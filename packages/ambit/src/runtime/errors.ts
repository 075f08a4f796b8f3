/** Prepares errors for the code of the application that gets them. */
import { UndefinedError } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';

/** The same value, unless it is `false`, `0`, an empty string or nothing at all: many a handler takes those for success. */
export function ensureError(thrown: unknown): unknown {
  return thrown || UndefinedError.at({ cause: thrown });
}

/** An error of the catalogue gets the name and the text that it has in this application's flavor; others stay as they are. */
export function translateError<T>(x: Exchange, error: T): T {
  return x.plan.server.translateError(error);
}
