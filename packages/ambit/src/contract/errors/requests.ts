/** The errors of requests and their bodies. */

import type { ErrorClass } from '../../shared/coded-error.ts';
import { defineError } from '../../shared/define-error.ts';

/** A part of the request does not match its schema. */
export const ValidationFailed: ErrorClass<[message: string]> = defineError({
  code: 'FST_ERR_VALIDATION',
  status: 400,
  message: '%s',
});
/** `validateInput` got neither a schema nor a part that has one. */
export const ValidationInvocationInvalid: ErrorClass<[part: unknown]> = defineError({
  code: 'FST_ERR_REQ_INVALID_VALIDATION_INVOCATION',
  message:
    'Invalid validation invocation. Missing validation function for HTTP part "%s" nor schema provided.',
});
/** There is already a parser for this media type. */
export const ParserAlreadyPresent: ErrorClass<[mediaType: unknown]> = defineError({
  code: 'FST_ERR_CTP_ALREADY_PRESENT',
  message: "Content type parser '%s' already present.",
});
/** The media type of a parser is not a string or a RegExp. */
export const ParserTypeInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_CTP_INVALID_TYPE',
  message: 'The content type should be a string or a RegExp',
  base: TypeError,
});
/** The media type of a parser is empty. */
export const ParserTypeEmpty: ErrorClass<[]> = defineError({
  code: 'FST_ERR_CTP_EMPTY_TYPE',
  message: 'The content type cannot be an empty string',
  base: TypeError,
});
/** The parser is not a function. */
export const ParserNotFunction: ErrorClass<[]> = defineError({
  code: 'FST_ERR_CTP_INVALID_HANDLER',
  message: 'The content type handler should be a function',
  base: TypeError,
});
/** `parseAs` is neither `'string'` nor `'buffer'`. */
export const ParserParseAsInvalid: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_CTP_INVALID_PARSE_TYPE',
  message:
    "The body parser can only parse your data as 'string' or 'buffer', you asked '%s' which is not supported.",
  base: TypeError,
});
/** A parser was added after boot. */
export const ParserAfterStart: ErrorClass<[call: string]> = defineError({
  code: 'FST_ERR_CTP_INSTANCE_ALREADY_STARTED',
  status: 400,
  message: 'Cannot call "%s" when the application has already started!',
  ecosystemMessage: 'Cannot call "%s" when fastify instance is already started!',
});
/** The body grew past the route's limit; raised before the handler runs. */
export const BodyTooLarge: ErrorClass<[]> = defineError({
  code: 'FST_ERR_CTP_BODY_TOO_LARGE',
  status: 413,
  message: 'Request body is too large',
  hint: 'raise `bodyLimit` on the route, or read the body as a stream',
  base: RangeError,
});
/** There is no parser for the media type of the body, or the body schema does not cover it. */
export const MediaTypeUnsupported: ErrorClass<[accepted?: string]> = defineError({
  code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE',
  status: 415,
  message: (accepted?: string) =>
    accepted === undefined
      ? 'Unsupported Media Type'
      : `Unsupported Media Type: this route accepts ${accepted}`,
});
/** The body is shorter or longer than its Content-Length. */
export const ContentLengthMismatch: ErrorClass<[]> = defineError({
  code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
  status: 400,
  message: 'Request body size did not match Content-Length',
  base: RangeError,
});
/** The Content-Type is JSON and the body is empty. */
export const JsonBodyEmpty: ErrorClass<[]> = defineError({
  code: 'FST_ERR_CTP_EMPTY_JSON_BODY',
  status: 400,
  message: "Body cannot be empty when content-type is set to 'application/json'",
});
/** The body is not valid JSON, or contains `__proto__` or `constructor.prototype`. */
export const JsonBodyInvalid: ErrorClass<[problem?: string]> = defineError({
  code: 'FST_ERR_CTP_INVALID_JSON_BODY',
  status: 400,
  message: (problem = "Body is not valid JSON but content-type is set to 'application/json'") => problem,
});
/** A QUERY request has no Content-Type. */
export const ContentTypeMissing: ErrorClass<[method: string]> = defineError({
  code: 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE',
  status: 400,
  message: "Method '%s' must provide a 'Content-Type' header.",
});
/** Reserved; Ambit does not use it. */
export const ContentMissing: ErrorClass<[method: string]> = defineError({
  code: 'FST_ERR_ROUTE_MISSING_CONTENT',
  status: 400,
  message: "Method '%s' must provide a request body.",
});
/** An HTTP/2 request has a method that node's parser does not know. */
export const NotFound: ErrorClass<[]> = defineError({
  code: 'FST_ERR_NOT_FOUND',
  status: 404,
  message: 'Not Found',
});
/** The URL cannot be decoded. */
export const UrlInvalid: ErrorClass<[path: string]> = defineError({
  code: 'FST_ERR_BAD_URL',
  status: 400,
  message: "'%s' is not a valid url component",
  base: URIError,
});
/** A parameter is longer than `maxParamLength`. */
export const ParamTooLong: ErrorClass<[path: string]> = defineError({
  code: 'FST_ERR_MAX_PARAM_LENGTH',
  status: 414,
  message: "'%s' is exceeding the max param length",
  base: URIError,
});
/** A constraint strategy failed. */
export const ConstraintFailed: ErrorClass<[]> = defineError({
  code: 'FST_ERR_ASYNC_CONSTRAINT',
  message: 'Unexpected error from async constraint',
});
/** Overload protection refused the request, before its body was read. */
export const Overloaded: ErrorClass<[]> = defineError({
  code: 'AMBIT_ERR_OVERLOADED',
  status: 503,
  message: 'The server is overloaded',
});
/** No reply within `handlerTimeout`. */
export const HandlerTimedOut: ErrorClass<[timeoutMs: number, url: string | undefined]> = defineError({
  code: 'FST_ERR_HANDLER_TIMEOUT',
  status: 503,
  message: "Request timed out after %s ms on route '%s'",
});
/** The client left before its response had ended. It is the reason of `request.signal`; its name is `AbortError` there. */
export const ClientGone: ErrorClass<[]> = defineError({
  code: 'AMBIT_ERR_CLIENT_GONE',
  status: 499,
  message: 'The client closed the connection before the response had ended',
});
