/** Errors of schemas, requests, replies and uploads. */
import { defineError, type ErrorClass, typeError } from '../shared/define-error.ts';

/** A shared schema has no `$id`. */
export const SchemaIdMissing: ErrorClass<[]> = defineError(
  'FST_ERR_SCH_MISSING_ID: Missing schema $id property',
);
/** The `$id` of a shared schema is already visible. */
export const SchemaAlreadyPresent: ErrorClass<[id: string]> = defineError(
  "FST_ERR_SCH_ALREADY_PRESENT: Schema with id '%s' already declared!",
);
/** A route has both `query` and `querystring`. */
export const SchemaDuplicated: ErrorClass<[part: string]> = defineError(
  "FST_ERR_SCH_DUPLICATE: Schema with '%s' already present!",
);
/** An entry of a `content` map has no `schema`. */
export const SchemaContentMissing: ErrorClass<[mediaType: string]> = defineError(
  "FST_ERR_SCH_CONTENT_MISSING_SCHEMA: Schema is missing for the content type '%s'",
);
/** A key of a `content` map is not a media type or range, or is the same as another one; raised by `ready()`. */
export const MediaRangeInvalid: ErrorClass<[part: string, key: string, problem: string]> = defineError(
  "AMBIT_ERR_MEDIA_RANGE_INVALID: the content of %s has the key '%s', which %s, so that its schema would never be used",
  {
    hint: 'a key is a media type such as `application/json`, or a range: `application/*`, `application/*+json`, `*/*`',
  },
);
/** `details`: the part of the route, the path in its schema, what was probably meant. `sharedId`: the `$id` of a shared schema. */
type BuildFailed = ErrorClass<
  [method: string, url: string, reason: string, details?: string, sharedId?: string]
>;

function buildFailed(code: string, purpose: 'validation' | 'serialization'): BuildFailed {
  const message = (method: string, url: string, reason: string, details = '', sharedId?: string): string => {
    const ofRoute = `${purpose} schema for ${method}: ${url}`;
    const schema = sharedId === undefined ? ofRoute : `shared schema '${sharedId}'`;
    return `Failed building the ${schema}, due to error ${reason}${details}`;
  };
  return defineError(code, {
    message,
    fastifyMessage: (method, url, reason) => message(method, url, reason),
  });
}

/** A schema of a request does not compile; the `cause` has the reason. */
export const ValidationBuildFailed: BuildFailed = buildFailed('FST_ERR_SCH_VALIDATION_BUILD', 'validation');
/** A schema of a response does not compile; the `cause` has the reason and the `schemaPath`. */
export const SerializationBuildFailed: BuildFailed = buildFailed(
  'FST_ERR_SCH_SERIALIZATION_BUILD',
  'serialization',
);
/** `itemSchema` is used where nothing can be streamed; this is the `cause` of `FST_ERR_SCH_SERIALIZATION_BUILD`. */
export const ItemSchemaInvalid: ErrorClass<[problem: string]> = defineError(
  'AMBIT_ERR_ITEM_SCHEMA_INVALID: %s',
);
/** A key of `response` is not a status; this is the `cause` of `FST_ERR_SCH_SERIALIZATION_BUILD`. */
export const ResponseStatusInvalid: ErrorClass<[]> = defineError(
  'FST_ERR_SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX: response schemas should be nested under a valid status code, e.g { 2xx: { type: "object" } }',
);
/** Every object has a property with this name: engines would use that property as the schema. */
export const SchemaIdReserved: ErrorClass<[id: string]> = defineError(
  "AMBIT_ERR_SCHEMA_ID_RESERVED: '%s' cannot be the $id of a schema: every JavaScript object has a property of that name",
);
/** The reference leads to a property that every object has, and not to a schema. */
export const SchemaReferenceReserved: ErrorClass<[reference: string, name: string]> = defineError(
  "AMBIT_ERR_SCHEMA_REFERENCE_RESERVED: can't resolve reference %s: there is no schema '%s', and every object has a property of that name",
);
/** A reference leads from a schema of one dialect to a shared schema of another; raised by `ready()`. */
export const SchemaDialectMismatch: ErrorClass<[dialect: string, id: string, problem: string]> = defineError(
  "AMBIT_ERR_SCHEMA_DIALECT_MISMATCH: a schema of the dialect %s refers to '%s', %s",
  { hint: 'both must be of one dialect: give them the same `$schema`, or leave it out of the shared schema' },
);
/** The validator would be nested too deeply for V8 to compile it; raised by `ready()`. */
export const SchemaTooLarge: ErrorClass<[]> = defineError(
  'AMBIT_ERR_SCHEMA_TOO_LARGE: the schema is too large to compile: it is nested too deeply, one of its lists is too long, or too many schemas refer to one another in a chain or a circle',
  {
    hint: 'split it into shared schemas that do not all refer to one another, or validate parts of it in the handler',
  },
);
/** A schema refers to itself for the same value: checking it would never end; raised by `ready()`. */
export const SchemaLoop: ErrorClass<[loop: string]> = defineError(
  'AMBIT_ERR_SCHEMA_LOOP: a schema refers to itself without a value in between: %s',
  { hint: 'let the reference describe a property or an item, or remove it' },
);
/** `compileSchemas` wrote the module for other schemas or with another version; raised by `ready()`. */
export const CompiledStale: ErrorClass<[reason: string]> = defineError(
  'AMBIT_ERR_COMPILED_STALE: the compiled schemas are stale: %s; run compileSchemas again',
  { hint: 'run `compileSchemas(app)` in the build after every change of a schema or a version' },
);
/** The process forbids code generation, and no build has compiled the schema; raised by `ready()`. */
export const CodeGenerationForbidden: ErrorClass<[part: string]> = defineError(
  'AMBIT_ERR_CODE_GENERATION_FORBIDDEN: %s must be compiled, but this process forbids code generation from strings; run compileSchemas(app) or `ambit compile` in the build, and pass the module as the option `compiled`',
);
/** The schema error formatter did not return an Error. */
export const FormatterResultInvalid: ErrorClass<[received: string]> = defineError(
  'AMBIT_ERR_SCHEMA_ERROR_FORMATTER_RESULT: the schema error formatter must return an Error, but it returned %s',
);
/** Your own validator compiler did not return a function; this is the `cause` of `FST_ERR_SCH_VALIDATION_BUILD`. */
export const ValidatorNotFunction: ErrorClass<[part: string, received: string]> = typeError(
  "AMBIT_ERR_VALIDATOR_NOT_FUNCTION: the validator compiler must return a function for '%s', but it returned %s",
);
/** Your own serializer compiler did not return a function; this is the `cause` of `FST_ERR_SCH_SERIALIZATION_BUILD`. */
export const SerializerNotFunction: ErrorClass<[status: string, received: string]> = typeError(
  "AMBIT_ERR_SERIALIZER_NOT_FUNCTION: the serializer compiler must return a function for '%s', but it returned %s",
);
/** The Standard Schema of the response rejects the payload. The payload is not sent. */
export const ResponseInvalid: ErrorClass<[problems: string]> = defineError('AMBIT_ERR_RESPONSE_INVALID: %s');
/** The Standard Schema of a response returned a promise. */
export const ResponseSchemaAsync: ErrorClass<[vendor: string]> = defineError(
  'AMBIT_ERR_RESPONSE_SCHEMA_ASYNC: a response schema must validate synchronously, but this schema of %s returned a promise',
);
/** A schema declares a file (a string of the format `binary`) where the body or the reply cannot have one. */
export const FileMisplaced: ErrorClass<[part: string, schemaPath: string]> = defineError(
  "AMBIT_ERR_FILE_MISPLACED: the schema of %s has a file (format 'binary') at %s, where there can be none",
  { hint: "declare files as properties of a body in `content: { 'multipart/form-data': { schema } }`" },
);

/** A part of the request does not match its schema. */
export const ValidationFailed: ErrorClass<[message: string]> = defineError('FST_ERR_VALIDATION: %s', {
  status: 400,
});
/** `validateInput` got neither a schema nor a part that has one. */
export const ValidationInvocationInvalid: ErrorClass<[part: unknown]> = defineError(
  'FST_ERR_REQ_INVALID_VALIDATION_INVOCATION: Invalid validation invocation. Missing validation function for HTTP part "%s" nor schema provided.',
);
/** There is already a parser for this media type. */
export const ParserAlreadyPresent: ErrorClass<[mediaType: unknown]> = defineError(
  "FST_ERR_CTP_ALREADY_PRESENT: Content type parser '%s' already present.",
);
/** The media type of a parser is not a string or a RegExp. */
export const ParserTypeInvalid: ErrorClass<[received: string]> = typeError('FST_ERR_CTP_INVALID_TYPE', {
  message: (received: string) =>
    `The content type should be a media type such as 'text/csv', or a RegExp; instead got ${received}`,
  fastifyMessage: () => 'The content type should be a string or a RegExp',
});
/** The media type of a parser is empty. */
export const ParserTypeEmpty: ErrorClass<[]> = typeError(
  'FST_ERR_CTP_EMPTY_TYPE: The content type cannot be an empty string',
);
/** The parser is not a function. */
export const ParserNotFunction: ErrorClass<[]> = typeError(
  'FST_ERR_CTP_INVALID_HANDLER: The content type handler should be a function',
);
/** `parseAs` is neither `'string'` nor `'buffer'`. */
export const ParserParseAsInvalid: ErrorClass<[received: string]> = typeError(
  "FST_ERR_CTP_INVALID_PARSE_TYPE: The body parser can only parse your data as 'string' or 'buffer', you asked '%s' which is not supported.",
);
/** A parser was added after boot. */
export const ParserAfterStart: ErrorClass<[call: string]> = defineError(
  'FST_ERR_CTP_INSTANCE_ALREADY_STARTED: Cannot call "%s" when the application has already started!',
  { status: 400, fastifyMessage: 'Cannot call "%s" when fastify instance is already started!' },
);
/** The body grew past the route's limit; raised before the handler runs. */
export const BodyTooLarge: ErrorClass<[]> = defineError(
  'FST_ERR_CTP_BODY_TOO_LARGE: Request body is too large',
  { status: 413, hint: 'raise `bodyLimit` on the route, or read the body as a stream', base: RangeError },
);
/** There is no parser for the media type of the body, or the body schema does not cover it. */
export const MediaTypeUnsupported: ErrorClass<[accepted?: string]> = defineError(
  'FST_ERR_CTP_INVALID_MEDIA_TYPE',
  {
    status: 415,
    message: (accepted?: string) =>
      accepted === undefined
        ? 'Unsupported Media Type'
        : `Unsupported Media Type: this route accepts ${accepted}`,
  },
);
/** The body is shorter or longer than its Content-Length. */
export const ContentLengthMismatch: ErrorClass<[]> = defineError(
  'FST_ERR_CTP_INVALID_CONTENT_LENGTH: Request body size did not match Content-Length',
  { status: 400, base: RangeError },
);
/** The Content-Type is JSON and the body is empty. */
export const JsonBodyEmpty: ErrorClass<[]> = defineError(
  "FST_ERR_CTP_EMPTY_JSON_BODY: Body cannot be empty when content-type is set to 'application/json'",
  { status: 400 },
);
/** The body is not valid JSON, or contains `__proto__` or `constructor.prototype`. */
export const JsonBodyInvalid: ErrorClass<[problem?: string]> = defineError('FST_ERR_CTP_INVALID_JSON_BODY', {
  status: 400,
  message: (problem = "Body is not valid JSON but content-type is set to 'application/json'") => problem,
});
/** A QUERY request has no Content-Type. */
export const ContentTypeMissing: ErrorClass<[method: string]> = defineError(
  "FST_ERR_ROUTE_MISSING_CONTENT_TYPE: Method '%s' must provide a 'Content-Type' header.",
  { status: 400 },
);
/** Reserved; Ambit does not use it. */
export const ContentMissing: ErrorClass<[method: string]> = defineError(
  "FST_ERR_ROUTE_MISSING_CONTENT: Method '%s' must provide a request body.",
  { status: 400 },
);
/** An HTTP/2 request has a method that node's parser does not know. */
export const NotFound: ErrorClass<[]> = defineError('FST_ERR_NOT_FOUND: Not Found', { status: 404 });
/** The URL cannot be decoded. */
export const UrlInvalid: ErrorClass<[path: string]> = defineError(
  "FST_ERR_BAD_URL: '%s' is not a valid url component",
  { status: 400, base: URIError },
);
/** A parameter is longer than `maxParamLength`. */
export const ParamTooLong: ErrorClass<[path: string]> = defineError(
  "FST_ERR_MAX_PARAM_LENGTH: '%s' is exceeding the max param length",
  { status: 414, base: URIError },
);
/** A constraint strategy failed. */
export const ConstraintFailed: ErrorClass<[]> = defineError(
  'FST_ERR_ASYNC_CONSTRAINT: Unexpected error from async constraint',
);
/** Overload protection refused the request, before its body was read. */
export const Overloaded: ErrorClass<[]> = defineError('AMBIT_ERR_OVERLOADED: The server is overloaded', {
  status: 503,
});
/** No reply within `handlerTimeout`. */
export const HandlerTimedOut: ErrorClass<[timeoutMs: number, url: string | undefined]> = defineError(
  "FST_ERR_HANDLER_TIMEOUT: Request timed out after %s ms on route '%s'",
  { status: 503 },
);
/** The client left before its response had ended. It is the reason of `request.signal`; its name is `AbortError` there. */
export const ClientGone: ErrorClass<[]> = defineError(
  'AMBIT_ERR_CLIENT_GONE: The client closed the connection before the response had ended',
  { status: 499 },
);

/** The payload cannot be written, and the Content-Type is not JSON. */
export const PayloadTypeInvalid: ErrorClass<[received: string]> = typeError(
  "FST_ERR_REP_INVALID_PAYLOAD_TYPE: Attempted to send payload of invalid type '%s'. Expected a string or Buffer.",
);
/** An async iterable was sent, and the response has no item schema. As JSON it would be an empty object. */
export const AsyncIterableSent: ErrorClass<[]> = typeError(
  'AMBIT_ERR_ASYNC_ITERABLE_SENT: An async iterable, such as the result of an async generator, cannot be serialized: declare an `itemSchema` for its status and media type, send `Readable.from(iterable)` of node:stream, or collect its values',
);
/** The response schemas of the route do not declare the status or the media type, and the application has `responses: 'declared'`. */
export const ResponseUndeclared: ErrorClass<[route: string, response: string]> = defineError(
  'AMBIT_ERR_RESPONSE_UNDECLARED: %s replied with %s, which its response schemas do not declare',
  { hint: 'declare a schema for this status and media type in `schema.response`' },
);
/** The response has only an item schema, and what was sent is no async iterable. */
export const ItemsExpected: ErrorClass<[status: string, mediaType: string]> = typeError(
  'AMBIT_ERR_ITEMS_EXPECTED: The response %s (%s) has an item schema and no schema for a whole value: return an async iterable, or declare a `schema` beside the `itemSchema`',
);
/** An item of a stream does not fit the item schema; the `cause` is the error of the serializer. */
export const ItemInvalid: ErrorClass<[index: number, route: string, reason: string]> = defineError(
  'AMBIT_ERR_ITEM_INVALID: item %s of the stream of %s does not fit its schema: %s',
);
/** A field of an event has a value that cannot be sent; this is the `cause` of `AMBIT_ERR_ITEM_INVALID`. */
export const EventInvalid: ErrorClass<[problem: string]> = typeError('AMBIT_ERR_EVENT_INVALID: %s');
/** The application closes: the reason of `request.signal` in a handler that streams, and the reply of one that has sent nothing yet. */
export const StreamClosing: ErrorClass<[]> = defineError(
  'AMBIT_ERR_STREAM_CLOSING: The application is closing',
  { status: 503 },
);
/** A streamed payload is longer or shorter than the Content-Length of its reply. The response is cut off. */
export const StreamLengthMismatch: ErrorClass<[declaredBytes: number, written: string]> = defineError(
  'AMBIT_ERR_STREAM_LENGTH_MISMATCH: The reply declares a content-length of %s bytes, and its stream has %s: leave the header out, or set the length of the stream',
);
/** The body of a `Response` was already read. */
export const ResponseBodyConsumed: ErrorClass<[]> = defineError(
  'FST_ERR_REP_RESPONSE_BODY_CONSUMED: Response.body is already consumed.',
);
/** Something else reads the web stream that was sent. */
export const ReadableStreamLocked: ErrorClass<[]> = defineError(
  'FST_ERR_REP_READABLE_STREAM_LOCKED: ReadableStream was locked. You should call releaseLock() method on reader before sending.',
);
/** A second reply was sent, for example because an async handler did not `return reply`. */
export const ReplyAlreadySent: ErrorClass<[url: string, method: string]> = defineError(
  'FST_ERR_REP_ALREADY_SENT: Reply was already sent, did you forget to "return reply" in "%s" (%s)?',
);
/** Reserved; Ambit does not use it. */
export const SentValueInvalid: ErrorClass<[]> = typeError(
  'FST_ERR_REP_SENT_VALUE: The only possible value for reply.sent is true.',
);
/** An `onError` hook called `reply.send`. */
export const SendInsideOnError: ErrorClass<[]> = defineError(
  'FST_ERR_SEND_INSIDE_ONERR: You cannot use `send` inside the `onError` hook',
);
/** A hook or a parser threw `undefined`, or passed `false`, `0` or `''` to `done`; the `cause` is that value. */
export const UndefinedError: ErrorClass<[]> = defineError(
  'FST_ERR_SEND_UNDEFINED_ERR: Undefined error has occurred',
);
/** The status is not a final one, between 200 and 599. */
export const StatusCodeInvalid: ErrorClass<[received: unknown]> = defineError(
  'FST_ERR_BAD_STATUS_CODE: Called reply with an invalid status code: %s',
);
/** `reply.redirect` got a value that cannot be converted to text. */
export const RedirectUrlInvalid: ErrorClass<[received: string]> = typeError(
  'AMBIT_ERR_REDIRECT_URL: reply.redirect() got a URL that cannot be converted to text: %s',
);
/** The header is not allowed as a trailer. */
export const TrailerNameInvalid: ErrorClass<[name: string]> = defineError(
  'FST_ERR_BAD_TRAILER_NAME: Called reply.trailer with an invalid header name: %s',
);
/** The value of a trailer is not a function. */
export const TrailerValueInvalid: ErrorClass<[name: string, received: string]> = defineError(
  "FST_ERR_BAD_TRAILER_VALUE: Called reply.trailer('%s', fn) with an invalid type: %s. Expected a function.",
);
/** The response schema for the status of an error could not serialize the error. */
export const ErrorSerializationFailed: ErrorClass<[reason: string, original: string]> = defineError(
  'FST_ERR_FAILED_ERROR_SERIALIZATION: Failed to serialize an error. Error: %s. Original error: %s',
);
/** `serializeInput` got a status or a media type without a schema. */
export const SerializerMissing: ErrorClass<[status: unknown]> = defineError(
  'FST_ERR_MISSING_SERIALIZATION_FN: Missing serialization function. Key "%s"',
);
/** `serializeInput` got a status or a media type without a schema. */
export const ContentSerializerMissing: ErrorClass<[status: unknown, mediaType: string]> = defineError(
  'FST_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN: Missing serialization function. Key "%s:%s"',
);
/** Reserved; Ambit does not use it. */
export const MiddlewareMissing: ErrorClass<[]> = defineError(
  'FST_ERR_MISSING_MIDDLEWARE: Register a plugin for middlewares first, such as @fastify/express or @fastify/middie',
  {
    fastifyMessage:
      'You must register a plugin for handling middlewares, visit fastify.dev/docs/latest/Reference/Middleware/ for more info.',
  },
);

/** The body is not a valid `multipart/form-data` body (RFC 7578), or a field cannot be read. */
export const MultipartInvalid: ErrorClass<[problem: string]> = defineError(
  'AMBIT_ERR_MULTIPART_INVALID: Body is not valid multipart/form-data: %s',
  { status: 400 },
);
/** A file is larger than `multipart.fileSize`. */
export const FileTooLarge: ErrorClass<[field: string, limitBytes: number]> = defineError(
  "AMBIT_ERR_FILE_TOO_LARGE: The file in field '%s' is larger than %d bytes",
  { status: 413, hint: 'raise `multipart.fileSize` on the route' },
);
/** The body has more files than `multipart.files`. */
export const FilesTooMany: ErrorClass<[field: string, limit: number]> = defineError(
  'AMBIT_ERR_TOO_MANY_FILES',
  {
    status: 413,
    message: (field, limit) =>
      `The body has more than ${limit} files: the file in field '${field}' is one too many`,
    hint: 'raise `multipart.files` on the route',
  },
);
/** The value of a field is larger than `multipart.fieldSize`. */
export const FieldTooLarge: ErrorClass<[field: string, limitBytes: number]> = defineError(
  "AMBIT_ERR_FIELD_TOO_LARGE: The field '%s' is larger than %d bytes",
  { status: 413, hint: 'raise `multipart.fieldSize` on the route' },
);
/** The body has more fields than `multipart.fields`. */
export const FieldsTooMany: ErrorClass<[field: string, limit: number]> = defineError(
  'AMBIT_ERR_TOO_MANY_FIELDS',
  {
    status: 413,
    message: (field, limit) => `The body has more than ${limit} fields: the field '${field}' is one too many`,
    hint: 'raise `multipart.fields` on the route',
  },
);
/** The name of a field is longer than `multipart.fieldNameSize`. */
export const FieldNameTooLong: ErrorClass<[start: string, limitBytes: number]> = defineError(
  "AMBIT_ERR_FIELD_NAME_TOO_LONG: The name of the field '%s…' is longer than %d bytes",
  { status: 413, hint: 'raise `multipart.fieldNameSize` on the route' },
);
/** The head of a part is larger than `multipart.headerSize`. */
export const PartHeadTooLarge: ErrorClass<[field: string, limitBytes: number]> = defineError(
  "AMBIT_ERR_PART_HEAD_TOO_LARGE: The head of the part for field '%s' is larger than %d bytes",
  { status: 413, hint: 'raise `multipart.headerSize` on the route' },
);
/** An uploaded file could not be written to the temporary folder; `cause` says why. */
export const UploadNotStored: ErrorClass<[field: string]> = defineError(
  "AMBIT_ERR_UPLOAD_NOT_STORED: The file in field '%s' cannot be stored",
);
/** An uploaded file is read after its response has ended. */
export const UploadRemoved: ErrorClass<[]> = defineError(
  'AMBIT_ERR_UPLOAD_REMOVED: The uploaded file was removed when its response ended',
  { hint: 'call `saveTo` before the response ends' },
);
