/** Tells by shape what a payload is: streams and responses come in more than one implementation. */
import type { Readable } from 'node:stream';

export function isNodeStream(payload: unknown): payload is Readable {
  return typeof (payload as { pipe?: unknown }).pipe === 'function';
}

export function isWebStream(payload: unknown): payload is ReadableStream<Uint8Array> {
  return typeof (payload as { getReader?: unknown }).getReader === 'function';
}

/** Whether a value comes bit by bit, and does not say how it reads as JSON. */
export function isAsyncIterable(payload: unknown): boolean {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    typeof (payload as Partial<AsyncIterable<unknown>>)[Symbol.asyncIterator] === 'function' &&
    typeof (payload as { toJSON?: unknown }).toJSON !== 'function'
  );
}

/** By its tag rather than its class: other implementations of fetch have a `Response` of their own. */
export function isWebResponse(payload: unknown): payload is Response {
  return (
    typeof payload === 'object' &&
    payload !== null &&
    Object.prototype.toString.call(payload) === '[object Response]'
  );
}

/** By its members: runtimes and other implementations of fetch have a `Request` of their own. */
export function isWebRequest(value: unknown): value is Request {
  if (typeof value !== 'object' || value === null) return false;
  const { url, headers } = value as Partial<Request>;
  // Servers make the signal when it is first read.
  return typeof url === 'string' && typeof headers?.get === 'function' && 'signal' in value;
}

/** Lets go of a stream's source; false when it offers no way to, or throws. Older streams and file handles end in other ways. */
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
    // Not every implementation reports by promise.
  }
}

/** Fields about the connection that a response came over, not about the response (RFC 9110, 7.6.1). */
const connectionFields = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);
/** Fields about the content as it was on the wire; what `fetch` hands out has been decoded. */
const codingFields = new Set(['content-encoding', 'content-length']);

/** The fields of a `Response` that still hold for a reply made from it. */
export function responseFields(response: Response): [name: string, value: string][] {
  if (typeof response.headers?.[Symbol.iterator] !== 'function') return [];
  // Only a response that was fetched has the URL that it came from.
  const isFetched = response.url !== '' && response.url !== undefined;
  return [...response.headers].filter(
    ([name]) => !connectionFields.has(name) && !(isFetched && codingFields.has(name)),
  );
}
