/** Creates the body of the framework's own error reply: the fields of the error that clients may see, in the format of the context. */

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

/** Serializes an error, with the response schema of its status if the route has one. Sets the headers of the content. */
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

/** Returns the fields of an error that clients may see; never the stack, the cause or custom fields. */
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

/** Serializes an error that occurred while the reply to another error was created. */
function secondErrorText(x: Exchange, error: CodedError): string {
  const { statusCode, code, message } = error;
  return JSON.stringify(
    isProblem(x) ? loadProblems().problemDetails(x, x.status, error) : { statusCode, code, message },
  );
}

/**
 * Returns an object that inherits from the error and has the fields of the default payload, so that a response schema can select fields.
 */
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

/** Sets the members of the problem. Reserved members that the problem does not have hide the fields of the error, which may be secret. */
function withMembers(fields: object, problem: ProblemDetails): object {
  for (const name of reservedMembers)
    Object.defineProperty(fields, name, { value: undefined, configurable: true });
  for (const [name, value] of Object.entries(problem))
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true });
  return fields;
}

/** Calls `toJSON` of a list, because a serializer would only read the items. Returns `undefined` for any other value. */
function toJsonOf(list: unknown): unknown {
  const { toJSON } = (Array.isArray(list) ? list : []) as { toJSON?: unknown };
  return typeof toJSON === 'function' ? toJSON.call(list) : undefined;
}
