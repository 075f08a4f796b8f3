/** Owns trailers (RFC 9110, 6.5): announced in the head, computed when the payload is out, sent last. */
import type { Exchange } from '../contract/exchange.ts';
import { isFieldValue } from '../kit/http-facts.ts';
import { isThenable } from '../kit/thenable.ts';

/** Announces the trailers that are still wanted; drops the table when none is. */
export function announceTrailers(x: Exchange): void {
  const names = Object.keys(x.trailers!).filter((name) => x.trailers![name] !== undefined);
  if (names.length === 0) {
    x.trailers = undefined;
    return;
  }
  // HTTP/2 sends trailers natively and forbids the field (RFC 9113, 8.2.2).
  if (!x.isHttp2) x.replyHeaders['transfer-encoding'] = 'chunked';
  // Chunks frame the content now; a length beside them would let two readers disagree (RFC 9112, 6.2).
  delete x.replyHeaders['content-length'];
  x.replyHeaders.trailer = names.join(' ');
}

/** Ends the response, with its trailers where there are any. */
export function endWithTrailers(x: Exchange, payload: unknown): void {
  if (x.trailers === undefined) {
    x.end();
    return;
  }
  const values: Record<string, string> = {};
  const pending = Object.entries(x.trailers).flatMap(([name, compute]) =>
    compute === undefined ? [] : [collectTrailer(x, name, compute, payload, values)],
  );
  Promise.all(pending).then(() => {
    if (x.isEnded || x.isDestroyed) return;
    x.addTrailers(values);
    x.end();
  });
}

/** A trailer that fails is left out: the payload is on its way, and nothing else can be said any more. */
async function collectTrailer(
  x: Exchange,
  name: string,
  compute: NonNullable<NonNullable<Exchange['trailers']>[string]>,
  payload: unknown,
  values: Record<string, string>,
): Promise<void> {
  try {
    const value = await new Promise<string | undefined>((resolve, reject) => {
      const result = compute(x.reply, payload, (error, text) => (error ? reject(error) : resolve(text)));
      if (isThenable<string>(result)) result.then(resolve, reject);
    });
    if (value === undefined) return;
    if (!isFieldValue(String(value))) throw new TypeError('its value cannot be sent in a field');
    values[name] = value;
  } catch (error) {
    x.log.debug({ err: error }, `trailer '${name}' failed`);
  }
}
