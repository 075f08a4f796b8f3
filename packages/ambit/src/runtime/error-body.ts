/** The head and the body of the framework's own error reply: what of an error clients may see, in the format of the context. */

import type { CodedError } from '../shared/define-error.ts';
import { problemMediaType, reservedMembers } from '../shared/early-error.ts';
import { isFieldName, isFieldValue, statusText } from '../shared/http-facts.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { messageOf, readField, textOf } from '../shared/thrown-values.ts';
import type { SerializerFunction } from '../types/compilers.ts';
import { ErrorSerializationFailed, PayloadTypeInvalid } from '../types/errors.ts';
import type { Exchange, ReplyHeaders } from '../types/exchange.ts';
import type { HeaderValue } from '../types/reply.ts';
import { contentTypeOf, removeReplyHeader, requestIdText, setReplyHeader, setStatus } from './exchange.ts';
import { codeOf, isForClients, reportHidden } from './exposed-errors.ts';
import { log } from './log.ts';

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

const loadProblems = lazyModule<typeof import('./problem-details.ts')>(() => require('./problem-details.ts'));

/** Serializes an error, with the response schema of its status if the route has one. Sets the headers of the content. */
export function serializeError(x: Exchange, error: unknown): string | Buffer {
  const { status } = x;
  x.replyHeaders['content-type'] ??= isProblem(x) ? problemMediaType : 'application/json; charset=utf-8';
  let payload: string | Buffer;
  try {
    const serialize = x.plan.serializers?.pick(status, contentTypeOf(x));
    payload =
      writeWithSchema(x, error, serialize) ??
      JSON.stringify(errorFields(x, status, error, isExposed(x, error)));
  } catch (thrown) {
    x.plan.logWriter.serializerError(thrown as Error, x.request, x.reply, { statusCode: status });
    setStatus(x, 500);
    const failure = ErrorSerializationFailed.at({ cause: error }, messageOf(thrown), messageOf(error));
    payload = secondErrorText(x, failure);
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
    payload = secondErrorText(x, new PayloadTypeInvalid(typeof payload));
  }
  x.replyHeaders['content-length'] = String(Buffer.byteLength(payload));
  return payload;
}

/**
 * Writes an error with the response schema of its status. Returns `undefined` if there is none, and if the schema cannot take the error or
 * is open: the client then gets the fields of the error, which are not those of the schema, but the right status. In Fastify, an error that
 * its schema cannot take is answered with 500.
 */
function writeWithSchema(
  x: Exchange,
  error: unknown,
  serialize: SerializerFunction | undefined,
): string | Buffer | undefined {
  if (serialize === undefined) return undefined;
  const fields = selectableFields(x, error);
  if (sendsThrownValues(x)) return serialize(fields as never);
  try {
    const text = serialize(fields as never);
    return text === '{}' ? undefined : text;
  } catch (thrown) {
    x.plan.logWriter.serializerError(thrown as Error, x.request, x.reply, { statusCode: x.status });
    return undefined;
  }
}

/** Whether the default error reply contains the message of an error. */
export function isExposed(x: Exchange, error: unknown): boolean {
  return sendsThrownValues(x) || isForClients(x, x.status, error);
}

/** Whether a value that was thrown, and is no error, is sent as it is. */
export function sendsThrownValues({ plan }: Exchange): boolean {
  return plan.server.sendsErrorsAsFastify && plan.errorFormat === 'json';
}

function isProblem({ plan }: Exchange): boolean {
  return plan.errorFormat === 'problem';
}

/**
 * Returns the fields of an error that clients may see, in the format of the context; never the stack, the cause or custom fields.
 *
 * @param mayTell Whether clients may read the message. Without it, they get the text of the status, and the id by which the log has it.
 */
function errorFields(
  x: Exchange,
  status: number,
  error: unknown,
  mayTell: boolean = isForClients(x, status, error),
): object {
  if (!mayTell) reportHidden(x, error);
  return isProblem(x)
    ? loadProblems().problemDetails(x, status, error)
    : defaultFields(x, status, error, mayTell);
}

function defaultFields(x: Exchange, status: number, error: unknown, mayTell: boolean): object {
  const fields = { statusCode: status, code: codeOf(error, mayTell), error: statusText(status) };
  if (!mayTell) {
    return { ...fields, message: statusText(status), requestId: requestIdText(x.id) || undefined };
  }
  const message = typeof error === 'string' ? error : readField(error, 'message');
  return { ...fields, message: typeof message === 'string' ? message : undefined };
}

/** Serializes an error that occurred while the reply to another error was created. */
function secondErrorText(x: Exchange, error: CodedError): string {
  if (!sendsThrownValues(x)) return JSON.stringify(errorFields(x, x.status, error));
  const { statusCode, code, message } = error;
  return JSON.stringify({ statusCode, code, message });
}

/**
 * Returns an object that has the fields of the reply and inherits from the error, if clients may read it, so that a response schema can
 * select fields. A problem has those of the default format, too. Reserved members that it does not have hide the fields of the error, which
 * may be secret.
 */
function selectableFields(x: Exchange, error: unknown): object {
  const { status } = x;
  const mayTell = isExposed(x, error);
  const fields: object = Object.create(mayTell ? Object(error) : null);
  const validation = mayTell ? toJsonOf(readField(error, 'validation')) : undefined;
  if (validation !== undefined) defineFields(fields, { validation }, false);
  if (isProblem(x)) {
    defineFields(fields, defaultFields(x, status, error, mayTell), false);
    for (const name of reservedMembers) defineFields(fields, { [name]: undefined }, false);
  }
  // The fields of the default format are not enumerable, because a schema that leaves some of them out has not dropped any data.
  defineFields(fields, errorFields(x, status, error, mayTell), isProblem(x));
  return fields;
}

/** An object of the error may have fields of these names that cannot be assigned. */
function defineFields(target: object, fields: object, isEnumerable: boolean): void {
  for (const [name, value] of Object.entries(fields)) {
    const enumerable = isEnumerable && value !== undefined;
    Object.defineProperty(target, name, { value, enumerable, configurable: true });
  }
}

/** Calls `toJSON` of a list, because a serializer would only read the items. Returns `undefined` for any other value. */
function toJsonOf(list: unknown): unknown {
  const { toJSON } = (Array.isArray(list) ? list : []) as { toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(list) : undefined;
}

/** Writes an error as JSON. If a value of the application throws when it is read or written, the client only gets the status. */
export function streamErrorJson(x: Exchange, error: unknown): string {
  try {
    return JSON.stringify(errorFields(x, errorStatus(500, error), error));
  } catch (thrown) {
    log(x, 'warn', { err: thrown }, 'an error of a stream could not be written');
    return JSON.stringify(errorFields(x, 500, undefined));
  }
}
