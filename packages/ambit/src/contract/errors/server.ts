/** The errors of listening and closing, and of calls that come too late. */

import type { ErrorClass } from '../../shared/coded-error.ts';
import { defineError } from '../../shared/define-error.ts';

/** The options are not an object, a value has the wrong type, or `signal` is not an AbortSignal. */
export const ListenOptionsInvalid: ErrorClass<[problem: string]> = defineError({
  code: 'FST_ERR_LISTEN_OPTIONS_INVALID',
  message: "Invalid listen options: '%s'",
  base: TypeError,
});
/** `listen` was called twice. */
export const AlreadyListening: ErrorClass<[]> = defineError({
  code: 'FST_ERR_REOPENED_SERVER',
  message: 'The application is already listening',
  ecosystemMessage: 'Fastify is already listening',
});
/** The options of `close` are not an object, or a time is not a number of milliseconds that a timer can wait for. */
export const CloseOptionsInvalid: ErrorClass<[problem: string]> = defineError({
  code: 'AMBIT_ERR_CLOSE_OPTIONS_INVALID',
  message: "Invalid close options: '%s'",
  base: TypeError,
});
/** The request had not ended at the deadline of `close`. It is the reason of `request.signal`; its name is `AbortError` there. */
export const ClosedAtDeadline: ErrorClass<[]> = defineError({
  code: 'AMBIT_ERR_CLOSED_AT_DEADLINE',
  status: 503,
  message: 'The application has closed before the request had ended',
});
/** `fetch` was not called with a `Request`. */
export const FetchRequestInvalid: ErrorClass<[received: string]> = defineError({
  code: 'AMBIT_ERR_FETCH_REQUEST_INVALID',
  message: 'fetch must be called with a Request, instead got %s',
  base: TypeError,
});
/** The application needs something that the runtime, or the build for it, does not have. */
export const RuntimeUnsupported: ErrorClass<[feature: string, wayOut: string]> = defineError({
  code: 'AMBIT_ERR_RUNTIME_UNSUPPORTED',
  message: '%s: not available in this runtime. %s',
});
/** The application is closed. */
export const AlreadyClosed: ErrorClass<[]> = defineError({
  code: 'FST_ERR_REOPENED_CLOSE_SERVER',
  message: 'The application has already been closed and cannot be reopened',
  ecosystemMessage: 'Fastify has already been closed and cannot be reopened',
});
/** A declaration came after boot. */
export const AlreadyStarted: ErrorClass<[call: string]> = defineError({
  code: 'FST_ERR_INSTANCE_ALREADY_LISTENING',
  message: 'The application has already started. %s',
  ecosystemMessage: 'Fastify instance is already listening. %s',
});
/** `setErrorHandler` did not get a function. */
export const ErrorHandlerNotFunction: ErrorClass<[]> = defineError({
  code: 'FST_ERR_ERROR_HANDLER_NOT_FN',
  message: 'Error Handler must be a function',
  base: TypeError,
});
/** `setErrorHandler` was called twice in one context, and `allowErrorHandlerOverride` is `false`. */
export const ErrorHandlerAlreadySet: ErrorClass<[]> = defineError({
  code: 'FST_ERR_ERROR_HANDLER_ALREADY_SET',
  message:
    "Error Handler already set in this scope. Set 'allowErrorHandlerOverride: true' to allow overriding.",
  base: TypeError,
});
