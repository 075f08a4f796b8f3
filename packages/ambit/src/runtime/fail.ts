/**
 * Owns what happens to an exchange that failed: `onError` hooks, then error handlers from the innermost outwards, each
 * getting what the one before it threw or sent, then a plain answer of our own. Exactly one answer leaves.
 */
import { ErrorSerializationFailed, PayloadTypeInvalid, ReplyAlreadySent } from '../contract/errors.ts';
import type { Exchange, ReplyHeaders } from '../contract/exchange.ts';
import type { CodedError } from '../kit/define-error.ts';
import { isFieldName, isFieldValue, statusText } from '../kit/http-facts.ts';
import { isError } from '../kit/is-error.ts';
import { deliver } from './deliver.ts';
import { callErrorHook } from './phases.ts';
import { runPhase } from './run-phase.ts';
import { settleResult } from './settle.ts';

type Loose = { code?: unknown; message?: unknown; statusCode?: unknown; status?: unknown; headers?: unknown };

/** Fails the exchange. Whatever was being sent under an earlier claim stops, unless its head is on the wire. */
export function fail(x: Exchange, error: unknown): void {
  if (x.stage === 'hijacked' || x.isEnded) {
    x.log.warn({ err: ReplyAlreadySent.at({ cause: error }, x.url, x.method) });
    return;
  }
  if (x.isHeadWritten) {
    // Half a response cannot be mended, only cut off: the client must not take it for whole.
    x.log.error({ err: error }, 'a request failed while its reply was being sent');
    x.destroy(error instanceof Error ? error : undefined);
    return;
  }
  x.claim++;
  x.stage = 'replying';
  // An error of the plain answer itself is news; what passes from handler to handler was reported before.
  const isNews = x.errorDepth === -1 || x.errorDepth === x.plan.errorHandlers.length;
  if (isNews && x.plan.onError.length > 0) {
    x.stage = 'reporting';
    runPhase(x.plan.onError, callErrorHook, x, error, (x) => {
      x.stage = 'replying';
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
  if (depth === errorHandlers.length) {
    deliver(x, serializeError(x, error), fail);
    return;
  }
  x.stage = 'open';
  const { claim } = x;
  try {
    settleResult(x, errorHandlers[depth]!(error as never, x.request, x.reply), claim, fail);
  } catch (thrown) {
    fail(x, thrown);
  }
}

/** The default error handler: status and headers from the error, a log line, then the next handler's turn: ours. */
export function defaultErrorHandler(error: never, request: unknown, reply: Exchange['reply']): void {
  const x = (reply as unknown as { exchange: Exchange }).exchange;
  const { headers } = Object(error) as Loose;
  if (typeof headers === 'object' && headers !== null) reply.headers(headers as never);
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

/** The error's own status when it is one of an error, else the reply's when it is one, else 500. */
function errorStatus(replyStatus: number, error: unknown): number {
  const { statusCode, status } = Object(error) as Loose;
  for (const candidate of [statusCode, status, replyStatus]) {
    if (isErrorStatus(candidate)) return Number(candidate);
  }
  return 500;
}

function isErrorStatus(status: unknown): boolean {
  return Number(status) >= 400 && Number(status) <= 599;
}

/** Gives a failed exchange its status early, for those who watch before an error handler runs. */
export function setErrorStatus(x: Exchange, error: unknown): void {
  if (x.hasStatus && x.status !== 200) return;
  x.reply.code(errorStatus(500, error));
}

function serializeError(x: Exchange, error: unknown): string | Buffer {
  const { status } = x;
  x.replyHeaders['content-type'] ??= 'application/json; charset=utf-8';
  let payload: string | Buffer;
  try {
    const serialize = x.plan.serializers?.pick(status, x.replyHeaders['content-type'] as string);
    payload =
      serialize === undefined ? errorText(status, error) : serialize(errorView(status, error) as never);
  } catch (thrown) {
    const reason = thrown as Error;
    x.plan.logLines.serializerError(reason, x.request, x.reply, { statusCode: status });
    x.reply.code(500);
    const original = String((Object(error) as Loose).message ?? error);
    payload = faultText(new ErrorSerializationFailed(reason.message, original));
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
    payload = faultText(new PayloadTypeInvalid(typeof payload));
  }
  x.replyHeaders['content-length'] = String(Buffer.byteLength(payload));
  return payload;
}

/** The fields of an error that may leave the server; never the stack, the cause or its own extras. */
function errorText(status: number, error: unknown): string {
  const { code, message } = Object(error) as Loose;
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
  const { message } = Object(error) as Loose;
  return Object.create(Object(error), {
    error: { value: statusText(status) },
    message: { value: message },
    statusCode: { value: status },
  });
}

/** The last resort: even the plain answer's delivery failed, so no hook and no serializer is asked any more. */
function answerWithoutHooks(x: Exchange, error: unknown): void {
  const payload = serializeError(x, error);
  if (x.isHeadWritten || x.isDestroyed) {
    x.destroy(error instanceof Error ? error : undefined);
    return;
  }
  try {
    writeSafeHead(x);
  } catch (thrown) {
    x.destroy(thrown as Error);
    return;
  }
  x.end(payload);
}

/** Writes the head; when a header of the reply is what the wire refuses, without that one. */
function writeSafeHead(x: Exchange): void {
  try {
    x.writeHead(x.status, x.replyHeaders);
  } catch (thrown) {
    x.plan.logLines.writeHeadError(thrown as Error, x.request, x.reply);
    const isTooLate = (thrown as { code?: string }).code === 'ERR_HTTP_HEADERS_SENT';
    if (isTooLate || x.isHeadWritten || x.isDestroyed) throw thrown;
    x.writeHead(x.status, sendableHeaders(x.replyHeaders));
  }
}

function sendableHeaders(headers: ReplyHeaders): ReplyHeaders {
  const sendable = Object.entries(headers).filter(
    ([name, value]) => isFieldName(name) && [value].flat().every((text) => isFieldValue(String(text))),
  );
  return Object.fromEntries(sendable);
}
