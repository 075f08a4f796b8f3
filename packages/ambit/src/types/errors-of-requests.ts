/** Errors of requests, replies and uploads. */
import type { ErrorClass } from '../shared/define-error.ts';
import { defineError } from '../shared/define-error.ts';

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

/** The payload cannot be written, and the Content-Type is not JSON. */
export const PayloadTypeInvalid: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_REP_INVALID_PAYLOAD_TYPE',
  message: "Attempted to send payload of invalid type '%s'. Expected a string or Buffer.",
  base: TypeError,
});
/** An async iterable was sent, and the response has no item schema. As JSON it would be an empty object. */
export const AsyncIterableSent: ErrorClass<[]> = defineError({
  code: 'AMBIT_ERR_ASYNC_ITERABLE_SENT',
  message:
    'An async iterable, such as the result of an async generator, cannot be serialized: declare an `itemSchema` for its status and media type, send `Readable.from(iterable)` of node:stream, or collect its values',
  base: TypeError,
});
/** The response schemas of the route do not declare the status or the media type, and the application has `responses: 'declared'`. */
export const ResponseUndeclared: ErrorClass<[route: string, response: string]> = defineError({
  code: 'AMBIT_ERR_RESPONSE_UNDECLARED',
  message: '%s replied with %s, which its response schemas do not declare',
  hint: 'declare a schema for this status and media type in `schema.response`',
});
/** The response has only an item schema, and what was sent is no async iterable. */
export const ItemsExpected: ErrorClass<[status: string, mediaType: string]> = defineError({
  code: 'AMBIT_ERR_ITEMS_EXPECTED',
  message:
    'The response %s (%s) has an item schema and no schema for a whole value: return an async iterable, or declare a `schema` beside the `itemSchema`',
  base: TypeError,
});
/** An item of a stream does not fit the item schema; the `cause` is the error of the serializer. */
export const ItemInvalid: ErrorClass<[index: number, route: string, reason: string]> = defineError({
  code: 'AMBIT_ERR_ITEM_INVALID',
  message: 'item %s of the stream of %s does not fit its schema: %s',
});
/** A field of an event has a value that cannot be sent; this is the `cause` of `AMBIT_ERR_ITEM_INVALID`. */
export const EventInvalid: ErrorClass<[problem: string]> = defineError({
  code: 'AMBIT_ERR_EVENT_INVALID',
  message: '%s',
  base: TypeError,
});
/** The application closes: the reason of `request.signal` in a handler that streams, and the reply of one that has sent nothing yet. */
export const StreamClosing: ErrorClass<[]> = defineError({
  code: 'AMBIT_ERR_STREAM_CLOSING',
  status: 503,
  message: 'The application is closing',
});
/** A streamed payload is longer or shorter than the Content-Length of its reply. The response is cut off. */
export const StreamLengthMismatch: ErrorClass<[declaredBytes: number, written: string]> = defineError({
  code: 'AMBIT_ERR_STREAM_LENGTH_MISMATCH',
  message:
    'The reply declares a content-length of %s bytes, and its stream has %s: leave the header out, or set the length of the stream',
});
/** The body of a `Response` was already read. */
export const ResponseBodyConsumed: ErrorClass<[]> = defineError({
  code: 'FST_ERR_REP_RESPONSE_BODY_CONSUMED',
  message: 'Response.body is already consumed.',
});
/** Something else reads the web stream that was sent. */
export const ReadableStreamLocked: ErrorClass<[]> = defineError({
  code: 'FST_ERR_REP_READABLE_STREAM_LOCKED',
  message: 'ReadableStream was locked. You should call releaseLock() method on reader before sending.',
});
/** A second reply was sent, for example because an async handler did not `return reply`. */
export const ReplyAlreadySent: ErrorClass<[url: string, method: string]> = defineError({
  code: 'FST_ERR_REP_ALREADY_SENT',
  message: 'Reply was already sent, did you forget to "return reply" in "%s" (%s)?',
});
/** Reserved; Ambit does not use it. */
export const SentValueInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_REP_SENT_VALUE',
  message: 'The only possible value for reply.sent is true.',
  base: TypeError,
});
/** An `onError` hook called `reply.send`. */
export const SendInsideOnError: ErrorClass<[]> = defineError({
  code: 'FST_ERR_SEND_INSIDE_ONERR',
  message: 'You cannot use `send` inside the `onError` hook',
});
/** A hook or a parser threw `undefined`, or passed `false`, `0` or `''` to `done`; the `cause` is that value. */
export const UndefinedError: ErrorClass<[]> = defineError({
  code: 'FST_ERR_SEND_UNDEFINED_ERR',
  message: 'Undefined error has occurred',
});
/** The status is not a final one, between 200 and 599. */
export const StatusCodeInvalid: ErrorClass<[received: unknown]> = defineError({
  code: 'FST_ERR_BAD_STATUS_CODE',
  message: 'Called reply with an invalid status code: %s',
});
/** `reply.redirect` got a value that cannot be converted to text. */
export const RedirectUrlInvalid: ErrorClass<[received: string]> = defineError({
  code: 'AMBIT_ERR_REDIRECT_URL',
  message: 'reply.redirect() got a URL that cannot be converted to text: %s',
  base: TypeError,
});
/** The header is not allowed as a trailer. */
export const TrailerNameInvalid: ErrorClass<[name: string]> = defineError({
  code: 'FST_ERR_BAD_TRAILER_NAME',
  message: 'Called reply.trailer with an invalid header name: %s',
});
/** The value of a trailer is not a function. */
export const TrailerValueInvalid: ErrorClass<[name: string, received: string]> = defineError({
  code: 'FST_ERR_BAD_TRAILER_VALUE',
  message: "Called reply.trailer('%s', fn) with an invalid type: %s. Expected a function.",
});
/** The response schema for the status of an error could not serialize the error. */
export const ErrorSerializationFailed: ErrorClass<[reason: string, original: string]> = defineError({
  code: 'FST_ERR_FAILED_ERROR_SERIALIZATION',
  message: 'Failed to serialize an error. Error: %s. Original error: %s',
});
/** `serializeInput` got a status or a media type without a schema. */
export const SerializerMissing: ErrorClass<[status: unknown]> = defineError({
  code: 'FST_ERR_MISSING_SERIALIZATION_FN',
  message: 'Missing serialization function. Key "%s"',
});
/** `serializeInput` got a status or a media type without a schema. */
export const ContentSerializerMissing: ErrorClass<[status: unknown, mediaType: string]> = defineError({
  code: 'FST_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN',
  message: 'Missing serialization function. Key "%s:%s"',
});
/** Reserved; Ambit does not use it. */
export const MiddlewareMissing: ErrorClass<[]> = defineError({
  code: 'FST_ERR_MISSING_MIDDLEWARE',
  message: 'Register a plugin for middlewares first, such as @fastify/express or @fastify/middie',
  ecosystemMessage:
    'You must register a plugin for handling middlewares, visit fastify.dev/docs/latest/Reference/Middleware/ for more info.',
});

/** The body is not a valid `multipart/form-data` body (RFC 7578), or a field cannot be read. */
export const MultipartInvalid: ErrorClass<[problem: string]> = defineError({
  code: 'AMBIT_ERR_MULTIPART_INVALID',
  status: 400,
  message: 'Body is not valid multipart/form-data: %s',
});
/** A file is larger than `multipart.fileSize`. */
export const FileTooLarge: ErrorClass<[field: string, limitBytes: number]> = defineError({
  code: 'AMBIT_ERR_FILE_TOO_LARGE',
  status: 413,
  message: "The file in field '%s' is larger than %d bytes",
  hint: 'raise `multipart.fileSize` on the route',
});
/** The body has more files than `multipart.files`. */
export const FilesTooMany: ErrorClass<[field: string, limit: number]> = defineError({
  code: 'AMBIT_ERR_TOO_MANY_FILES',
  status: 413,
  message: (field, limit) =>
    `The body has more than ${limit} files: the file in field '${field}' is one too many`,
  hint: 'raise `multipart.files` on the route',
});
/** The value of a field is larger than `multipart.fieldSize`. */
export const FieldTooLarge: ErrorClass<[field: string, limitBytes: number]> = defineError({
  code: 'AMBIT_ERR_FIELD_TOO_LARGE',
  status: 413,
  message: "The field '%s' is larger than %d bytes",
  hint: 'raise `multipart.fieldSize` on the route',
});
/** The body has more fields than `multipart.fields`. */
export const FieldsTooMany: ErrorClass<[field: string, limit: number]> = defineError({
  code: 'AMBIT_ERR_TOO_MANY_FIELDS',
  status: 413,
  message: (field, limit) => `The body has more than ${limit} fields: the field '${field}' is one too many`,
  hint: 'raise `multipart.fields` on the route',
});
/** The name of a field is longer than `multipart.fieldNameSize`. */
export const FieldNameTooLong: ErrorClass<[start: string, limitBytes: number]> = defineError({
  code: 'AMBIT_ERR_FIELD_NAME_TOO_LONG',
  status: 413,
  message: "The name of the field '%s…' is longer than %d bytes",
  hint: 'raise `multipart.fieldNameSize` on the route',
});
/** The head of a part is larger than `multipart.headerSize`. */
export const PartHeadTooLarge: ErrorClass<[field: string, limitBytes: number]> = defineError({
  code: 'AMBIT_ERR_PART_HEAD_TOO_LARGE',
  status: 413,
  message: "The head of the part for field '%s' is larger than %d bytes",
  hint: 'raise `multipart.headerSize` on the route',
});
/** An uploaded file could not be written to the temporary folder; `cause` says why. */
export const UploadNotStored: ErrorClass<[field: string]> = defineError({
  code: 'AMBIT_ERR_UPLOAD_NOT_STORED',
  message: "The file in field '%s' cannot be stored",
});
/** An uploaded file is read after its response has ended. */
export const UploadRemoved: ErrorClass<[]> = defineError({
  code: 'AMBIT_ERR_UPLOAD_REMOVED',
  message: 'The uploaded file was removed when its response ended',
  hint: 'call `saveTo` before the response ends',
});
