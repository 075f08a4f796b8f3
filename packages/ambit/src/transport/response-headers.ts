/** Makes the head of a web `Response` from the status and the fields of a reply. */
import type { ReplyHeaders } from '../contract/exchange.ts';
import { bun, deno, isWorker } from '../shared/js-runtime.ts';
import { checkField } from './check-fields.ts';

/** Fields that describe a connection (RFC 9110, 7.6.1). The runtime owns the connection and writes them itself. */
const connectionFields: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'transfer-encoding',
  'upgrade',
]);

/**
 * @throws {RangeError} If `Response` does not accept the status; 1xx are not responses of their own (RFC 9110, 15.2).
 * @throws {TypeError} If a field is invalid.
 */
export function makeResponseHeaders(status: number, fields: ReplyHeaders): Headers {
  if (status < 200 || status > 599) throw new RangeError(`A response cannot have the status ${status} here`);
  refuseForWorkers(fields);
  const headers = new Headers();
  try {
    for (const name in fields) {
      if (connectionFields.has(name.toLowerCase())) continue;
      const value = fields[name];
      if (Array.isArray(value)) for (const text of value) headers.append(name, text);
      else if (value !== undefined) headers.append(name, String(value));
    }
  } catch (error) {
    throw fieldError(error, fields);
  }
  return headers;
}

/** Each runtime has a message of its own, some with the value. The error is that of node. */
export function fieldError(error: unknown, fields: ReplyHeaders): unknown {
  try {
    refuseFields(fields);
  } catch (invalid) {
    return invalid;
  }
  return error;
}

/** Workers send any character in a value, as UTF-8. */
export function refuseForWorkers(fields: ReplyHeaders): void {
  if (isWorker) refuseFields(fields);
}

/** @throws {TypeError} for a field that node refuses. One without a value is not sent. */
function refuseFields(fields: ReplyHeaders): void {
  for (const name in fields) if (fields[name] !== undefined) checkField(name, fields[name]);
}

/** What a `Response` is made with. */
export interface ResponseHead {
  readonly status: number;
  readonly headers: Headers | Record<string, string>;
}

/** The heads of replies with no other field than their type, by status and type: a runtime copies an object that it has parsed. */
const keptHeads = new Map<number, Map<string, ResponseHead>>();
const keptTypes = 64;

// HOT: once per reply.
/**
 * The head of a reply with content, as runtimes make a response of it fastest (benchmark `get` on Bun and Deno).
 *
 * @param leavesLength Whether the runtime counts the content itself, and writes `Content-Length`.
 * @returns `undefined` if a plain object cannot have the fields.
 */
export function makePlainHead(
  status: number,
  fields: ReplyHeaders,
  leavesLength: boolean,
): ResponseHead | undefined {
  if (hasOnlyType(fields, leavesLength)) return headOfType(status, fields['content-type'] as string);
  const headers: Record<string, string> = {};
  for (const name in fields) {
    if (name === 'content-length' && leavesLength) continue;
    const value = fields[name];
    // Several fields have this name, or it would set the prototype.
    if (typeof value === 'object' || name === '__proto__') return undefined;
    if (value !== undefined && !connectionFields.has(name.toLowerCase())) headers[name] = String(value);
  }
  return { status, headers };
}

function hasOnlyType(fields: ReplyHeaders, leavesLength: boolean): boolean {
  for (const name in fields) {
    if (name !== 'content-type' && (name !== 'content-length' || !leavesLength)) return false;
  }
  return true;
}

function headOfType(status: number, type: string): ResponseHead {
  const heads = keptHeads.get(status) ?? new Map<string, ResponseHead>();
  const kept = heads.get(type);
  if (kept !== undefined) return kept;
  const init = { status, headers: new Headers({ 'content-type': type }) };
  // Bun and Deno copy the head of a response faster than `Headers` (benchmark `get`).
  const head = bun === undefined && deno === undefined ? init : new Response(null, init);
  if (heads.size < keptTypes) keptHeads.set(status, heads.set(type, head));
  return head;
}
