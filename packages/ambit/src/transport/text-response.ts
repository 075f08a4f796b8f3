/** Creates a web `Response` of a string in the way that is fastest on the runtime. */

import { bun, deno } from '../shared/js-runtime.ts';
import type { ReplyHeaders } from '../types/exchange.ts';
import { checkDefinedFields, connectionFields, fieldError } from './response-headers.ts';

/** The head of a response that has only a content type. */
interface TypeHead {
  readonly status: number;
  readonly type: string;
  readonly init: ResponseInit;
}

/** Heads by status and type, because a runtime copies an object faster that it has parsed already. */
const cachedHeads = new Map<number, Map<string, TypeHead>>();
const maxCachedTypes = 64;

/** Most responses have the head of the one before. */
let latestHead: TypeHead | undefined;

// HOT: once per reply.
/**
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
  try {
    if (hasOnlyType(fields, omitsLength))
      return new Response(text, headOf(status, fields['content-type'] as string));
    checkDefinedFields(fields);
    const headers = plainFields(fields, omitsLength);
    return headers === undefined ? undefined : new Response(text, { status, headers });
  } catch (error) {
    throw fieldError(error, fields);
  }
}

function headOf(status: number, type: string): ResponseInit {
  if (latestHead?.status !== status || latestHead.type !== type)
    latestHead = cachedHeads.get(status)?.get(type) ?? makeHead(status, type);
  return latestHead.init;
}

function makeHead(status: number, type: string): TypeHead {
  checkDefinedFields({ 'content-type': type });
  const init = { status, headers: new Headers({ 'content-type': type }) };
  const response = new Response(null, init);
  const head = {
    status,
    type,
    // Bun and Deno copy the head of a response faster than `Headers`.
    init: bun === undefined && deno === undefined ? init : response,
  };
  const heads = cachedHeads.get(status) ?? new Map<string, TypeHead>();
  if (heads.size < maxCachedTypes) cachedHeads.set(status, heads.set(type, head));
  return head;
}

function hasOnlyType(fields: ReplyHeaders, omitsLength: boolean): boolean {
  for (const name in fields) {
    if (name !== 'content-type' && (name !== 'content-length' || !omitsLength)) return false;
  }
  return true;
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
