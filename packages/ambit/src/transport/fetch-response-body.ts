/** Creates the bodies of web responses, so that each runtime sends their length, or none. */
import { isWithoutContent } from '../shared/http-facts.ts';

export type ResponseBody = ConstructorParameters<typeof Response>[0];
export type ResponseHeaders = NonNullable<ConstructorParameters<typeof Headers>[0]>;

/** The body of a response that is sent as a whole. */
export function wholeBody(
  method: string,
  status: number,
  headers: ResponseHeaders,
  payload: string | Uint8Array | undefined,
): ResponseBody | null {
  if (!hasNoContent(method, status)) return bytesOf(payload);
  const hasUnknownLength = !isWithoutContent(status) && !new Headers(headers).has('content-length');
  return hasUnknownLength ? bodyOfUnknownLength() : null;
}

/** For a HEAD whose GET is streamed: without any body, runtimes would send the length 0. */
function bodyOfUnknownLength(): ReadableStream<Uint8Array> {
  // Closed late, because Bun looks into a stream that is closed already.
  return new ReadableStream({ pull: (controller) => controller.close() }, { highWaterMark: 0 });
}

type LengthStream = new (bytes: number) => TransformStream<Uint8Array, Uint8Array>;

/** Workers send the length of such a stream only (https://developers.cloudflare.com/workers/runtime-apis/streams/transformstream). */
const { FixedLengthStream } = globalThis as { FixedLengthStream?: LengthStream };

/** The body of a streamed response, which has a length if the reply declares one. */
export function withLength(
  body: ReadableStream<Uint8Array>,
  headers: ResponseHeaders,
): ReadableStream<Uint8Array> {
  if (FixedLengthStream === undefined) return body;
  const length = new Headers(headers).get('content-length');
  return length === null ? body : body.pipeThrough(new FixedLengthStream(Number(length)));
}

/** Whether the response has no content. A `Response` must then have no body, unless only the method is the reason (Fetch, 2.2.3). */
export function hasNoContent(method: string, status: number): boolean {
  return method === 'HEAD' || isWithoutContent(status);
}

/** As bytes, because a `Response` adds a content type to a string. */
function bytesOf(payload: string | Uint8Array | undefined): ResponseBody | null {
  if (payload === undefined || payload.length === 0) return null;
  return (typeof payload === 'string' ? Buffer.from(payload) : payload) as ResponseBody;
}
