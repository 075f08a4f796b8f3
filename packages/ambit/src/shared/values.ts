/** What kind of value is this? Many are detected by their members, because there are several implementations of promises, streams and responses. */

import type { Readable } from 'node:stream';
import { types } from 'node:util';
import { connectionFields } from './http-facts.ts';
import { bun, isNode } from './js-runtime.ts';

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns true for object literals, and false for instances of classes, such as other libraries' schemas, which must not be copied. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Copies plain data, and freezes the copy at every level. Functions and class instances are not copied. */
export function frozenCopy<T>(value: T): T {
  if (Array.isArray(value)) return Object.freeze(value.map(frozenCopy)) as T;
  if (!isPlainObject(value)) return value;
  return Object.freeze(
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, frozenCopy(inner)])),
  ) as T;
}

/** Reads nothing but `then`. */
export function isThenable<T = unknown>(value: unknown): value is PromiseLike<T> {
  return (
    value !== null && typeof value === 'object' && typeof (value as { then?: unknown }).then === 'function'
  );
}

/** Whether a function is declared `async`: its promise says when it has ended, so it never needs a callback `done`. */
export function isAsyncFunction(value: unknown): boolean {
  return typeof value === 'function' && value.constructor.name === 'AsyncFunction';
}

/** Whether a function is an `async function*`. */
export function isAsyncGeneratorFunction(value: unknown): boolean {
  return types.isGeneratorFunction(value) && types.isAsyncFunction(value);
}

/** Whether a function is a generator, also an async one. When it returns, its body has not run yet. */
export const isGeneratorFunction: (value: unknown) => boolean = types.isGeneratorFunction;

export function isNodeStream(payload: unknown): payload is Readable {
  return typeof (payload as { pipe?: unknown }).pipe === 'function';
}

export function isWebStream(payload: unknown): payload is ReadableStream<Uint8Array> {
  return typeof (payload as { getReader?: unknown }).getReader === 'function';
}

/** Whether a value is an async iterable without `toJSON`. */
export function isAsyncIterable(payload: unknown): boolean {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    typeof (payload as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function' &&
    typeof (payload as { toJSON?: unknown }).toJSON !== 'function'
  );
}

/** Checks the tag and not the class, because other implementations of fetch have their own `Response`. */
export function isWebResponse(payload: unknown): payload is Response {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    Object.prototype.toString.call(payload) === '[object Response]'
  );
}

/** Checks the members and not the class, because runtimes and other implementations of fetch have their own `Request`. */
export function isWebRequest(value: unknown): value is Request {
  if (typeof value !== 'object' || value === null) return false;
  const { url, headers } = value as Partial<Request>;
  // Uses `in`, because some servers create the signal when it is first read.
  return typeof url === 'string' && typeof headers?.get === 'function' && 'signal' in value;
}

/** Closes the source of a stream. Returns false if it cannot. Older streams have `close` or `abort`. */
export function closeStream(
  stream: Readable & { close?: (done: () => void) => void; abort?: () => void },
): boolean {
  try {
    if (typeof stream.destroy === 'function') stream.destroy();
    else if (typeof stream.close === 'function') stream.close(() => {});
    else if (typeof stream.abort === 'function') stream.abort();
    else return false;
    return true;
  } catch {
    return false;
  }
}

/** Cancels a web stream, or its reader. Errors of this are ignored, because its content is no longer needed. */
export function cancelStream(
  source: Pick<ReadableStreamDefaultReader, 'cancel'> | Pick<ReadableStream, 'cancel'>,
  reason?: unknown,
): void {
  try {
    Promise.resolve(source.cancel(reason)).catch(() => {});
  } catch {
    // Some implementations throw instead of returning a promise that rejects.
  }
}

/** Fields that describe the encoded content. */
const codingFields = new Set(['content-encoding', 'content-length']);

/** Returns the fields of a `Response` that are also correct for a reply that is created from it. */
export function responseFields(response: Response): [name: string, value: string][] {
  if (typeof response.headers?.[Symbol.iterator] !== 'function') return [];
  // Only a response that was fetched has a URL.
  const isFetched = response.url !== '' && response.url !== undefined;
  const isDecoded = isFetched && decodes(response.headers.get('content-encoding'));
  return [...response.headers].filter(
    ([name]) => !connectionFields.has(name) && !(isDecoded && codingFields.has(name)),
  );
}

/** The codings that `fetch` decodes: of Deno and workers two, and of Node's undici 7.11 and later also `zstd`. */
const decodedCodings = new Set(['gzip', 'br']);
if (bun !== undefined || isNode) for (const coding of ['x-gzip', 'deflate']) decodedCodings.add(coding);
const [major = 0, minor = 0] = (isNode ? (process.versions.undici ?? '') : '').split('.').map(Number);
if (bun !== undefined || major > 7 || (major === 7 && minor >= 11)) decodedCodings.add('zstd');

/** Whether `fetch` of this runtime decodes a content with these codings. If it does not know one of several, it decodes none. */
function decodes(contentEncoding: string | null): boolean {
  if (contentEncoding === null) return false;
  let codings = contentEncoding.split(',').map((coding) => coding.trim().toLowerCase());
  if (bun !== undefined) codings = codings.filter((coding) => coding !== '' && coding !== 'identity');
  return (isNode || codings.length === 1) && codings.every((coding) => decodedCodings.has(coding));
}
