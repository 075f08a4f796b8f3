/** Creates the body of the framework's own error reply: the fields of the error that clients may see, in the format of the context. */

import type { CodedError } from '../shared/coded-error.ts';
import { statusText } from '../shared/http-facts.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { problemMediaType, reservedMembers } from '../shared/problem-members.ts';
import { messageOf, readField } from '../shared/thrown-values.ts';
import type { SerializerFunction } from '../types/compilers.ts';
import { ErrorSerializationFailed, PayloadTypeInvalid } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import { codeOf, isForClients, reportHidden } from './exposed-errors.ts';
import { contentTypeOf, setStatus } from './reply-head.ts';
import { requestIdText } from './request-ids.ts';

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
export function errorFields(
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
