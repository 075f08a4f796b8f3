/** Owns what the framework's own reply to an error says: the fields of the error that may leave the server, in the format of the context. */

import { ErrorSerializationFailed, PayloadTypeInvalid } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import type { ProblemDetails } from '../contract/problem.ts';
import type { CodedError } from '../shared/coded-error.ts';
import { statusText } from '../shared/http-facts.ts';
import { lazyModule, require } from '../shared/lazy-module.ts';
import { problemMediaType, reservedMembers } from '../shared/problem-members.ts';
import { messageOf, readField } from '../shared/thrown-values.ts';
import { contentTypeOf, setStatus } from './reply-head.ts';

const loadProblems = lazyModule<typeof import('./problem-details.ts')>(() => require('./problem-details.ts'));

/** The payload for an error, by the response schema of the status if the route has one. Sets the headers of the content. */
export function serializeError(x: Exchange, error: unknown): string | Buffer {
  const { status } = x;
  x.replyHeaders['content-type'] ??= isProblem(x) ? problemMediaType : 'application/json; charset=utf-8';
  let payload: string | Buffer;
  try {
    const serialize = x.plan.serializers?.pick(status, contentTypeOf(x));
    payload =
      serialize === undefined
        ? JSON.stringify(fieldsOf(x, status, error))
        : serialize(withDefaultFields(x, status, error) as never);
  } catch (thrown) {
    x.plan.logWriter.serializerError(thrown as Error, x.request, x.reply, { statusCode: status });
    setStatus(x, 500);
    payload = secondErrorText(x, new ErrorSerializationFailed(messageOf(thrown), messageOf(error)));
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) {
    payload = secondErrorText(x, new PayloadTypeInvalid(typeof payload));
  }
  x.replyHeaders['content-length'] = String(Buffer.byteLength(payload));
  return payload;
}

function isProblem({ plan }: Exchange): boolean {
  return plan.errorFormat === 'problem';
}

/** The fields of an error that may leave the server; never the stack, the cause or its own extras. */
function fieldsOf(x: Exchange, status: number, error: unknown): object {
  if (isProblem(x)) return loadProblems().problemDetails(x, status, error);
  const code = readField(error, 'code');
  const message = readField(error, 'message');
  return {
    statusCode: status,
    code: typeof code === 'string' || typeof code === 'number' ? String(code) : undefined,
    error: statusText(status),
    message: typeof message === 'string' ? message : undefined,
  };
}

/** An error that arose while the reply to another one was made. */
function secondErrorText(x: Exchange, error: CodedError): string {
  const { statusCode, code, message } = error;
  return JSON.stringify(
    isProblem(x) ? loadProblems().problemDetails(x, x.status, error) : { statusCode, code, message },
  );
}

/** The error with the fields of the default payload laid over it, for a response schema to choose from. */
function withDefaultFields(x: Exchange, status: number, error: unknown): object {
  const validation = toJsonOf(readField(error, 'validation'));
  const fields = Object.create(Object(error), {
    error: { value: statusText(status) },
    message: { value: readField(error, 'message') },
    statusCode: { value: status },
    ...(validation !== undefined && { validation: { value: validation } }),
  });
  return isProblem(x) ? withMembers(fields, loadProblems().problemDetails(x, status, error)) : fields;
}

/** Members of the problem cover fields of the error, also those that the problem has not: they may not be for clients. */
function withMembers(fields: object, problem: ProblemDetails): object {
  for (const name of reservedMembers)
    Object.defineProperty(fields, name, { value: undefined, configurable: true });
  for (const [name, value] of Object.entries(problem))
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true });
  return fields;
}

/** What a list with a `toJSON` of its own becomes in JSON: a serializer reads only the items. */
function toJsonOf(list: unknown): unknown {
  const { toJSON } = (Array.isArray(list) ? list : []) as { toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(list) : undefined;
}
