/** From `reply.send` to the wire: finds the kind of a payload and its media type; then the steps `serialize` and `write`. */

// Imported, because the global `Buffer` is a getter, which every use would call.
import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';
import { writeJson } from '../schemas/write-json.ts';
import { isWithoutContent } from '../shared/http-facts.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { parseMediaType } from '../shared/media-type.ts';
import { isError, withFields } from '../shared/thrown-values.ts';
import {
  cancelStream,
  closeStream,
  isAsyncIterable,
  isNodeStream,
  isWebResponse,
  isWebStream,
  responseFields,
} from '../shared/values.ts';
import {
  AsyncIterableSent,
  PayloadTypeInvalid,
  ReplyAlreadySent,
  ResponseBodyConsumed,
  SendInsideOnError,
  UndefinedError,
} from '../types/errors.ts';
import { contentTypeOf, type Exchange, replyField } from '../types/exchange.ts';
import type { HeaderValue } from '../types/reply.ts';
import {
  invalidStatus,
  jsonType,
  log,
  removeReplyHeader,
  setReplyHeader,
  setStatus,
  translateError,
} from './exchange.ts';
import { fail, isReportingNow, loadMistakes, startReply } from './run-steps.ts';
import { announceTrailers, dropTrailers, endWithTrailers, sendStream, sendWebStream } from './streams.ts';

const require = createRequire(import.meta.url);

const loadItems = lazyModule<typeof import('./item-stream.ts')>(() => require('./item-stream.ts'));

const textType = 'text/plain; charset=utf-8';
const bytesType = 'application/octet-stream';

/** Limits how often payload hooks can send another payload. Without it, a hook that always does so would never end. */
const maxResponseEpochs = 16;

// HOT: once per reply.
/**
 * Sends a payload. Errors of the payload fail the request and are not thrown, because a caller in a timer could not
 * catch them. A second call has no effect, and is logged (specification 6.10).
 *
 * @throws {SendInsideOnError} in an `onError` hook, while it runs.
 */
export function send(x: Exchange, payload: unknown): void {
  if (x.replyState === 'reporting') rejectWhileReporting(x);
  else if (x.isEnded || (x.replyState !== 'open' && x.replyState !== 'preparing')) warnAlreadySent(x);
  else if (x.replyState === 'preparing' && x.responseEpoch > maxResponseEpochs)
    fail(x, new ReplyAlreadySent(x.url, x.method));
  else {
    try {
      const sendsItems = x.plan.items !== undefined && isItems(x, payload);
      const isSpecial = typeof payload === 'object' && payload !== null && !isLiteral(payload);
      if (isSpecial && !sendsItems && isError(payload)) {
        fail(x, payload);
        return;
      }
      // Other code that works for this request sees another epoch, and stops.
      x.responseEpoch++;
      x.replyState = 'replying';
      if (sendsItems) loadItems().sendItems(x, payload as AsyncIterable<unknown>);
      else if (isSpecial) sendSpecial(x, payload);
      else if (typeof payload === 'string') sendText(x, payload);
      else if (payload === undefined) deliver(x, payload);
      else sendValue(x, payload);
    } catch (error) {
      // The payload cannot be inspected, because a getter, a proxy or a conversion threw.
      fail(x, error || new UndefinedError());
    }
  }
}

/**
 * The first reply counts; a second one is dropped and logged, because it is a mistake.
 *
 * @param isResult Whether a handler has returned it.
 */
export function warnAlreadySent(x: Exchange, isResult = false): void {
  if (x.plan.server.isDevelopment) loadMistakes().warnDropped(x, isResult);
  log(x, 'warn', { err: translateError(x, new ReplyAlreadySent(x.url, x.method)) });
}

/** If the hook has already returned (it sends from a timer, or after an `await`), the error is logged and not thrown. */
function rejectWhileReporting(x: Exchange): void {
  const error = translateError(x, new SendInsideOnError());
  if (isReportingNow(x)) throw error;
  log(x, 'warn', { err: error });
}

/** Whether a payload is sent item by item: it is not a stream of bytes, and the application has set no serializer for it. */
function isItems(x: Exchange, payload: unknown): boolean {
  return (
    isAsyncIterable(payload) &&
    !isNodeStream(payload) &&
    !isWebStream(payload) &&
    x.serialize === undefined &&
    x.plan.replySerializer === undefined
  );
}

/** Almost every payload is an object literal or an array, and needs no further checks unless it looks like a stream. */
function isLiteral(payload: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(payload);
  return (prototype === Object.prototype || prototype === Array.prototype) && !isNodeStream(payload);
}

/** Sends an object that is not a literal: a stream, a `Response`, bytes, or a value that is serialized. */
function sendSpecial(x: Exchange, payload: object): void {
  if (isNodeStream(payload) || isWebStream(payload) || isWebResponse(payload)) deliver(x, payload);
  else if (Buffer.isBuffer(payload)) sendBytes(x, payload);
  else if (ArrayBuffer.isView(payload))
    sendBytes(x, Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength));
  else if (payload instanceof ArrayBuffer) sendBytes(x, Buffer.from(payload));
  else if (payload instanceof Blob) {
    if (!hasContentType(x)) x.replyHeaders['content-type'] = payload.type || bytesType;
    x.replyHeaders['content-length'] ??= String(payload.size);
    deliver(x, payload.stream());
  } else sendValue(x, payload);
}

function sendText(x: Exchange, text: string): void {
  if (x.serialize !== undefined && hasContentType(x)) startReply(x, text, x.plan.steps.serializeAt);
  else {
    completeType(x, textType);
    deliver(x, text);
  }
}

function sendBytes(x: Exchange, bytes: Buffer): void {
  if (!hasContentType(x)) x.replyHeaders['content-type'] = bytesType;
  deliver(x, bytes);
}

/**
 * Sends a value that is serialized: as JSON, unless the reply has another serializer or Content-Type. With another Content-Type, `null` is no
 * content.
 */
function sendValue(x: Exchange, value: unknown): void {
  if (x.serialize !== undefined || completeType(x, jsonType)) startReply(x, value, 0);
  else deliver(x, value);
}

function hasContentType(x: Exchange): boolean {
  return parseMediaType(contentTypeOf(x)).essence !== undefined;
}

/** Sets the Content-Type if there is none, and completes that of JSON. Returns whether it was one of these. */
function completeType(x: Exchange, defaultType: string): boolean {
  const { essence, parameters, text } = parseMediaType(contentTypeOf(x));
  if (essence === undefined) x.replyHeaders['content-type'] = defaultType;
  // As in Fastify, a type that contains `json` is JSON.
  else if (!essence.includes('json')) return false;
  // JSON is UTF-8 (RFC 8259, 8.1). Old clients guess the charset if it is missing.
  else if (!parameters.has('charset')) x.replyHeaders['content-type'] = `${text}; charset=utf-8`;
  return true;
}

/** Sends a payload that is not serialized. */
function deliver(x: Exchange, payload: unknown): void {
  if (x.plan.onUndeclared !== undefined) checkPayload(x, payload);
  startReply(x, payload, x.plan.steps.deliverAt);
}

/**
 * Checks a payload that is sent as it is: text, bytes, a stream, which is closed if it is refused, or a `Response`. A reply without content
 * tells nothing.
 */
function checkPayload(x: Exchange, payload: unknown): void {
  if (payload === undefined || payload === null || payload === '') return;
  try {
    // Without a Content-Type, this is not JSON, as a value that is serialized would be.
    const contentType = contentTypeOf(x) ?? bytesType;
    if (!isWebResponse(payload)) checkDeclared(x, x.status, contentType);
    else if (payload.body !== null) {
      checkDeclared(x, payload.status, payload.headers.get('content-type') ?? contentType);
    }
  } catch (error) {
    closeSource(isWebResponse(payload) ? payload.body : payload);
    throw error;
  }
}

/** Closes a stream whose content is not sent. */
function closeSource(content: unknown): void {
  if (content === undefined || content === null) return;
  if (isNodeStream(content)) closeStream(content.on('error', () => {}));
  else if (isWebStream(content)) cancelStream(content);
}

type AnySerializer = (value: never, status: number) => string | Buffer;

/** Returns the serializer of this reply: its own, its context's, or that of the response schema for the status and the media type. */
export function pickSerializer(x: Exchange): AnySerializer {
  const { plan } = x;
  const own = x.serialize ?? plan.replySerializer;
  const declared = own ?? plan.serializers?.pick(x.status, contentTypeOf(x));
  if (plan.onUndeclared !== undefined && (own !== undefined || declared === undefined))
    checkDeclared(x, x.status, contentTypeOf(x));
  return declared ?? writeJson;
}

/** Throws if the application refuses responses that its schemas do not declare. */
function checkDeclared(x: Exchange, status: number, contentType: string | undefined): void {
  const { onUndeclared, serializers, items, info } = x.plan;
  // Such a response has no content (RFC 9110, 15).
  if (onUndeclared === undefined || status < 200 || isWithoutContent(status)) return;
  if (serializers?.pick(status, contentType) ?? items?.pick(status, contentType)) return;
  const response = `status ${status} (${contentType ?? 'no Content-Type'})`;
  onUndeclared(x, `${[info.method].flat()} ${info.url}`, response);
}

/** The step that converts the value of a reply to text or bytes. */
export function serialize(x: Exchange): boolean {
  try {
    // Only a serializer of the application may be able to serialize an async iterable.
    if (isAsyncIterable(x.payload) && x.serialize === undefined && x.plan.replySerializer === undefined)
      throw new AsyncIterableSent();
    x.payload = pickSerializer(x)(x.payload as never, x.status);
    return true;
  } catch (error) {
    // This failure does not have the status of the reply that could not be serialized.
    if (x.status >= 400) x.status = 500;
    const isObject = typeof error === 'object' && error !== null;
    // Plugins recognize by this field that the serializer failed.
    fail(x, isObject ? withFields(error, { serialization: x.plan.info.config }) : error);
    return false;
  }
}

// HOT: once per reply.
/**
 * The step that writes a reply. It decides which fields tell whether there is content, and how long it is: with
 * HEAD the length for GET, with 304 that of the 200 response, with 204 none but a declared 0, with 205 and without a payload 0. The wires leave the content of such responses out, because code may also write on `reply.raw`.
 */
export function write(x: Exchange): false {
  const { payload, replyHeaders } = x;
  if (typeof replyHeaders['content-type'] !== 'string') normalizeContentType(x);
  const response = typeof payload === 'object' && isWebResponse(payload) ? payload : undefined;
  const content = response === undefined ? payload : unwrapResponse(x, response);
  // It was set on `reply.raw`. With a WebSocket, a worker has a `Response` of this status.
  if (x.status < 200 && response === undefined) throw invalidStatus(x, x.status);
  if (isWithoutContent(x.status)) {
    writeWithoutContent(x, content);
    return false;
  }
  if (x.trailers !== undefined) announceTrailers(x);
  const coding = replyHeaders['transfer-encoding'] ?? x.createdResponse?.getHeader('transfer-encoding');
  const isChunked = x.trailers !== undefined || (coding !== undefined && mayBeChunked(x, coding));
  // A chunked response must not have a length, because two readers could then disagree about its end (RFC 9112, 6.2).
  if (isChunked) removeReplyHeader(x, 'content-length');
  else if (coding !== undefined) removeReplyHeader(x, 'transfer-encoding');
  if (typeof content === 'string' || Buffer.isBuffer(content)) {
    const lengthBytes = typeof content === 'string' ? Buffer.byteLength(content) : content.length;
    const declared = replyHeaders['content-length'];
    // In a reply to HEAD, the length is that of the content that GET would send.
    if (!isChunked && (!declared || (x.method !== 'HEAD' && String(declared) !== String(lengthBytes))))
      replyHeaders['content-length'] = String(lengthBytes);
    writeContent(x, content, lengthBytes);
  } else if (content === undefined || content === null) {
    if (!isChunked && x.method !== 'HEAD') replyHeaders['content-length'] = '0';
    writeContent(x, content);
  } else if (isNodeStream(content)) {
    sendStream(x, content);
  } else if (isWebStream(content)) {
    sendWebStream(x, content);
  } else {
    throw isAsyncIterable(content) ? new AsyncIterableSent() : new PayloadTypeInvalid(typeof content);
  }
  return false;
}

/**
 * Whether a response with this `transfer-encoding` may be chunked. Clients of HTTP/1.0 cannot read chunks (RFC 9112, 6.1). With another coding
 * at the end of the list, the content would end when the connection closes (RFC 9112, 6.3).
 */
function mayBeChunked({ httpVersion }: Exchange, coding: HeaderValue): boolean {
  return httpVersion !== '1.0' && /(^|[\s,])chunked\s*$/i.test(String(coding));
}

/**
 * Converts a Content-Type that is not a string to one, because a response has one type (RFC 9110, 8.3). It was set on the reply or on
 * `raw`.
 */
function normalizeContentType(x: Exchange): void {
  const { replyHeaders } = x;
  const contentType = replyField(x, 'content-type');
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
    const isZero = String(replyField(x, 'content-length')) === '0';
    removeReplyHeader(x, 'content-length');
    if (isZero || status === 205) x.replyHeaders['content-length'] = '0';
  }
  writeContent(x, undefined);
  closeSource(content);
}

/** Writes the head and a content that is complete. Logs a line if something has replied on `raw`. */
function writeContent(x: Exchange, content: string | Buffer | undefined | null, lengthBytes?: number): void {
  const { status, replyHeaders, trailers } = x;
  try {
    if (trailers === undefined) x.respond(status, replyHeaders, content ?? undefined, lengthBytes);
    else x.writeHead(status, replyHeaders);
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_HTTP_HEADERS_SENT') {
      const text = `Reply was already sent, did you forget to "return reply" in the "${x.url}" (${x.method}) route?`;
      log(x, 'warn', text);
    }
    throw error;
  }
  if (trailers === undefined) return;
  if (content !== undefined && content !== null) x.write(content);
  endWithTrailers(x, content);
}
