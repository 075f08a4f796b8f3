/**
 * The framework's own replies: to a request that matches no route, and to an error, with what the client may read of it. That is the default
 * error handler, then the default reply, and if that fails the last reply, which runs no code of the application.
 */
import { createRequire } from 'node:module';
import { inspect } from 'node:util';
import { type CodedError, isCatalogueError } from '../shared/define-error.ts';
import { problemMediaType, reservedMembers } from '../shared/early-error.ts';
import { isFieldName, isFieldValue, statusText } from '../shared/http-facts.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { attempt, isError, messageOf, readField, textOf } from '../shared/thrown-values.ts';
import { ErrorSerializationFailed, PayloadTypeInvalid } from '../types/errors.ts';
import { contentTypeOf, type Exchange, exchangeOf, type ReplyHeaders } from '../types/exchange.ts';
import type { Handler } from '../types/hooks.ts';
import type { PlanSteps } from '../types/plan.ts';
import { warnErrorHidden } from '../types/warnings.ts';
import {
  errorStatus,
  jsonType,
  log,
  removeContentFields,
  requestIdText,
  setReplyHeader,
  setStatus,
} from './exchange.ts';
import { cutOff, fail, startPath } from './run-steps.ts';
import { dropTrailers } from './streams.ts';

const require = createRequire(import.meta.url);

const loadProblems = lazyModule<typeof import('./problem-details.ts')>(() => require('./problem-details.ts'));
export const loadDevelopment: () => typeof import('./development.ts') = lazyModule(() =>
  require('./development.ts'),
);

/** The default not-found handler: 404, with the method and the URL of the request. */
export const defaultNotFoundHandler: Handler = function basic404(request, reply) {
  const x = exchangeOf(reply);
  x.plan.logWriter.routeNotFound(request, reply);
  replyNotFound(x);
};

/** Replies that no route matches the request. */
export function replyNotFound(x: Exchange): void {
  const message = `Route ${x.method}:${x.url} not found`;
  setStatus(x, 404);
  removeContentFields(x);
  const page = developerPage(x, undefined);
  if (page === undefined && isProblem(x)) x.replyHeaders['content-type'] = problemMediaType;
  x.reply.send(page ?? notFoundFields(x, message));
}

function notFoundFields(x: Exchange, message: string): object {
  const didYouMean = x.plan.server.isDevelopment ? loadDevelopment().nearestRoutes(x) : undefined;
  const fields = isProblem(x)
    ? loadProblems().problemDetails(x, { message }, { status: 404, code: undefined, mayTell: true })
    : { message, error: 'Not Found', statusCode: 404 };
  return didYouMean === undefined ? fields : { ...fields, didYouMean };
}

/** `reply.callNotFound`: continues with the plan of the not-found handler, from its `preHandler` hooks. */
export function callNotFound(x: Exchange): void {
  const { notFound } = x.plan;
  if (notFound === undefined) {
    log(x, 'warn', 'Trying to send a NotFound error inside a 404 handler. Sending basic 404 response.');
    if (isProblem(x)) replyNotFound(x);
    else {
      setStatus(x, 404);
      x.reply.send('404 Not Found');
    }
    return;
  }
  removeContentFields(x);
  if (x.nextFailureStep > 0) x.nextFailureStep = sameFailureStep(x, notFound.steps);
  x.plan = notFound;
  x.responseEpoch++;
  startPath(x, notFound.steps.request);
}

/** Returns the index at which the path `failure` of the other plan continues, so that error handlers that have run do not run again. */
function sameFailureStep({ plan, nextFailureStep }: Exchange, other: PlanSteps): number {
  const { defaultReplyAt } = plan.steps;
  if (nextFailureStep > defaultReplyAt) return other.lastReplyAt;
  // The outer error handlers of both plans are the same, so the position is counted from the end.
  return Math.max(0, other.defaultReplyAt - (defaultReplyAt - nextFailureStep));
}

/** The default error handler: sets status and headers from the error, logs it, and continues with the default reply. */
export function defaultErrorHandler(error: never, request: unknown, reply: Exchange['reply']): void {
  const x = exchangeOf(reply);
  setErrorHeaders(x, error);
  x.status = errorStatus(x.status, error);
  const { logWriter } = x.plan;
  logWriter.defaultErrorLog(error, request as Exchange['request'], reply);
  if (logWriter.isLogDisabled(x.request)) logHidden(x, error);
  if (isError(error) || !sendsThrownValues(x)) {
    // An error handler of the application may have called this one: the error handlers between them are skipped.
    x.nextFailureStep = x.plan.steps.defaultReplyAt;
    fail(x, error);
  } else {
    // In Fastify, a thrown value that is not an error is the payload: a string is sent as text, an object is serialized.
    reply.send(error);
  }
}

/** Sets the headers in `error.headers`. Headers that cannot be read or converted to text are left out. */
function setErrorHeaders(x: Exchange, error: unknown): void {
  const headers = readField(error, 'headers');
  if (typeof headers !== 'object' || headers === null) return;
  for (const name of attempt(() => Object.keys(headers)) ?? []) {
    const value = attempt(() => {
      const value = (headers as Record<string, unknown>)[name];
      return Array.isArray(value) ? value.map((text) => `${text}`) : `${value ?? ''}`;
    });
    if (value !== undefined) setReplyHeader(x, name.toLowerCase(), value);
  }
}

/** The step that replies with the fields of the error, when all error handlers have failed or passed the error on. */
export function replyWithDefaultError(x: Exchange): true {
  const { replyHeaders } = x;
  x.nextFailureStep = x.plan.steps.lastReplyAt;
  // The error's own headers may have these fields, which must be those of the payload.
  delete replyHeaders['content-type'];
  delete replyHeaders['content-length'];
  delete replyHeaders['transfer-encoding'];
  x.status = errorStatus(x.status, undefined);
  x.payload = serializeError(x, x.error);
  return true;
}

/** The step that runs when the default reply has failed as well. It runs no hooks, and leaves out headers that cannot be written. */
export function replyWithLastError(x: Exchange): false {
  const { error } = x;
  x.nextFailureStep = x.nextStep - 1;
  if (x.isHeadWritten || x.isDestroyed) {
    cutOff(x, error);
    return false;
  }
  dropTrailers(x);
  removeContentFields(x);
  x.status = errorStatus(x.status, undefined);
  logHidden(x, error);
  try {
    respondSafely(x, serializeError(x, error));
  } catch (thrown) {
    cutOff(x, thrown);
  }
  return false;
}

/** Logs an error whose message its client does not get, and which no other line reports. */
function logHidden(x: Exchange, error: unknown): void {
  if (!isExposed(x, error)) log(x, 'error', { err: error }, messageOf(error));
}

/** If the wire rejects the head, leaves out invalid headers; if that is not enough, all headers except those of the content. */
function respondSafely(x: Exchange, payload: string | Buffer): void {
  const { status, replyHeaders } = x;
  try {
    x.respond(status, replyHeaders, payload);
  } catch (thrown) {
    x.plan.logWriter.writeHeadError(thrown as Error, x.request, x.reply);
    throwIfTooLate(x, thrown);
    try {
      x.respond(status, sendableHeaders(replyHeaders), payload);
    } catch (thrown) {
      throwIfTooLate(x, thrown);
      // Over HTTP/2, node accepts any value on `raw`, and checks it only here.
      for (const name of Object.keys(x.rawFields)) x.removeRawField(name);
      const content = { 'content-type': jsonType, 'content-length': replyHeaders['content-length'] };
      x.respond(status, content, payload);
    }
  }
}

function throwIfTooLate(x: Exchange, thrown: unknown): void {
  const isTooLate = readField(thrown, 'code') === 'ERR_HTTP_HEADERS_SENT';
  if (isTooLate || x.isHeadWritten || x.isDestroyed) throw thrown;
}

function sendableHeaders(headers: ReplyHeaders): ReplyHeaders {
  const isSendable = (value: unknown): boolean =>
    [value].flat().every((text) => text !== undefined && isFieldValue(`${text}`));
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => isFieldName(name) && attempt(() => isSendable(value))),
  );
}

/** Writes an error as JSON. If a value of the application throws when it is read or written, the client only gets the status. */
export function streamErrorJson(x: Exchange, error: unknown): string {
  try {
    const status = errorStatus(500, error);
    return JSON.stringify(errorFields(x, status, error, isForClients(x, status, error)));
  } catch (thrown) {
    log(x, 'warn', { err: thrown }, 'an error of a stream could not be written');
    return JSON.stringify(errorFields(x, 500, undefined, isForClients(x, 500, undefined)));
  }
}

/** The page of an error for the browser of a developer. It quotes values of the application, so any of it may throw. */
function developerPage(x: Exchange, error: unknown): string | undefined {
  const mayGetPage = x.plan.server.isDevelopment && x.requestHeader('sec-fetch-mode') === 'navigate';
  return mayGetPage ? attempt(() => loadDevelopment().errorPage(x, error)) : undefined;
}

/** Serializes an error, with the response schema of its status if the route has one. Sets the headers of the content. */
function serializeError(x: Exchange, error: unknown): string | Buffer {
  const { status } = x;
  const page = developerPage(x, error);
  if (page !== undefined) {
    x.replyHeaders['content-length'] = String(Buffer.byteLength(page));
    return page;
  }
  x.replyHeaders['content-type'] ??= isProblem(x) ? problemMediaType : jsonType;
  let payload: string | Buffer;
  try {
    payload = writeWithSchema(x, error) ?? JSON.stringify(errorFields(x, status, error, isExposed(x, error)));
  } catch (thrown) {
    logSerializerError(x, thrown);
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
 * Writes an error with the response schema of its status. Returns `undefined` without one, or if the schema cannot take the error or is
 * open: the client then gets the fields of the error, which are not those of the schema, but the right status. In Fastify, an error that its
 * schema cannot take is answered with 500.
 */
function writeWithSchema(x: Exchange, error: unknown): string | Buffer | undefined {
  const serialize = x.plan.serializers?.pick(x.status, contentTypeOf(x));
  if (serialize === undefined) return undefined;
  const fields = selectableFields(x, error);
  if (sendsThrownValues(x)) return serialize(fields as never);
  try {
    const text = serialize(fields as never);
    return text === '{}' ? undefined : text;
  } catch (thrown) {
    logSerializerError(x, thrown);
    return undefined;
  }
}

function logSerializerError(x: Exchange, thrown: unknown): void {
  const { plan, request, reply, status } = x;
  plan.logWriter.serializerError(thrown as Error, request, reply, { statusCode: status });
}

/**
 * Returns the fields of an error that clients may see, in the format of the context; never the stack, the cause or custom fields.
 *
 * @param mayTell Whether clients may read the message. Without it, they get the text of the status, and the id by which the log has it.
 */
function errorFields(x: Exchange, status: number, error: unknown, mayTell: boolean): object {
  if (!mayTell) reportHidden(x, error);
  return isProblem(x)
    ? loadProblems().problemDetails(x, error, { status, code: codeOf(error, mayTell), mayTell })
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
  if (!sendsThrownValues(x)) return JSON.stringify(errorFields(x, x.status, error, isExposed(x, error)));
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
  const selectable: object = Object.create(mayTell ? Object(error) : null);
  // Defined, because an object of the error may have fields of these names that cannot be assigned.
  const define = (fields: object, isEnumerable: boolean): void => {
    for (const [name, value] of Object.entries(fields)) {
      const enumerable = isEnumerable && value !== undefined;
      Object.defineProperty(selectable, name, { value, enumerable, configurable: true });
    }
  };
  const validation = mayTell ? readField(error, 'validation') : undefined;
  // A serializer would only read the items of the list, which `toJSON` may replace.
  const { toJSON } = (Array.isArray(validation) ? validation : []) as { toJSON?: unknown };
  if (typeof toJSON === 'function') define({ validation: toJSON.call(validation) }, false);
  if (isProblem(x)) {
    define(defaultFields(x, status, error, mayTell), false);
    define(Object.fromEntries(reservedMembers.map((name) => [name, undefined])), false);
  }
  // The fields of the default format are not enumerable, because a schema that leaves some of them out has not dropped any data.
  define(errorFields(x, status, error, mayTell), isProblem(x));
  return selectable;
}

/** Whether the default error reply contains the message of an error. */
function isExposed(x: Exchange, error: unknown): boolean {
  return sendsThrownValues(x) || isForClients(x, x.status, error);
}

/** Whether a value that was thrown, and is no error, is sent as it is. */
function sendsThrownValues({ plan }: Exchange): boolean {
  return plan.server.sendsErrorsAsFastify && plan.errorFormat === 'json';
}

function isProblem({ plan }: Exchange): boolean {
  return plan.errorFormat === 'problem';
}

/**
 * Whether clients may read the message of an error. The author of the error may have said so in `expose`, as the package `http-errors`
 * does. If not, an error with a status below 500 is for clients, and so is an error of the catalogue, unless it may quote its cause. Other
 * messages may be those of a database or a library, so they are only sent in development.
 */
function isForClients({ plan }: Exchange, status: number, error: unknown): boolean {
  const expose = readField(error, 'expose');
  if (expose === true) return true;
  if (status < 500) return (expose ?? true) === true;
  return !plan.server.isProduction || (isCatalogueError(error) && readField(error, 'cause') === undefined);
}

/**
 * Returns the code of an error, if it has one that clients may see: any code of an error that they may read, and else those of the framework
 * and of Fastify's plugins. Codes of databases and of the system are not for clients.
 */
function codeOf(error: unknown, isExposed: boolean): string | undefined {
  const code = readField(error, 'code');
  if (typeof code !== 'string' && typeof code !== 'number') return undefined;
  return isExposed || /^(?:FST|AMBIT)_/.test(String(code)) ? String(code) : undefined;
}

/** Reports an error that its client does not get to read, once on stderr, if no logger has reported it. */
function reportHidden({ plan, method, url }: Exchange, error: unknown): void {
  const { server, info } = plan;
  if (server.hasLogger || server.hasWarnedOfHiddenError) return;
  server.hasWarnedOfHiddenError = true;
  warnErrorHidden(`${method} ${info.url ?? url}`, attempt(() => inspect(error)) ?? textOf(error));
}
