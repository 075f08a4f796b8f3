/** Owns the reply to HEAD on a GET route: the same headers, the length of the content, and no content (RFC 9110, 9.3.2). */
import type { Readable } from 'node:stream';
import type { PayloadHook } from '../contract/context.ts';

/** The last `onSend` hook of automatic HEAD routes. */
export const headReplyHook: PayloadHook = function headRouteOnSendHandler(_request, reply, payload, done) {
  if (payload === undefined) reply.header('content-length', '0');
  else if (Object.prototype.toString.call(payload) === '[object Response]') adopt(payload as Response, reply);
  else if (payload !== null) measure(payload as string | Buffer | Readable | ReadableStream, reply);
  done(null, null);
};

/** A `Response` brings a head of its own. */
function adopt(response: Response, reply: Parameters<PayloadHook>[1]): void {
  reply.code(response.status);
  response.headers.forEach((value, name) => {
    reply.header(name, value);
  });
  response.body?.cancel('Stream cancelled by HEAD route').catch(() => {});
}

function measure(
  payload: string | Buffer | Readable | ReadableStream,
  reply: Parameters<PayloadHook>[1],
): void {
  const report = (err: Error): void => {
    reply.log.error({ err }, 'Error on Stream found for HEAD route');
  };
  // The length of a stream is not known until it is read; its source is let go.
  if (typeof (payload as Readable).resume === 'function') (payload as Readable).on('error', report).resume();
  else if (typeof (payload as ReadableStream).getReader === 'function') {
    (payload as ReadableStream).cancel('Stream cancelled by HEAD route').catch(report);
  } else reply.header('content-length', String(Buffer.byteLength(payload as string | Buffer)));
}
