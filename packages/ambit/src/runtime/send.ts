/** Owns `reply.send`: what a payload is, its media type, and the way it is serialized. */
import {
  AsyncIterableSent,
  ReplyAlreadySent,
  SendInsideOnError,
  UndefinedError,
} from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import { writeJson } from '../schemas/serialization/write-json.ts';
import { isError } from '../shared/is-error.ts';
import { parseMediaType } from '../shared/media-type.ts';
import { isAsyncIterable, isNodeStream, isWebResponse, isWebStream } from '../shared/payload-shapes.ts';
import { withFields } from '../shared/with-fields.ts';
import { deliver } from './deliver.ts';
import { fail } from './fail.ts';
import { log } from './log.ts';
import { callPayloadHook, isReportingNow } from './phases.ts';
import { contentTypeOf } from './reply-head.ts';
import { runPayloadPhase } from './run-phase.ts';
import { warnAlreadySent } from './settle.ts';
import { worded } from './worded.ts';

const jsonType = 'application/json; charset=utf-8';
const textType = 'text/plain; charset=utf-8';
const bytesType = 'application/octet-stream';

/** A hook that sends whatever comes would answer its own payloads for ever. */
const maxResponseEpochs = 16;

// HOT: once per reply.
/**
 * Sends a payload. Whatever the payload is, nobody but an `onError` hook sees an exception: a call from a timer has no one to catch it.
 *
 * @throws {SendInsideOnError} in an `onError` hook, while it runs.
 */
export function send(x: Exchange, payload: unknown): void {
  if (x.replyState === 'reporting') refuseWhileReporting(x);
  else if (x.isEnded || (x.replyState !== 'open' && x.replyState !== 'preparing')) warnAlreadySent(x);
  else if (x.replyState === 'preparing' && x.responseEpoch > maxResponseEpochs)
    fail(x, new ReplyAlreadySent(x.url, x.method));
  else {
    try {
      sendPayload(x, payload);
    } catch (error) {
      // The payload cannot even be looked at: a getter, a proxy or a conversion threw.
      fail(x, error || new UndefinedError());
    }
  }
}

/** A hook that has returned sends from a timer, or after an `await`: there the error is reported, not thrown. */
function refuseWhileReporting(x: Exchange): void {
  const error = worded(x, new SendInsideOnError());
  if (isReportingNow(x)) throw error;
  log(x, 'warn', { err: error });
}

function sendPayload(x: Exchange, payload: unknown): void {
  if (typeof payload === 'object' && payload !== null && !isLiteral(payload)) sendObject(x, payload);
  else {
    beginResponse(x);
    if (typeof payload === 'string') sendText(x, payload);
    else if (payload === undefined || payload === null) sendNothing(x, payload);
    else sendValue(x, payload);
  }
}

/** Takes the floor: whatever else may be under way for this exchange sees it, and stops. */
function beginResponse(x: Exchange): void {
  x.responseEpoch++;
  x.replyState = 'replying';
}

/** Almost every payload is a literal: it needs no closer look, unless it is a stream by shape. */
function isLiteral(payload: object): boolean {
  return Object.getPrototypeOf(payload) === Object.prototype && !isNodeStream(payload);
}

/** Objects of a class: an error, a stream, a `Response`, bytes, or a value after all. */
function sendObject(x: Exchange, payload: object): void {
  if (isError(payload)) {
    fail(x, payload);
    return;
  }
  beginResponse(x);
  if (isNodeStream(payload) || isWebStream(payload) || isWebResponse(payload)) deliver(x, payload, fail);
  else if (ArrayBuffer.isView(payload)) sendBytes(x, payload);
  else if (payload instanceof ArrayBuffer) sendBytes(x, new Uint8Array(payload));
  else if (payload instanceof Blob) sendBlob(x, payload);
  else sendValue(x, payload);
}

/** `undefined` is no content; `null` is a JSON value where a serializer or a JSON type was asked for. */
function sendNothing(x: Exchange, payload: undefined | null): void {
  if (payload === null && (x.serialize !== undefined || isJsonReply(x) || !hasContentType(x)))
    sendValue(x, payload);
  else deliver(x, payload, fail);
}

function sendText(x: Exchange, text: string): void {
  if (!hasContentType(x)) x.replyHeaders['content-type'] = textType;
  else if (x.serialize !== undefined) {
    serializeWith(x, x.serialize, text);
    return;
  } else addCharset(x);
  deliver(x, text, fail);
}

function sendBytes(x: Exchange, view: ArrayBufferView): void {
  if (!hasContentType(x)) x.replyHeaders['content-type'] = bytesType;
  const bytes = Buffer.isBuffer(view) ? view : Buffer.from(view.buffer, view.byteOffset, view.byteLength);
  deliver(x, bytes, fail);
}

/** A blob knows its own type and length. */
function sendBlob(x: Exchange, blob: Blob): void {
  if (!hasContentType(x)) x.replyHeaders['content-type'] = blob.type || bytesType;
  x.replyHeaders['content-length'] ??= String(blob.size);
  deliver(x, blob.stream(), fail);
}

/** Everything else is a value to serialize, as JSON unless the reply says otherwise. */
function sendValue(x: Exchange, value: unknown): void {
  if (x.serialize === undefined) {
    if (!hasContentType(x)) x.replyHeaders['content-type'] = jsonType;
    else if (isJsonReply(x)) addCharset(x);
    else {
      deliver(x, value, fail);
      return;
    }
  }
  if (x.plan.preSerialization.length === 0) serializeAndDeliver(x, undefined, value);
  else runPayloadPhase(x.plan.preSerialization, callPayloadHook, x, value, serializeAndDeliver);
}

function serializeAndDeliver(x: Exchange, error: unknown, value: unknown): void {
  if (error != null) {
    fail(x, error);
    return;
  }
  serializeWith(x, pickSerializer(x), value);
}

type AnySerializer = (value: never, status: number) => string | Buffer;

/** What writes the values of this reply: its own serializer, its context's, or its schema's for the status and the media type. */
export function pickSerializer(x: Exchange): AnySerializer {
  const { plan } = x;
  const own = x.serialize ?? plan.replySerializer;
  return own ?? plan.serializers?.pick(x.status, contentTypeOf(x)) ?? writeJson;
}

function serializeWith(x: Exchange, serialize: AnySerializer, value: unknown): void {
  let payload: string | Buffer;
  try {
    // A serializer of the application's own may know what to do with one.
    if (isAsyncIterable(value) && x.serialize === undefined && x.plan.replySerializer === undefined)
      throw new AsyncIterableSent();
    payload = serialize(value as never, x.status);
  } catch (error) {
    // That of the reply that cannot be written is not that of the failure.
    if (x.status >= 400) x.status = 500;
    fail(x, markSerialization(x, error));
    return;
  }
  deliver(x, payload, fail);
}

/** Plugins tell by this mark what failed. */
function markSerialization(x: Exchange, error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  return withFields(error, { serialization: x.plan.info.config });
}

function hasContentType(x: Exchange): boolean {
  return parseMediaType(contentTypeOf(x)).essence !== undefined;
}

function isJsonReply(x: Exchange): boolean {
  return parseMediaType(contentTypeOf(x)).essence?.includes('json') ?? false;
}

/** JSON is UTF-8 (RFC 8259, 8.1); saying so keeps old clients from guessing. */
function addCharset(x: Exchange): void {
  const type = parseMediaType(contentTypeOf(x));
  if (type.essence?.includes('json') && !type.parameters.has('charset')) {
    x.replyHeaders['content-type'] = `${type.text}; charset=utf-8`;
  }
}
