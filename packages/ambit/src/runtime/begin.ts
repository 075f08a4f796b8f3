/** The request's way through its plan: hooks, body, validation, handler. Each step calls the next; a failure ends it. */

import type { Exchange, Params, RequestId } from '../contract/exchange.ts';
import type { Logger } from '../contract/logger.ts';
import type { BodyStream } from '../contract/parsers.ts';
import type { Plan } from '../contract/plan.ts';
import { validateParts } from '../schemas/validate-request.ts';
import { isThenable } from '../shared/thenable.ts';
import { fail } from './fail.ts';
import { failureOf } from './failure-of.ts';
import { runHandlerPhases } from './handle.ts';
import { callPreParsingHook, callRequestHook } from './phases.ts';
import { readBody } from './read-body.ts';
import { requestIdText } from './request-ids.ts';
import { monitorRequest } from './request-monitor.ts';
import { runPhase } from './run-phase.ts';
import { worded } from './worded.ts';

// HOT: once per request.
/** Takes a routed exchange through its plan. */
export function begin(x: Exchange, plan: Plan, params: Params | undefined, query: unknown): void {
  const id = plan.makeRequestId(x);
  const log = plan.makeLogger === undefined ? plan.log : plan.makeLogger(x, requestIdText(id));
  if (plan.server.isClosing && rejectWhileClosing(x, plan, log)) return;
  createRequestAndReply(x, plan, id, params, query, log);
  if (plan.logsIncoming) plan.logLines.incomingRequest(x.request, x.reply);
  monitorRequest(x);
  runPhase(plan.onRequest, callRequestHook, x, undefined, afterOnRequest);
}

/** Gives an exchange its plan, request and reply, short of running it. */
export function createRequestAndReply(
  x: Exchange,
  plan: Plan,
  id: RequestId,
  params: Params | undefined,
  query: unknown,
  log: Logger,
): void {
  x.plan = plan;
  x.request = new plan.Request(x, id, params, query, log);
  x.reply = new plan.Reply(x, x.request, log);
}

const unavailable = '{"error":"Service Unavailable","message":"Service Unavailable","statusCode":503}';

/** While the server closes, connections are not kept, and new requests are refused unless configured otherwise. */
function rejectWhileClosing(x: Exchange, plan: Plan, log: Logger): boolean {
  x.closeAfterResponse();
  if (!plan.server.return503OnClosing) return false;
  x.writeHead(503, { 'content-type': 'application/json', 'content-length': String(unavailable.length) });
  x.end(unavailable);
  plan.logLines.serviceUnavailable(log, plan.context);
  return true;
}

function afterOnRequest(x: Exchange, error: unknown): void {
  if (error != null) {
    fail(x, error);
    return;
  }
  const { preParsing } = x.plan;
  // A stream is made for hooks that may read it; without them, the wire delivers the body whole.
  const stream = preParsing.length === 0 ? undefined : x.streamBody();
  x.bodyStream = stream;
  runPhase(preParsing, callPreParsingHook, x, stream, afterPreParsing);
}

function afterPreParsing(x: Exchange, error: unknown, payload: unknown): void {
  if (error != null) {
    fail(x, error);
    return;
  }
  x.bodyStream = payload as BodyStream | undefined;
  try {
    readBody(x, afterBody);
  } catch (thrown) {
    fail(x, failureOf(thrown));
  }
}

/** Called from events of the body and from promises, where nobody catches: what fails on the way on fails the request. */
function afterBody(x: Exchange, error: unknown): void {
  if (x.replyState !== 'open' || x.isEnded) return;
  if (error != null) {
    fail(x, failureOf(error));
    return;
  }
  try {
    runPhase(x.plan.preValidation, callRequestHook, x, undefined, afterPreValidation);
  } catch (thrown) {
    fail(x, failureOf(thrown));
  }
}

function afterPreValidation(x: Exchange, error: unknown): void {
  if (error != null) fail(x, error);
  else if (x.plan.validators === undefined) runHandlerPhases(x);
  else {
    const verdict = validateParts(x);
    if (isThenable<Error | undefined>(verdict)) awaitVerdict(x, verdict);
    else afterValidation(x, verdict);
  }
}

function awaitVerdict(x: Exchange, verdict: PromiseLike<Error | undefined>): void {
  const { responseEpoch } = x;
  verdict
    .then((verdict) => {
      if (x.responseEpoch === responseEpoch) afterValidation(x, verdict);
    })
    .then(undefined, (error) => fail(x, failureOf(error)));
}

function afterValidation(x: Exchange, verdict: Error | undefined): void {
  if (verdict === undefined) runHandlerPhases(x);
  else if (x.plan.attachValidation) {
    x.request.validationError = worded(x, verdict);
    runHandlerPhases(x);
  } else fail(x, verdict);
}
