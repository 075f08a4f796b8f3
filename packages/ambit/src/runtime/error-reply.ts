/**
 * The steps that reply to an error. First the error handlers, from the innermost to the outermost: each gets the error that the previous
 * one threw or sent. Then the default reply. If that fails, the last reply, which runs no code of the application.
 */

import { isError, messageOf, readField } from '../shared/thrown-values.ts';
import { type Exchange, exchangeOf } from '../types/exchange.ts';
import type { ErrorHandler } from '../types/hooks.ts';
import type { Step } from '../types/plan.ts';
import {
  contentHeaders,
  errorStatus,
  isExposed,
  removeContentFields,
  sendableHeaders,
  sendsThrownValues,
  serializeError,
  setErrorHeaders,
} from './error-body.ts';
import { sendResult } from './handler.ts';
import { log } from './log.ts';
import { cutOff, fail } from './run-steps.ts';
import { dropTrailers } from './trailers.ts';

/** The step of one error handler of the application, or of the default one. It ends the path, because the handler replies or fails. */
export function runErrorHandler(x: Exchange, { app }: Step): false {
  x.nextFailureStep = x.nextStep;
  removeContentFields(x);
  x.replyState = 'open';
  const { responseEpoch, status: statusBefore } = x;
  x.hasStatus = false;
  try {
    const handle = app!.declared as ErrorHandler;
    const result = handle.call(app!.self, x.error as never, x.request, x.reply);
    sendResult(x, result, responseEpoch, { statusBefore, passOn: failAgain });
  } catch (thrown) {
    fail(x, thrown);
  }
  return false;
}

/** Continues with the next error handler, as if the one that has ended without a reply had thrown the error again. */
function failAgain(x: Exchange): void {
  fail(x, x.error);
}

/** Removes those fields of an error's own headers that must be those of the payload. */
function removeFraming({ replyHeaders }: Exchange): void {
  delete replyHeaders['content-type'];
  delete replyHeaders['content-length'];
  delete replyHeaders['transfer-encoding'];
}

/** The step that replies with the fields of the error, when all error handlers have failed or passed the error on. */
export function replyWithDefaultError(x: Exchange): true {
  x.nextFailureStep = x.plan.steps.lastReplyAt;
  removeFraming(x);
  x.status = errorStatus(x.status, undefined);
  x.payload = serializeError(x, x.error);
  return true;
}

/** The default error handler: sets status and headers from the error, logs it, and continues with the default reply. */
export function defaultErrorHandler(error: never, request: unknown, reply: Exchange['reply']): void {
  const x = exchangeOf(reply);
  setErrorHeaders(x, error);
  x.status = errorStatus(x.status, error);
  const { logWriter } = x.plan;
  logWriter.defaultErrorLog(error, request as Exchange['request'], reply);
  if (logWriter.isLogDisabled(x.request)) logHidden(x, error);
  if (isError(error) || !sendsThrownValues(x)) {
    // An error handler of the application may have called this one: the error handlers between them are skipped.
    x.nextFailureStep = x.plan.steps.defaultReplyAt;
    fail(x, error);
  } else {
    // In Fastify, a thrown value that is not an error is the payload: a string is sent as text, an object is serialized.
    reply.send(error);
  }
}

/** Logs an error whose message its client does not get, and which no other line reports. */
function logHidden(x: Exchange, error: unknown): void {
  if (!isExposed(x, error)) log(x, 'error', { err: error }, messageOf(error));
}

/** The step that runs when the default reply has failed as well. It runs no hooks, and leaves out headers that cannot be written. */
export function replyWithLastError(x: Exchange): false {
  const { error } = x;
  x.nextFailureStep = x.nextStep - 1;
  if (x.isHeadWritten || x.isDestroyed) {
    cutOff(x, error);
    return false;
  }
  dropTrailers(x);
  removeContentFields(x);
  x.status = errorStatus(x.status, undefined);
  logHidden(x, error);
  try {
    respondSafely(x, serializeError(x, error));
  } catch (thrown) {
    cutOff(x, thrown);
  }
  return false;
}

/** Responds. If the wire rejects the head, leaves out invalid headers; if that is not enough, all headers except those of the content. */
function respondSafely(x: Exchange, payload: string | Buffer): void {
  try {
    x.respond(x.status, x.replyHeaders, payload);
  } catch (thrown) {
    x.plan.logWriter.writeHeadError(thrown as Error, x.request, x.reply);
    throwIfTooLate(x, thrown);
    try {
      x.respond(x.status, sendableHeaders(x.replyHeaders), payload);
    } catch (thrown) {
      throwIfTooLate(x, thrown);
      // Over HTTP/2, node accepts any value on `raw`, and checks it only here.
      for (const name of Object.keys(x.getHeaders())) x.removeHeader(name);
      x.respond(x.status, contentHeaders(x.replyHeaders), payload);
    }
  }
}

function throwIfTooLate(x: Exchange, thrown: unknown): void {
  const isTooLate = readField(thrown, 'code') === 'ERR_HTTP_HEADERS_SENT';
  if (isTooLate || x.isHeadWritten || x.isDestroyed) throw thrown;
}
