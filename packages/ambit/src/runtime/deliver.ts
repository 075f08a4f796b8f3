/** The step that writes a serialized payload, with its head, to the wire. */
// Imported, because the global `Buffer` is a getter, which every use would call.
import { Buffer } from 'node:buffer';
import { isWithoutContent } from '../shared/http-facts.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import {
  cancelStream,
  closeStream,
  isAsyncIterable,
  isNodeStream,
  isWebResponse,
  isWebStream,
  responseFields,
} from '../shared/payload-shapes.ts';
import { utf8Length } from '../shared/utf8-length.ts';
import { AsyncIterableSent, PayloadTypeInvalid, ResponseBodyConsumed } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import { log } from './log.ts';
import { contentTypeOf, invalidStatus, removeReplyHeader, setReplyHeader, setStatus } from './reply-head.ts';
import { sendStream } from './stream-payload.ts';
import { announceTrailers, dropTrailers, endWithTrailers } from './trailers.ts';

const loadWebStreams = lazyModule<typeof import('./web-stream-payload.ts')>(() =>
  require('./web-stream-payload.ts'),
);

// HOT: once per reply.
export function write(x: Exchange): false {
  const { payload } = x;
  if (typeof x.replyHeaders['content-type'] !== 'string') normalizeContentType(x);
  const content = isWebResponse(payload) ? unwrapResponse(x, payload) : payload;
  // It was set on `reply.raw`. With a WebSocket, a worker has a `Response` of this status.
  if (x.status < 200 && !isWebResponse(payload)) throw invalidStatus(x, x.status);
  if (isWithoutContent(x.status)) {
    writeWithoutContent(x, content);
    return false;
  }
  if (x.trailers !== undefined) announceTrailers(x);
  const isChunked = x.trailers !== undefined || announcesChunks(x);
  // A chunked response must not have a length, because two readers could then disagree about its end (RFC 9112, 6.2).
  if (isChunked) delete x.replyHeaders['content-length'];
  const { status } = x;
  if (content === undefined || content === null) {
    writeEmpty(x, status, content, isChunked);
  } else if (typeof content === 'string' || Buffer.isBuffer(content)) {
    writeContent(x, status, content, isChunked);
  } else if (isNodeStream(content)) {
    sendStream(x, content);
  } else if (isWebStream(content)) {
    loadWebStreams().sendWebStream(x, content);
  } else {
    throw isAsyncIterable(content) ? new AsyncIterableSent() : new PayloadTypeInvalid(typeof content);
  }
  return false;
}

/**
 * Whether the response is chunked. Clients of HTTP/1.0 cannot read chunks (RFC 9112, 6.1). With another transfer coding at the end of the list, the content would end when the connection closes
 * (RFC 9112, 6.3). As the connection is kept, the field is then removed, and the content gets a length.
 */
function announcesChunks({ replyHeaders, httpVersion }: Exchange): boolean {
  const codings = replyHeaders['transfer-encoding'];
  if (codings === undefined) return false;
  if (httpVersion !== '1.0' && /(^|[\s,])chunked\s*$/i.test(String(codings))) return true;
  delete replyHeaders['transfer-encoding'];
  return false;
}

/**
 * Converts a Content-Type that is not a string to one, because a response has one type (RFC 9110, 8.3). It was set on the reply or on
 * `raw`.
 */
function normalizeContentType(x: Exchange): void {
  const { replyHeaders } = x;
  const contentType = replyHeaders['content-type'] ?? x.getHeader('content-type');
  if (typeof contentType === 'string') return;
  const type = contentTypeOf(x);
  if (type !== undefined) replyHeaders['content-type'] = type;
  else if ('content-type' in replyHeaders) delete replyHeaders['content-type'];
}

/** Sets the status and the headers of a `Response`, and returns its body, which is a web stream or `null`. */
function unwrapResponse(x: Exchange, response: Response): unknown {
  if (x.takeWebSocket(response)) x.status = response.status;
  else if (typeof response.status === 'number') setStatus(x, response.status);
  for (const [name, value] of responseFields(response)) setReplyHeader(x, name.toLowerCase(), value);
  if (response.body !== null && response.bodyUsed) throw new ResponseBodyConsumed();
  return response.body;
}

/**
 * Writes a response that has no content, whatever its payload is. Only with 304, the fields describe content: that of the response which
 * the client has kept (RFC 9110, 8.6 and 15.4.5).
 */
function writeWithoutContent(x: Exchange, content: unknown): void {
  const { status } = x;
  dropTrailers(x);
  removeReplyHeader(x, 'transfer-encoding');
  if (status === 304) {
    const isWhole = typeof content === 'string' || Buffer.isBuffer(content);
    if (isWhole) x.replyHeaders['content-length'] ||= String(Buffer.byteLength(content));
  } else {
    removeReplyHeader(x, 'content-type');
    // Plugins for CORS declare the length 0, because Safari has waited without it.
    const isZero = String(x.replyHeaders['content-length'] ?? x.getHeader('content-length')) === '0';
    removeReplyHeader(x, 'content-length');
    if (isZero || status === 205) x.replyHeaders['content-length'] = '0';
  }
  respond(x, status);
  if (content === undefined || content === null) return;
  if (isNodeStream(content)) closeStream(content.on('error', () => {}));
  else if (isWebStream(content)) cancelStream(content);
}

function writeEmpty(x: Exchange, status: number, payload: unknown, isChunked: boolean): void {
  // In a reply to HEAD, the length would describe the content that GET would send.
  if (x.method !== 'HEAD' && !isChunked) x.replyHeaders['content-length'] = '0';
  if (x.trailers === undefined) respond(x, status);
  else {
    writeHead(x, status);
    endWithTrailers(x, payload);
  }
}

function writeContent(x: Exchange, status: number, content: string | Buffer, isChunked: boolean): void {
  const headers = x.replyHeaders;
  const lengthBytes = typeof content === 'string' ? utf8Length(content) : content.length;
  if (!isChunked) {
    const declared = headers['content-length'];
    // In a reply to HEAD, the length is that of the content that GET would send.
    if (!declared || (x.method !== 'HEAD' && Number(declared) !== lengthBytes)) {
      headers['content-length'] = String(lengthBytes);
    }
  }
  if (x.trailers === undefined) respond(x, status, content, lengthBytes);
  else {
    writeHead(x, status);
    x.write(content);
    endWithTrailers(x, content);
  }
}

function respond(x: Exchange, status: number, content?: string | Buffer, lengthBytes?: number): void {
  try {
    x.respond(status, x.replyHeaders, content, lengthBytes);
  } catch (error) {
    warnIfSent(x, error);
    throw error;
  }
}

function writeHead(x: Exchange, status: number): void {
  try {
    x.writeHead(status, x.replyHeaders);
  } catch (error) {
    warnIfSent(x, error);
    throw error;
  }
}

function warnIfSent(x: Exchange, error: unknown): void {
  if ((error as { code?: string }).code !== 'ERR_HTTP_HEADERS_SENT') return;
  const text = `Reply was already sent, did you forget to "return reply" in the "${x.url}" (${x.method}) route?`;
  log(x, 'warn', text);
}
