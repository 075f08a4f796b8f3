/** Prepares errors before they are passed to code of the application. */
import { UndefinedError } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';

/** Returns the value. For a falsy value it returns an error, because many error handlers would take the value for success. */
export function ensureError(thrown: unknown): unknown {
  return thrown || UndefinedError.at({ cause: thrown });
}

/** Gives an error of the catalogue the name and the message that it has in this application's flavor. Other errors stay as they are. */
export function translateError<T>(x: Exchange, error: T): T {
  return x.plan.server.translateError(error);
}
