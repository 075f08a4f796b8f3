/** Owns the reply to HEAD on a GET route: the same headers, the length of the content, and no content (RFC 9110, 9.3.2). */

import { isWithoutContent } from '../../shared/http-facts.ts';
import {
  closeStream,
  isNodeStream,
  isWebResponse,
  isWebStream,
  responseFields,
} from '../../shared/payload-shapes.ts';
import type { PayloadHook } from '../../types/hooks.ts';
import type { Reply } from '../../types/reply.ts';

/** The last `onSend` hook of automatic HEAD routes. */
export const headReplyHook: PayloadHook = function headRouteOnSendHandler(_request, reply, payload, done) {
  if (payload !== undefined && payload !== null) setContentFields(payload, reply);
  // `null` says that there is nothing to describe.
  else if (payload === undefined && !isWithoutContent(reply.statusCode)) setLength(reply, '0', false);
  done(null, null);
};

/** Sets the header fields that describe the content. The length of a stream is not known before it is read, so the stream is closed. */
function setContentFields(payload: unknown, reply: Reply): void {
  const report = (err: Error): void => {
    reply.log.error({ err }, 'Error on Stream found for HEAD route');
  };
  if (isNodeStream(payload)) closeStream(payload.on('error', report));
  else if (isWebStream(payload)) payload.cancel('Stream cancelled by HEAD route').catch(report);
  else if (isWebResponse(payload)) {
    reply.code(payload.status);
    for (const [name, value] of responseFields(payload)) reply.header(name, value);
    payload.body?.cancel('Stream cancelled by HEAD route').catch(() => {});
  } else setLength(reply, String(Buffer.byteLength(payload as string | Buffer)), true);
}

/** A length that the route has declared stays where it is the only one that is known: without a payload, and with 304. */
function setLength(reply: Reply, length: string, isOfPayload: boolean): void {
  const isKnown = isOfPayload && !isWithoutContent(reply.statusCode);
  if (isKnown || !reply.hasHeader('content-length')) reply.header('content-length', length);
}
