/** Handles trailers (RFC 9110, 6.5): they are announced in the head, computed when the payload was written, and sent last. */

import { isFieldValue } from '../shared/http-facts.ts';
import { isThenable } from '../shared/values.ts';
import type { Exchange } from '../types/exchange.ts';
import { ensureError, log } from './exchange.ts';

/** Announces the trailers that were not removed. HTTP/1.0 has none. */
export function announceTrailers(x: Exchange): void {
  const names = Object.keys(x.trailers!).filter((name) => x.trailers![name] !== undefined);
  if (names.length === 0 || x.httpVersion === '1.0') {
    x.trailers = undefined;
    return;
  }
  x.announceTrailers(x.replyHeaders, names);
}

/** Removes all trailers and their announcement, because the reply to a failed head has none. */
export function dropTrailers(x: Exchange): void {
  x.trailers = undefined;
  delete x.replyHeaders.trailer;
}

/** Ends the response, with its trailers if it has any. */
export function endWithTrailers(x: Exchange, payload: unknown): void {
  if (x.trailers === undefined) {
    x.end();
    return;
  }
  const values: Record<string, string> = Object.create(null);
  const pending = Object.entries(x.trailers).flatMap(([name, compute]) =>
    compute === undefined ? [] : [collectTrailer(x, name, compute, payload, values)],
  );
  Promise.all(pending).then(() => {
    if (x.isEnded || x.isDestroyed) return;
    try {
      x.addTrailers(values);
    } catch (error) {
      log(x, 'debug', { err: error }, 'the trailers failed');
    }
    x.end();
  });
}

/** Computes a trailer. If it fails, it is left out, because the payload was already sent. */
async function collectTrailer(
  x: Exchange,
  name: string,
  compute: NonNullable<NonNullable<Exchange['trailers']>[string]>,
  payload: unknown,
  values: Record<string, string>,
): Promise<void> {
  try {
    const value = await new Promise<string | undefined>((resolve, reject) => {
      const result = compute(x.reply, payload, (error, text) => {
        if (error === undefined || error === null) resolve(text);
        else reject(ensureError(error));
      });
      if (isThenable<string>(result)) result.then(resolve, reject);
      // If the function returned a value at once, it does not call `done`.
      else if (result !== undefined) resolve(result);
    });
    if (value === undefined) return;
    const text = String(value);
    if (!isFieldValue(text)) throw new TypeError('its value cannot be sent in a field');
    values[name] = text;
  } catch (error) {
    log(x, 'debug', { err: error }, `trailer '${name}' failed`);
  }
}
