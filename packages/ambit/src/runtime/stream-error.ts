/** The error that is written into the content of a stream that fails after its head was sent. */
import type { Exchange } from '../contract/exchange.ts';
import { statusText } from '../shared/http-facts.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { messageOf, readField } from '../shared/thrown-values.ts';
import { errorStatus } from './error-head.ts';
import { log } from './log.ts';

const loadProblems = lazyModule<typeof import('./problem-details.ts')>(() => require('./problem-details.ts'));

/** Writes an error as JSON. If a value of the application throws when it is read or written, the client only gets the status. */
export function streamErrorJson(x: Exchange, error: unknown): string {
  try {
    return JSON.stringify(describeError(x, error));
  } catch (thrown) {
    log(x, 'warn', { err: thrown }, 'an error of a stream could not be written');
    return JSON.stringify(describeError(x, undefined));
  }
}

/** Returns the parts of an error that clients may see, in the format of the context. Only the status of a server error is included. */
function describeError(x: Exchange, error: unknown): object {
  const statusCode = errorStatus(500, error);
  if (x.plan.errorFormat === 'problem') return loadProblems().problemDetails(x, statusCode, error);
  const name = statusText(statusCode);
  if (statusCode >= 500) return { statusCode, error: name, message: name };
  const code = readField(error, 'code');
  return { statusCode, ...(typeof code === 'string' && { code }), error: name, message: messageOf(error) };
}
