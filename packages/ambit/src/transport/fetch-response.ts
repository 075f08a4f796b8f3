/** How is a web `Response` made from the head and the payload of a reply, so that each runtime sends the fields and the length of node? */

import { checkField, connectionFields, isWithoutContent } from '../shared/http-facts.ts';
import { bun, deno } from '../shared/js-runtime.ts';
import type { ReplyHeaders } from '../types/exchange.ts';

/** Heads that have only a type, by status and type, because a runtime copies an object faster that it has parsed already. */
const cachedHeads = new Map<number, Map<string, ResponseInit>>();
const maxCachedTypes = 64;

// HOT: once per reply.
/**
 * Creates a `Response` of a string in the way that is fastest on the runtime.
 *
 * @param status A status that allows content.
 * @param fields They must have a content type, because a string would otherwise add one.
 * @param omitsLength Whether the runtime counts the content itself, and writes `Content-Length`.
 * @returns `undefined` if a plain object cannot have the fields.
 * @throws for a status or a field that cannot be sent.
 */
export function makeTextResponse(
  text: string,
  status: number,
  fields: ReplyHeaders,
  omitsLength: boolean,
): Response | undefined {
  if (hasOnlyType(fields, omitsLength)) {
    const type = fields['content-type'] as string;
    return new Response(text, cachedHeads.get(status)?.get(type) ?? cacheHead(status, type));
  }
  checkDefinedFields(fields);
  const headers = plainFields(fields, omitsLength);
  return headers === undefined ? undefined : new Response(text, { status, headers });
}

function hasOnlyType(fields: ReplyHeaders, omitsLength: boolean): boolean {
  for (const name in fields) {
    if (name !== 'content-type' && (name !== 'content-length' || !omitsLength)) return false;
  }
  return true;
}

function cacheHead(status: number, type: string): ResponseInit {
  checkDefinedFields({ 'content-type': type });
  const init = { status, headers: new Headers({ 'content-type': type }) };
  // Bun and Deno copy the head of a response faster than `Headers`.
  const head = bun === undefined && deno === undefined ? init : new Response(null, init);
  const heads = cachedHeads.get(status) ?? new Map<string, ResponseInit>();
  if (heads.size < maxCachedTypes) cachedHeads.set(status, heads.set(type, head));
  return head;
}

function plainFields(fields: ReplyHeaders, omitsLength: boolean): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const name in fields) {
    if (name === 'content-length' && omitsLength) continue;
    const value = fields[name];
    // A list means several fields with this name, and `__proto__` would set the prototype.
    if (typeof value === 'object' || name === '__proto__') return undefined;
    if (value !== undefined && !connectionFields.has(name.toLowerCase())) headers[name] = String(value);
  }
  return headers;
}

/**
 * @param isUpgrade Whether the response has a WebSocket, and so the status 101.
 * @throws {RangeError} If `Response` does not accept the status. A status 1xx is not a final response (RFC 9110, 15.2).
 * @throws {TypeError} If a field is invalid.
 */
export function makeResponseHeaders(status: number, fields: ReplyHeaders, isUpgrade = false): Headers {
  const isAccepted = isUpgrade ? status === 101 : status >= 200 && status <= 599;
  if (!isAccepted) throw new RangeError(`A response cannot have the status ${status} here`);
  checkDefinedFields(fields);
  const headers = new Headers();
  for (const name in fields) {
    if (connectionFields.has(name.toLowerCase())) continue;
    const value = fields[name];
    if (Array.isArray(value)) for (const text of value) headers.append(name, text);
    else if (value !== undefined) headers.append(name, String(value));
  }
  return headers;
}

/**
 * Checks fields before a `Headers` gets them: a control character in a value would end the process of Deno, Bun would send it, and workers
 * send any character as UTF-8. Messages of runtimes also differ, and some contain the value. Fields without a value, which code can set on
 * `reply.raw`, are not sent, so they are not checked.
 *
 * @throws {TypeError} for a field that node rejects.
 */
function checkDefinedFields(fields: ReplyHeaders): void {
  for (const name in fields) if (fields[name] !== undefined) checkField(name, fields[name]);
}

export type ResponseBody = ConstructorParameters<typeof Response>[0];

/** The body of a response that is sent as a whole. */
export function wholeBody(
  method: string,
  status: number,
  headers: Headers | undefined,
  payload: string | Uint8Array | undefined,
): ResponseBody | null {
  if (!hasNoContent(method, status)) {
    if (payload === undefined || payload.length === 0) return null;
    // As bytes, because a `Response` adds a content type to a string.
    return (typeof payload === 'string' ? Buffer.from(payload) : payload) as ResponseBody;
  }
  const hasUnknownLength = !isWithoutContent(status) && headers?.has('content-length') !== true;
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
  headers: Headers | undefined,
): ReadableStream<Uint8Array> {
  const length = headers?.get('content-length') ?? undefined;
  if (FixedLengthStream === undefined || length === undefined) return body;
  return body.pipeThrough(new FixedLengthStream(Number(length)));
}

/** Whether the response has no content. A `Response` must then have no body, unless only the method is the reason (Fetch, 2.2.3). */
export function hasNoContent(method: string, status: number): boolean {
  return method === 'HEAD' || isWithoutContent(status);
}
