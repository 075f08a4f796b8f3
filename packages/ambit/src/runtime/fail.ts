/**
 * Owns what happens to an exchange that failed: `onError` hooks, then error handlers from the innermost outwards, each
 * getting what the one before it threw or sent, then a plain answer of our own. Exactly one answer leaves.
 */
import { ErrorSerializationFailed, PayloadTypeInvalid, ReplyAlreadySent } from '../contract/errors.ts';
import { type Exchange, exchangeOf } from '../contract/exchange.ts';
import type { CodedError } from '../shared/define-error.ts';
import { statusText } from '../shared/http-facts.ts';
import { isError } from '../shared/is-error.ts';
import { messageOf, readField } from '../shared/text-of.ts';
import { deliver } from './deliver.ts';
import { contentHeaders, errorStatus, sendableHeaders, setHeadersOf } from './error-head.ts';
import { log } from './log.ts';
import { callErrorHook } from './phases.ts';
import { contentTypeOf, setStatus } from './reply-head.ts';
import { runPhase } from './run-phase.ts';
import { settleResult } from './settle.ts';
import { dropTrailers } from './trailers.ts';
import { worded } from './worded.ts';

/**
 * Fails the exchange, and never throws. Whatever was being sent under an earlier responseEpoch stops, unless its head is on the wire. What
 * failed may be anything: nothing of it is read but by `readField` and its like.
 */
export function fail(x: Exchange, failure: unknown): void {
  const error = worded(x, failure);
  if (x.replyState === 'hijacked' || x.isEnded) {
    log(x, 'warn', { err: worded(x, ReplyAlreadySent.at({ cause: error }, x.url, x.method)) });
    return;
  }
  if (x.isHeadWritten) {
    // Half a response cannot be mended, only cut off: the client must not take it for whole.
    log(x, 'error', { err: error }, 'a request failed while its reply was being sent');
    cutOff(x, error);
    return;
  }
  x.responseEpoch++;
  x.replyState = 'replying';
  // An error of the plain answer itself is news; what passes from handler to handler was reported before.
  const isNews = x.errorDepth === -1 || x.errorDepth === x.plan.errorHandlers.length;
  if (isNews && x.plan.onError.length > 0) {
    x.replyState = 'reporting';
    runPhase(x.plan.onError, callErrorHook, x, error, (x) => {
      x.replyState = 'replying';
      answerError(x, error);
    });
  } else {
    answerError(x, error);
  }
}

function answerError(x: Exchange, error: unknown): void {
  const { errorHandlers } = x.plan;
  const depth = ++x.errorDepth;
  if (depth > errorHandlers.length) {
    answerWithoutHooks(x, error);
    return;
  }
  // What was set for the payload that failed says nothing about the error's.
  delete x.replyHeaders['content-type'];
  delete x.replyHeaders['content-length'];
  delete x.replyHeaders['transfer-encoding'];
  if (depth === errorHandlers.length) {
    x.status = errorStatus(x.status, undefined);
    deliver(x, serializeError(x, error), fail);
    return;
  }
  x.replyState = 'open';
  const { responseEpoch } = x;
  try {
    settleResult(x, errorHandlers[depth]!(error as never, x.request, x.reply), responseEpoch, fail);
  } catch (thrown) {
    fail(x, thrown);
  }
}

/** The default error handler: status and headers from the error, a log line, then the next handler's turn: ours. */
export function defaultErrorHandler(error: never, request: unknown, reply: Exchange['reply']): void {
  const x = exchangeOf(reply);
  setHeadersOf(x, error);
  x.status = errorStatus(x.status, error);
  x.plan.logLines.defaultErrorLog(error, request as Exchange['request'], reply);
  if (isError(error)) {
    x.errorDepth = x.plan.errorHandlers.length - 1;
    fail(x, error);
  } else {
    // What was thrown without being an error is the payload: a string is sent as text, an object is serialized.
    reply.send(error);
  }
}

/** Gives a failed exchange its status early, for those who watch before an error handler runs. */
export function setErrorStatus(x: Exchange, error: unknown): void {
  if (x.hasStatus && x.status !== 200) return;
  setStatus(x, errorStatus(500, error));
}

function serializeError(x: Exchange, error: unknown): string | Buffer {
  const { status } = x;
  x.replyHeaders['content-type'] ??= 'application/json; charset=utf-8';
  let payload: string | Buffer;
  try {
    const serialize = x.plan.serializers?.pick(status, contentTypeOf(x));
    payload =
      serialize === undefined ? errorText(status, error) : serialize(errorView(status, error) as never);
  } catch (thrown) {
    x.plan.logLines.serializerError(thrown as Error, x.request, x.reply, { statusCode: status });
    setStatus(x, 500);
    payload = faultText(new ErrorSerializationFailed(messageOf(thrown), messageOf(error)));
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
    payload = faultText(new PayloadTypeInvalid(typeof payload));
  }
  x.replyHeaders['content-length'] = String(Buffer.byteLength(payload));
  return payload;
}

/** The fields of an error that may leave the server; never the stack, the cause or its own extras. */
function errorText(status: number, error: unknown): string {
  const code = readField(error, 'code');
  const message = readField(error, 'message');
  return JSON.stringify({
    statusCode: status,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : undefined,
    error: statusText(status),
    message: typeof message === 'string' ? message : undefined,
  });
}

/** A fault of our own making while answering another. */
function faultText({ statusCode, code, message }: CodedError): string {
  return JSON.stringify({ statusCode, code, message });
}

/** The error with the fields of the default payload laid over it, for a response schema to choose from. */
function errorView(status: number, error: unknown): object {
  const validation = asSent(readField(error, 'validation'));
  return Object.create(Object(error), {
    error: { value: statusText(status) },
    message: { value: readField(error, 'message') },
    statusCode: { value: status },
    ...(validation !== undefined && { validation: { value: validation } }),
  });
}

/** A list that says itself what becomes of it in JSON: a serializer reads only the items. */
function asSent(list: unknown): unknown {
  const { toJSON } = (Array.isArray(list) ? list : []) as { toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(list) : undefined;
}

/** The last resort: even the plain answer's delivery failed, so no hook and no serializer is asked any more. */
function answerWithoutHooks(x: Exchange, error: unknown): void {
  dropTrailers(x);
  x.status = errorStatus(x.status, undefined);
  const payload = serializeError(x, error);
  if (x.isHeadWritten || x.isDestroyed) {
    cutOff(x, error);
    return;
  }
  try {
    writeSafeHead(x);
    x.end(payload);
  } catch (thrown) {
    cutOff(x, thrown);
  }
}

/** Node reads an error that it destroys a socket with: one that throws then is not handed on. */
export function cutOff(x: Exchange, error: unknown): void {
  try {
    x.destroy(isError(error) ? error : undefined);
  } catch {
    x.destroy();
  }
}

/** Writes the head; when a header of the reply is what the wire refuses, without that one, or with nothing but what the payload needs. */
function writeSafeHead(x: Exchange): void {
  try {
    x.writeHead(x.status, x.replyHeaders);
  } catch (thrown) {
    x.plan.logLines.writeHeadError(thrown as Error, x.request, x.reply);
    throwIfTooLate(x, thrown);
    try {
      x.writeHead(x.status, sendableHeaders(x.replyHeaders));
    } catch (thrown) {
      throwIfTooLate(x, thrown);
      // Over HTTP/2, node takes any value on `raw`, and looks at it here.
      for (const name of Object.keys(x.getHeaders())) x.removeHeader(name);
      x.writeHead(x.status, contentHeaders(x.replyHeaders));
    }
  }
}

function throwIfTooLate(x: Exchange, thrown: unknown): void {
  const isTooLate = readField(thrown, 'code') === 'ERR_HTTP_HEADERS_SENT';
  if (isTooLate || x.isHeadWritten || x.isDestroyed) throw thrown;
}
