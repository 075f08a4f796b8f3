/** The errors of requests and their bodies. */
import { defineError, type ErrorClass } from '../../shared/define-error.ts';

export const ValidationFailed: ErrorClass<[message: string]> = defineError({
  code: 'FST_ERR_VALIDATION',
  status: 400,
  message: '%s',
});
export const ValidationInvocationInvalid: ErrorClass<[part: unknown]> = defineError({
  code: 'FST_ERR_REQ_INVALID_VALIDATION_INVOCATION',
  message:
    'Invalid validation invocation. Missing validation function for HTTP part "%s" nor schema provided.',
});
export const ParserAlreadyPresent: ErrorClass<[mediaType: unknown]> = defineError({
  code: 'FST_ERR_CTP_ALREADY_PRESENT',
  message: "Content type parser '%s' already present.",
});
export const ParserTypeInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_CTP_INVALID_TYPE',
  message: 'The content type should be a string or a RegExp',
  base: TypeError,
});
export const ParserTypeEmpty: ErrorClass<[]> = defineError({
  code: 'FST_ERR_CTP_EMPTY_TYPE',
  message: 'The content type cannot be an empty string',
  base: TypeError,
});
export const ParserNotFunction: ErrorClass<[]> = defineError({
  code: 'FST_ERR_CTP_INVALID_HANDLER',
  message: 'The content type handler should be a function',
  base: TypeError,
});
export const ParserParseAsInvalid: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_CTP_INVALID_PARSE_TYPE',
  message:
    "The body parser can only parse your data as 'string' or 'buffer', you asked '%s' which is not supported.",
  base: TypeError,
});
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
export const MediaTypeUnsupported: ErrorClass<[accepted?: string]> = defineError({
  code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE',
  status: 415,
  message: (accepted?: string) =>
    accepted === undefined
      ? 'Unsupported Media Type'
      : `Unsupported Media Type: this route accepts ${accepted}`,
});
export const ContentLengthMismatch: ErrorClass<[]> = defineError({
  code: 'FST_ERR_CTP_INVALID_CONTENT_LENGTH',
  status: 400,
  message: 'Request body size did not match Content-Length',
  base: RangeError,
});
export const JsonBodyEmpty: ErrorClass<[]> = defineError({
  code: 'FST_ERR_CTP_EMPTY_JSON_BODY',
  status: 400,
  message: "Body cannot be empty when content-type is set to 'application/json'",
});
export const JsonBodyInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_CTP_INVALID_JSON_BODY',
  status: 400,
  message: "Body is not valid JSON but content-type is set to 'application/json'",
});
export const ContentTypeMissing: ErrorClass<[method: string]> = defineError({
  code: 'FST_ERR_ROUTE_MISSING_CONTENT_TYPE',
  status: 400,
  message: "Method '%s' must provide a 'Content-Type' header.",
});
export const ContentMissing: ErrorClass<[method: string]> = defineError({
  code: 'FST_ERR_ROUTE_MISSING_CONTENT',
  status: 400,
  message: "Method '%s' must provide a request body.",
});
export const NotFound: ErrorClass<[]> = defineError({
  code: 'FST_ERR_NOT_FOUND',
  status: 404,
  message: 'Not Found',
});
export const UrlInvalid: ErrorClass<[path: string]> = defineError({
  code: 'FST_ERR_BAD_URL',
  status: 400,
  message: "'%s' is not a valid url component",
  base: URIError,
});
export const ParamTooLong: ErrorClass<[path: string]> = defineError({
  code: 'FST_ERR_MAX_PARAM_LENGTH',
  status: 414,
  message: "'%s' is exceeding the max param length",
  base: URIError,
});
export const ConstraintFailed: ErrorClass<[]> = defineError({
  code: 'FST_ERR_ASYNC_CONSTRAINT',
  message: 'Unexpected error from async constraint',
});
export const HandlerTimedOut: ErrorClass<[timeoutMs: number, url: string | undefined]> = defineError({
  code: 'FST_ERR_HANDLER_TIMEOUT',
  status: 503,
  message: "Request timed out after %s ms on route '%s'",
});
