/** Sets the status and the headers of an error reply, from the error. */

import { isFieldName, isFieldValue } from '../shared/http-facts.ts';
import { readField, textOf } from '../shared/thrown-values.ts';
import type { Exchange, ReplyHeaders } from '../types/exchange.ts';
import type { HeaderValue } from '../types/reply.ts';
import { removeReplyHeader, setReplyHeader, setStatus } from './reply-head.ts';

/** Returns the status of the error if it is from 400 to 599; otherwise that of the reply if it is in this range; otherwise 500. */
export function errorStatus(replyStatus: number, error: unknown): number {
  for (const candidate of [readField(error, 'statusCode'), readField(error, 'status'), replyStatus]) {
    const status = typeof candidate === 'string' ? Number(candidate) : candidate;
    if (typeof status === 'number' && status >= 400 && status <= 599) return Math.trunc(status);
  }
  return 500;
}

/** Sets the status of a failed request before an error handler runs, for tools that trace the handler. */
export function setErrorStatus(x: Exchange, error: unknown): void {
  if (x.hasStatus && x.status !== 200) return;
  setStatus(x, errorStatus(500, error));
}

/** Sets the headers in `error.headers`. Headers that cannot be read or converted to text are left out. */
export function setErrorHeaders(x: Exchange, error: unknown): void {
  const headers = readField(error, 'headers');
  if (typeof headers !== 'object' || headers === null) return;
  for (const name of namesOf(headers)) {
    const value = readHeader(headers, name);
    if (value !== undefined) setReplyHeader(x, name.toLowerCase(), value);
  }
}

function namesOf(headers: object): string[] {
  try {
    return Object.keys(headers);
  } catch {
    return [];
  }
}

function readHeader(headers: object, name: string): HeaderValue {
  try {
    const value = (headers as Record<string, unknown>)[name];
    return Array.isArray(value) ? value.map((text) => `${text}`) : `${value ?? ''}`;
  } catch {
    return undefined;
  }
}

/** Fields that describe the content of a reply, or say how long it may be kept. The reply to an error has other content. */
const contentFields: ReadonlySet<string> = new Set([
  'accept-ranges',
  'age',
  'cache-control',
  'cdn-cache-control',
  'content-digest',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-length',
  'content-location',
  'content-md5',
  'content-range',
  'content-type',
  'digest',
  'etag',
  'expires',
  'last-modified',
  'repr-digest',
  'surrogate-control',
  'transfer-encoding',
]);

/** Removes the fields that were set for the payload that failed. Those that say something about the request or the client stay. */
export function removeContentFields(x: Exchange): void {
  for (const name in { ...x.getHeaders(), ...x.replyHeaders })
    if (contentFields.has(name) && !isForErrors(x, name)) {
      // Fastify keeps the type of a stream that has failed, which is then on `raw`, for the error handler.
      if (name === 'content-type') delete x.replyHeaders[name];
      else removeReplyHeader(x, name);
    }
}

/** `no-store` protects the reply to an error as well, and a range without a position is that of an error (RFC 9110, 14.4). */
function isForErrors(x: Exchange, name: string): boolean {
  const value = textOf(x.replyHeaders[name] ?? x.getHeader(name));
  return name === 'cache-control'
    ? /\bno-store\b/i.test(value)
    : name === 'content-range' && /^\s*\w+ \*\//.test(value);
}

/** Returns only the headers that describe the content, which the last reply sets. */
export function contentHeaders(headers: ReplyHeaders): ReplyHeaders {
  return { 'content-type': 'application/json; charset=utf-8', 'content-length': headers['content-length'] };
}

/** Returns the headers that can be written. */
export function sendableHeaders(headers: ReplyHeaders): ReplyHeaders {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => isFieldName(name) && isSendable(value)),
  );
}

function isSendable(value: unknown): boolean {
  try {
    return [value].flat().every((text) => text !== undefined && isFieldValue(`${text}`));
  } catch {
    return false;
  }
}
