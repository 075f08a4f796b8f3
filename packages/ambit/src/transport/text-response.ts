/** Makes a web `Response` of a text, as its runtime makes it fastest. */
import type { ReplyHeaders } from '../contract/exchange.ts';
import { bun, deno } from '../shared/js-runtime.ts';
import { canMakeFastResponses, makeFastResponse } from './deno-response.ts';
import { connectionFields, fieldError, refuseForWorkers } from './response-headers.ts';

/** What a response with no other field than its type is made with. */
interface TypeHead {
  /** For `makeFastResponse`, where that can be called. */
  readonly type: string | undefined;
  readonly init: ResponseInit;
}

/** By status and type: a runtime copies an object that it has parsed. */
const keptHeads = new Map<number, Map<string, TypeHead>>();
const keptTypes = 64;

// HOT: once per reply.
/**
 * @param status One that allows content.
 * @param fields With a type: otherwise the text adds one of its own.
 * @param leavesLength Whether the runtime counts the content itself, and writes `Content-Length`.
 * @returns `undefined` if a plain object cannot have the fields.
 * @throws for a status or a field that cannot be sent.
 */
export function makeTextResponse(
  text: string,
  status: number,
  fields: ReplyHeaders,
  leavesLength: boolean,
): Response | undefined {
  refuseForWorkers(fields);
  try {
    if (hasOnlyType(fields, leavesLength))
      return makeResponseOfType(text, status, fields['content-type'] as string);
    const headers = plainFields(fields, leavesLength);
    return headers === undefined ? undefined : new Response(text, { status, headers });
  } catch (error) {
    throw fieldError(error, fields);
  }
}

// HOT: once per reply.
/** Makes a response that has no other field than its type and, where the runtime writes it, its length (benchmark `get`). */
export function makeResponseOfType(text: string, status: number, type: string): Response {
  const head = keptHeads.get(status)?.get(type) ?? makeHead(status, type);
  return head.type === undefined ? new Response(text, head.init) : makeFastResponse(text, status, head.type);
}

function makeHead(status: number, type: string): TypeHead {
  const init = { status, headers: new Headers({ 'content-type': type }) };
  const response = new Response(null, init);
  const head = {
    type: canMakeFastResponses ? init.headers.get('content-type')! : undefined,
    // Bun and Deno copy the head of a response faster than `Headers`.
    init: bun === undefined && deno === undefined ? init : response,
  };
  const heads = keptHeads.get(status) ?? new Map<string, TypeHead>();
  if (heads.size < keptTypes) keptHeads.set(status, heads.set(type, head));
  return head;
}

function hasOnlyType(fields: ReplyHeaders, leavesLength: boolean): boolean {
  for (const name in fields) {
    if (name !== 'content-type' && (name !== 'content-length' || !leavesLength)) return false;
  }
  return true;
}

function plainFields(fields: ReplyHeaders, leavesLength: boolean): Record<string, string> | undefined {
  const headers: Record<string, string> = {};
  for (const name in fields) {
    if (name === 'content-length' && leavesLength) continue;
    const value = fields[name];
    // Several fields have this name, or it would set the prototype.
    if (typeof value === 'object' || name === '__proto__') return undefined;
    if (value !== undefined && !connectionFields.has(name.toLowerCase())) headers[name] = String(value);
  }
  return headers;
}
