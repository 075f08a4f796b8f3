/** What the framework does to a running exchange: its status and headers, its errors and log lines, its diagnostics channels. */

import { type Channel, type TracingChannel, tracingChannel } from 'node:diagnostics_channel';
import { earlyError } from '../shared/early-error.ts';
import { attempt, readField, textOf } from '../shared/thrown-values.ts';
import { StatusCodeInvalid, UndefinedError } from '../types/errors.ts';
import { type Exchange, type ReplyHeaders, type RequestId, replyField } from '../types/exchange.ts';
import type { RequestTrace, StepTrace } from '../types/inspection.ts';
import type { HeaderValue, Reply } from '../types/reply.ts';
import type { Request } from '../types/request.ts';

export const jsonType = 'application/json; charset=utf-8';

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

function readStatus(status: unknown): number {
  try {
    return Math.trunc(Number(status));
  } catch {
    return Number.NaN;
  }
}

/** Returns the status of the error if it is from 400 to 599; otherwise that of the reply if it is in this range; otherwise 500. */
export function errorStatus(replyStatus: number, error: unknown): number {
  for (const candidate of [readField(error, 'statusCode'), readField(error, 'status'), replyStatus]) {
    const status = typeof candidate === 'string' ? Number(candidate) : candidate;
    if (typeof status === 'number' && status >= 400 && status <= 599) return Math.trunc(status);
  }
  return 500;
}

/** @param key In lower case. */
export function setReplyHeader({ replyHeaders }: Exchange, key: string, value: HeaderValue): void {
  if (key === 'set-cookie') addCookie(replyHeaders, value);
  else if (key === '__proto__')
    Object.defineProperty(replyHeaders, key, { value, enumerable: true, writable: true, configurable: true });
  else replyHeaders[key] = value;
}

/** Adds a cookie to those that are set, because each cookie is a field of its own (RFC 6265, 3). Arrays of the caller are copied. */
function addCookie(headers: Exchange['replyHeaders'], value: HeaderValue): void {
  const before = headers['set-cookie'];
  if (before === undefined) headers['set-cookie'] = Array.isArray(value) ? value.slice() : value;
  else headers['set-cookie'] = [before, value].flat() as string[];
}

/** @param key In lower case. */
export function removeReplyHeader(x: Exchange, key: string): void {
  delete x.replyHeaders[key];
  x.removeRawField(key);
}

/** Fields that describe the content of a reply, or say how long it may be kept. The reply to an error has other content. */
const contentFields: ReadonlySet<string> = new Set(
  [
    'content-disposition content-encoding content-language content-length content-location content-range content-type',
    'transfer-encoding accept-ranges content-digest content-md5 digest repr-digest etag last-modified',
    'age cache-control cdn-cache-control expires surrogate-control',
  ].flatMap((names) => names.split(' ')),
);

/** Removes the fields that were set for the payload that failed. Those that say something about the request or the client stay. */
export function removeContentFields(x: Exchange): void {
  for (const name in { ...x.rawFields, ...x.replyHeaders })
    if (contentFields.has(name) && !isForErrors(x, name)) {
      // Fastify keeps the type of a stream that has failed, which is then on `raw`, for the error handler.
      if (name === 'content-type' && x.plan.server.sendsErrorsAsFastify) delete x.replyHeaders[name];
      else removeReplyHeader(x, name);
    }
}

/** `no-store` protects the reply to an error as well, and a range without a position is that of an error (RFC 9110, 14.4). */
function isForErrors(x: Exchange, name: string): boolean {
  const value = textOf(replyField(x, name));
  return name === 'cache-control'
    ? /\bno-store\b/i.test(value)
    : name === 'content-range' && /^\s*\w+ \*\//.test(value);
}

/** Returns the value. For a falsy value it returns an error, because many error handlers would take the value for success. */
export function ensureError(thrown: unknown): unknown {
  return thrown || UndefinedError.at({ cause: thrown });
}

/** Gives an error of the catalogue the name and the message that it has in this application's flavor. Other errors stay as they are. */
export function translateError<T>(x: Exchange, error: T): T {
  return x.plan.server.translateError(error);
}

export function requestIdText(id: RequestId): string {
  return typeof id === 'number' ? `req-${id.toString(36)}` : id;
}

/** Replies without hooks and error handlers. */
export function respondEarly(
  x: Exchange,
  status: number,
  message: string,
  code: string | undefined,
  further?: ReplyHeaders,
): void {
  const error = { status, message, code, requestId: requestIdText(x.id) };
  const { fields, body } = earlyError(x.plan.errorFormat, error);
  x.respond(status, { ...fields, ...further }, body);
}

/** The diagnostics channels of requests. Without subscribers, they only cost the check for subscribers. */
export const requestChannel: TracingChannel<unknown, RequestTrace> = tracingChannel('ambit.request');
export const stepChannel: TracingChannel<unknown, StepTrace> = tracingChannel('ambit.request.step');
/** The channel of Fastify. */
export const handlerChannel: TracingChannel<unknown, HandlerTrace> =
  tracingChannel('fastify.request.handler');

export const handlerEvents: readonly Channel<unknown, HandlerTrace>[] = (
  ['start', 'end', 'asyncStart', 'asyncEnd', 'error'] as const
).map((name) => handlerChannel[name]);

/** What subscribers of the handler's channel receive. */
export interface HandlerTrace {
  readonly request: Request;
  readonly reply: Reply;
  readonly route: { readonly url: string | undefined; readonly method: string | string[] };
  async: boolean;
  error?: unknown;
}

/** Tells tools of a failure. An exchange that came before boot has compiled the routes has no plan. */
export function publishFailure(x: Exchange, error: unknown): void {
  x.monitor?.trace?.fail(error);
  for (const watcher of x.plan?.server.watchers ?? []) attempt(() => watcher.onError?.(x.request, error));
}

/** Writes a log line that the log controller has no method for. */
export function log(
  x: Exchange,
  level: 'error' | 'warn' | 'info' | 'debug',
  line: object | string,
  text?: string,
): void {
  x.plan.logWriter.write(x.log, level, line, text);
}
