/**
 * Sets the status and the headers of a reply. The framework uses these functions and not the reply's methods, which decorators may replace.
 */

import { firstFieldText } from '../shared/media-type.ts';
import { textOf } from '../shared/thrown-values.ts';
import { StatusCodeInvalid } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { HeaderValue } from '../types/reply.ts';
import { translateError } from './prepare-error.ts';

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
