/** The error that is written into the content of a stream that fails after its head was sent. */
import type { Exchange } from '../types/exchange.ts';
import { errorFields } from './error-body.ts';
import { errorStatus } from './error-head.ts';
import { log } from './log.ts';

/** Writes an error as JSON. If a value of the application throws when it is read or written, the client only gets the status. */
export function streamErrorJson(x: Exchange, error: unknown): string {
  try {
    return JSON.stringify(errorFields(x, errorStatus(500, error), error));
  } catch (thrown) {
    log(x, 'warn', { err: thrown }, 'an error of a stream could not be written');
    return JSON.stringify(errorFields(x, 500, undefined));
  }
}
