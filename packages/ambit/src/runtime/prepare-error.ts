/** Prepares errors before code of the application gets them. */
import { UndefinedError } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';

/** Returns the value. For a falsy value it returns an error, because many error handlers would take the value for success. */
export function ensureError(thrown: unknown): unknown {
  return thrown || UndefinedError.at({ cause: thrown });
}

/** An error of the catalogue gets the name and the text that it has in this application's flavor; others stay as they are. */
export function translateError<T>(x: Exchange, error: T): T {
  return x.plan.server.translateError(error);
}
