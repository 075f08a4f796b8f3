/** What the framework does to a running exchange: its status and headers, the id of its request, its errors and its diagnostics channels. */

import { type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import { firstFieldText } from '../shared/media-type.ts';
import { textOf } from '../shared/thrown-values.ts';
import { StatusCodeInvalid, UndefinedError } from '../types/errors.ts';
import type { Exchange, RequestId } from '../types/exchange.ts';
import type { RequestTrace, StepTrace } from '../types/inspection.ts';
import type { HeaderValue } from '../types/reply.ts';

/** @throws {StatusCodeInvalid} for a value that is not a final status, from 200 to 599. */
export function setStatus(x: Exchange, status: unknown): void {
  const number = readStatus(status);
  if (!(number >= 200 && number <= 599)) throw invalidStatus(x, status);
  x.status = number;
  x.hasStatus = true;
}

/** After a status from 100 to 199, clients wait for the final response (RFC 9110, 15.2). */
export function invalidStatus(x: Exchange, status: unknown): Error {
  const isInformational = Math.trunc(Number(textOf(status)) / 100) === 1;
  const hint = isInformational ? ', which is not final. For 103, call reply.writeEarlyHints' : '';
  return translateError(x, new StatusCodeInvalid(textOf(status) + hint)) as Error;
}

/** Converts a value to an integer; NaN if it cannot be converted. */
function readStatus(status: unknown): number {
  try {
    return Math.trunc(Number(status));
  } catch {
    return Number.NaN;
  }
}

/** @param key In lower case. */
export function setReplyHeader({ replyHeaders }: Exchange, key: string, value: HeaderValue): void {
  if (key === 'set-cookie') addCookie(replyHeaders, value);
  else if (key === '__proto__') Object.defineProperty(replyHeaders, key, { value, enumerable: true });
  else replyHeaders[key] = value;
}

/** @param key In lower case. */
export function removeReplyHeader(x: Exchange, key: string): void {
  delete x.replyHeaders[key];
  x.removeHeader(key);
}

/** Returns the Content-Type as text. Only the first value of an array counts, because a response has one type (RFC 9110, 8.3). */
export function contentTypeOf(x: Exchange): string | undefined {
  return firstFieldText(x.replyHeaders['content-type'] ?? x.getHeader('content-type'));
}

/** Adds a cookie to those that are set, because each cookie is a field of its own (RFC 6265, 3). Arrays of the caller are copied. */
function addCookie(headers: Exchange['replyHeaders'], value: HeaderValue): void {
  const before = headers['set-cookie'];
  if (before === undefined) headers['set-cookie'] = Array.isArray(value) ? value.slice() : value;
  else headers['set-cookie'] = [before, value].flat() as string[];
}

/** Returns the value. For a falsy value it returns an error, because many error handlers would take the value for success. */
export function ensureError(thrown: unknown): unknown {
  return thrown || UndefinedError.at({ cause: thrown });
}

/** Gives an error of the catalogue the name and the message that it has in this application's flavor. Other errors stay as they are. */
export function translateError<T>(x: Exchange, error: T): T {
  return x.plan.server.translateError(error);
}

// V8 stores small integers without an allocation. At a thousand requests per second, they last for 25 days, and then start again.
const largestSmallInteger = 2_147_483_647;

/** Creates a counter that returns the next number for each request. */
export function makeRequestNumbers(): () => number {
  let last = 0;
  return () => {
    last = (last + 1) & largestSmallInteger;
    return last;
  };
}

/** Returns the text of an id. */
export function requestIdText(id: RequestId): string {
  return typeof id === 'number' ? `req-${id.toString(36)}` : id;
}

/** The diagnostics channels of requests. Without subscribers, they only cost the check for subscribers. */
export const requestChannel: TracingChannel<unknown, RequestTrace> = tracingChannel('ambit.request');
export const stepChannel: TracingChannel<unknown, StepTrace> = tracingChannel('ambit.request.step');

// HOT: once per request. Bench: packages/opentelemetry/bench/cost.mjs.
/**
 * Whether any published event has subscribers. Not every runtime has `hasSubscribers` of a whole tracing channel. In workers with a
 * compatibility date before 2026-05-19, `hasSubscribers` is a method, and nothing is published.
 */
export function isTraced(): boolean {
  const { start, asyncEnd } = requestChannel;
  return (
    start.hasSubscribers === true ||
    asyncEnd.hasSubscribers === true ||
    stepChannel.start.hasSubscribers === true ||
    stepChannel.asyncEnd.hasSubscribers === true ||
    requestChannel.end.hasSubscribers === true ||
    requestChannel.asyncStart.hasSubscribers === true ||
    requestChannel.error.hasSubscribers === true
  );
}

/** Publishes an error with which a request has failed. */
export function publishFailure(x: Exchange, error: unknown): void {
  x.monitor?.trace?.fail(error);
}
