/**
 * The error catalogue. Codes are permanent. `FST_ERR_…` codes, with their texts, are the ecosystem's: published plugins
 * and alerts match on them. What has no counterpart there is `AMBIT_…`.
 */
import { defineError, type ErrorClass } from '../kit/define-error.ts';

// ---------------------------------------------------------------------------------------------- options of the factory

export const OptionsNotObject: ErrorClass<[]> = defineError({
  code: 'FST_ERR_OPTIONS_NOT_OBJ',
  message: 'Options must be an object',
  base: TypeError,
});
export const QuerystringParserNotFunction: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_QSP_NOT_FN',
  message: "querystringParser option should be a function, instead got '%s'",
  base: TypeError,
});
export const SchemaBucketNotFunction: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN',
  message: "schemaController.bucket option should be a function, instead got '%s'",
  base: TypeError,
});
export const SchemaErrorFormatterNotFunction: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN',
  message: "schemaErrorFormatter option should be a non async function. Instead got '%s'.",
  base: TypeError,
});
export const AjvOptionsNotObject: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ',
  message: "ajv.customOptions option should be an object, instead got '%s'",
  base: TypeError,
});
export const AjvPluginsNotArray: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_ARR',
  message: "ajv.plugins option should be an array, instead got '%s'",
  base: TypeError,
});
export const OptionsInvalid: ErrorClass<[problems: string]> = defineError({
  code: 'FST_ERR_INIT_OPTS_INVALID',
  message: "Invalid initialization options: '%s'",
});
export const ForceCloseIdleUnavailable: ErrorClass<[]> = defineError({
  code: 'FST_ERR_FORCE_CLOSE_CONNECTIONS_IDLE_NOT_AVAILABLE',
  message:
    "Cannot set forceCloseConnections to 'idle' as your HTTP server does not support closeIdleConnections method",
});
/** A value of a route, of `register` or of a setter; the factory and `listen` have codes of their own. */
export const OptionInvalid: ErrorClass<[owner: string, problem: string]> = defineError({
  code: 'AMBIT_ERR_OPTION_INVALID',
  message: '%s: %s',
  base: TypeError,
});
export const UnknownOption: ErrorClass<[option: string, owner: string, nearest: string | undefined]> =
  defineError({
    code: 'AMBIT_ERR_UNKNOWN_OPTION',
    message: (option: string, owner: string, nearest: string | undefined) =>
      `unknown option '${option}' of ${owner}${nearest === undefined ? '' : `; did you mean '${nearest}'?`}`,
    base: TypeError,
  });

// --------------------------------------------------------------------------------------------------------------- logs

export const LogDestinationInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_LOG_INVALID_DESTINATION',
  message: 'Cannot specify both logger.stream and logger.file options',
});
export const LoggerInvalid: ErrorClass<[missing: string]> = defineError({
  code: 'FST_ERR_LOG_INVALID_LOGGER',
  message: "Invalid logger object provided. The logger instance should have these functions(s): '%s'.",
  base: TypeError,
});
export const LoggerInstanceInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_LOG_INVALID_LOGGER_INSTANCE',
  message: 'loggerInstance only accepts a logger instance.',
  base: TypeError,
});
export const LoggerOptionsInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_LOG_INVALID_LOGGER_CONFIG',
  message: 'logger options only accepts a configuration object.',
  base: TypeError,
});
export const LoggerGivenTwice: ErrorClass<[]> = defineError({
  code: 'FST_ERR_LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED',
  message: 'You cannot provide both logger and loggerInstance. Please provide only one.',
  base: TypeError,
});
export const LogControllerInvalid: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_LOG_INVALID_LOG_CONTROLLER',
  message: "logController option must be an instance of LogController, got '%s'.",
  base: TypeError,
});

// ---------------------------------------------------------------------------------------------------- server life cycle

export const ListenOptionsInvalid: ErrorClass<[problem: string]> = defineError({
  code: 'FST_ERR_LISTEN_OPTIONS_INVALID',
  message: "Invalid listen options: '%s'",
  base: TypeError,
});
export const AlreadyListening: ErrorClass<[]> = defineError({
  code: 'FST_ERR_REOPENED_SERVER',
  message: 'Fastify is already listening',
});
export const AlreadyClosed: ErrorClass<[]> = defineError({
  code: 'FST_ERR_REOPENED_CLOSE_SERVER',
  message: 'Fastify has already been closed and cannot be reopened',
});
export const AlreadyStarted: ErrorClass<[call: string]> = defineError({
  code: 'FST_ERR_INSTANCE_ALREADY_LISTENING',
  message: 'Fastify instance is already listening. %s',
});
export const ErrorHandlerNotFunction: ErrorClass<[]> = defineError({
  code: 'FST_ERR_ERROR_HANDLER_NOT_FN',
  message: 'Error Handler must be a function',
  base: TypeError,
});
export const ErrorHandlerAlreadySet: ErrorClass<[]> = defineError({
  code: 'FST_ERR_ERROR_HANDLER_ALREADY_SET',
  message:
    "Error Handler already set in this scope. Set 'allowErrorHandlerOverride: true' to allow overriding.",
  base: TypeError,
});

// ------------------------------------------------------------------------------------------------------------- plugins

export const PluginInvalid: ErrorClass<[problem: string]> = defineError({
  code: 'FST_ERR_PLUGIN_NOT_VALID',
  message: 'fastify-plugin: %s',
});
export const PluginCallbackNotFunction: ErrorClass<[problem: string]> = defineError({
  code: 'FST_ERR_PLUGIN_CALLBACK_NOT_FN',
  message: 'fastify-plugin: %s',
  base: TypeError,
});
export const RootAlreadyBooted: ErrorClass<[problem: string]> = defineError({
  code: 'FST_ERR_ROOT_PLG_BOOTED',
  message: 'fastify-plugin: %s',
});
export const ParentAlreadyLoaded: ErrorClass<[problem: string]> = defineError({
  code: 'FST_ERR_PARENT_PLUGIN_BOOTED',
  message: 'fastify-plugin: %s',
});
export const PluginTimeout: ErrorClass<[problem: string]> = defineError({
  code: 'FST_ERR_PLUGIN_TIMEOUT',
  message: 'fastify-plugin: %s',
});
export const PluginMixesStyles: ErrorClass<[plugin: string]> = defineError({
  code: 'FST_ERR_PLUGIN_INVALID_ASYNC_HANDLER',
  message:
    'The %s plugin being registered mixes async and callback styles. Async plugin should not mix async and callback style.',
  base: TypeError,
});
export const PluginVersionMismatch: ErrorClass<[plugin: string, range: string, version: string]> =
  defineError({
    code: 'FST_ERR_PLUGIN_VERSION_MISMATCH',
    message: "fastify-plugin: %s - expected '%s' fastify version, '%s' is installed",
  });
export const PluginDependencyMissing: ErrorClass<[dependency: string, plugin: string]> = defineError({
  code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED',
  message: "The dependency '%s' of plugin '%s' is not registered",
});
export const PluginDecoratorMissing: ErrorClass<[decorator: string, requiredBy: string, owner: string]> =
  defineError({
    code: 'FST_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE',
    message: "The decorator '%s'%s is not present in %s",
  });
export const PluginMetadataInvalid: ErrorClass<[problem: string]> = defineError({
  code: 'AMBIT_ERR_PLUGIN_METADATA',
  message: 'plugin metadata: %s',
  base: TypeError,
});

// ---------------------------------------------------------------------------------------------------------- decorators

export const DecoratorAlreadyPresent: ErrorClass<[name: string]> = defineError({
  code: 'FST_ERR_DEC_ALREADY_PRESENT',
  message: (name: string) => `The decorator '${String(name)}' has already been added!`,
});
export const DecoratorDependenciesInvalid: ErrorClass<[name: string]> = defineError({
  code: 'FST_ERR_DEC_DEPENDENCY_INVALID_TYPE',
  message: "The dependencies of decorator '%s' must be of type Array.",
  base: TypeError,
});
export const DecoratorDependencyMissing: ErrorClass<[dependency: string]> = defineError({
  code: 'FST_ERR_DEC_MISSING_DEPENDENCY',
  message: "The decorator is missing dependency '%s'.",
});
export const DecoratorAfterStart: ErrorClass<[name: string]> = defineError({
  code: 'FST_ERR_DEC_AFTER_START',
  message: "The decorator '%s' has been added after start!",
});
export const DecoratorReferenceType: ErrorClass<[name: string, type: string]> = defineError({
  code: 'FST_ERR_DEC_REFERENCE_TYPE',
  message:
    "The decorator '%s' of type '%s' is a reference type. Use the { getter, setter } interface instead.",
  hint: 'one object would be shared by all requests; give a getter, or set the value in an onRequest hook',
});
export const DecoratorUndeclared: ErrorClass<[name: string, owner: string]> = defineError({
  code: 'FST_ERR_DEC_UNDECLARED',
  message: "No decorator '%s' has been declared on %s.",
});

// --------------------------------------------------------------------------------------------------------------- hooks

export const HookNameInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_HOOK_INVALID_TYPE',
  message: 'The hook name must be a string',
  base: TypeError,
});
export const HookHandlerInvalid: ErrorClass<[hook: string, received: string]> = defineError({
  code: 'FST_ERR_HOOK_INVALID_HANDLER',
  message: '%s hook should be a function, instead got %s',
  base: TypeError,
});
export const HookMixesStyles: ErrorClass<[]> = defineError({
  code: 'FST_ERR_HOOK_INVALID_ASYNC_HANDLER',
  message: "Async function has too many arguments. Async hooks should not use the 'done' argument.",
  base: TypeError,
});
export const HookUnknown: ErrorClass<[hook: string]> = defineError({
  code: 'FST_ERR_HOOK_NOT_SUPPORTED',
  message: '%s hook not supported!',
  base: TypeError,
});
export const HookTimeout: ErrorClass<[hook: string, name: string]> = defineError({
  code: 'FST_ERR_HOOK_TIMEOUT',
  message:
    "A callback for '%s' hook%s timed out. You may have forgotten to call 'done' function or to resolve a Promise",
});

// -------------------------------------------------------------------------------------------------------------- routes

export const RouteDuplicated: ErrorClass<[method: string, url: string]> = defineError({
  code: 'FST_ERR_DUPLICATED_ROUTE',
  message: "Method '%s' already declared for route '%s'",
});
export const RouteUrlInvalid: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_INVALID_URL',
  status: 400,
  message: "URL must be a string. Received '%s'",
  base: TypeError,
});
/** The text is the router's. */
export const RouteInvalid: ErrorClass<[problem: string]> = defineError({
  code: 'AMBIT_ERR_ROUTE_INVALID',
  message: '%s',
});
export const RouteOptionsNotObject: ErrorClass<[method: string, url: string]> = defineError({
  code: 'FST_ERR_ROUTE_OPTIONS_NOT_OBJ',
  message: 'Options for "%s:%s" route must be an object',
  base: TypeError,
});
export const RouteHandlerDuplicated: ErrorClass<[method: string, url: string]> = defineError({
  code: 'FST_ERR_ROUTE_DUPLICATED_HANDLER',
  message: 'Duplicate handler for "%s:%s" route is not allowed!',
});
export const RouteHandlerNotFunction: ErrorClass<[method: string, url: string]> = defineError({
  code: 'FST_ERR_ROUTE_HANDLER_NOT_FN',
  message: 'Error Handler for %s:%s route, if defined, must be a function',
  base: TypeError,
});
export const RouteHandlerMissing: ErrorClass<[method: string, url: string]> = defineError({
  code: 'FST_ERR_ROUTE_MISSING_HANDLER',
  message: 'Missing handler function for "%s:%s" route.',
});
export const MethodInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_ROUTE_METHOD_INVALID',
  message: 'Provided method is invalid!',
  base: TypeError,
});
export const MethodUnsupported: ErrorClass<[method: string]> = defineError({
  code: 'FST_ERR_ROUTE_METHOD_NOT_SUPPORTED',
  message: '%s method is not supported.',
});
export const RouteLogLevelInvalid: ErrorClass<[method: string, url: string, level: string]> = defineError({
  code: 'FST_ERR_ROUTE_LOG_LEVEL_INVALID',
  message: "Log level for '%s:%s' route must be a valid logger level. Received: '%s'",
  base: TypeError,
});
export const BodySchemaUnsupported: ErrorClass<[method: string, url: string]> = defineError({
  code: 'FST_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED',
  message: 'Body validation schema for %s:%s route is not supported!',
});
export const BodyLimitInvalid: ErrorClass<[received: unknown]> = defineError({
  code: 'FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT',
  message: "'bodyLimit' option must be an integer > 0. Got '%s'",
  base: TypeError,
});
export const HandlerTimeoutInvalid: ErrorClass<[received: unknown]> = defineError({
  code: 'FST_ERR_ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT',
  message: "'handlerTimeout' option must be an integer > 0. Got '%s'",
  base: TypeError,
});
export const RewriteNotString: ErrorClass<[url: string, received: string]> = defineError({
  code: 'FST_ERR_ROUTE_REWRITE_NOT_STR',
  message: 'Rewrite url for "%s" needs to be of type "string" but received "%s"',
  base: TypeError,
});
export const NotFoundHandlerAlreadySet: ErrorClass<[prefix: string]> = defineError({
  code: 'AMBIT_ERR_NOT_FOUND_HANDLER_ALREADY_SET',
  message: "Not found handler already set for Fastify instance with prefix: '%s'",
});

// ------------------------------------------------------------------------------------------------------------- schemas

export const SchemaIdMissing: ErrorClass<[]> = defineError({
  code: 'FST_ERR_SCH_MISSING_ID',
  message: 'Missing schema $id property',
});
export const SchemaAlreadyPresent: ErrorClass<[id: string]> = defineError({
  code: 'FST_ERR_SCH_ALREADY_PRESENT',
  message: "Schema with id '%s' already declared!",
});
export const SchemaDuplicated: ErrorClass<[part: string]> = defineError({
  code: 'FST_ERR_SCH_DUPLICATE',
  message: "Schema with '%s' already present!",
});
export const SchemaContentMissing: ErrorClass<[mediaType: string]> = defineError({
  code: 'FST_ERR_SCH_CONTENT_MISSING_SCHEMA',
  message: "Schema is missing for the content type '%s'",
});
export const ValidationBuildFailed: ErrorClass<[method: string, url: string, reason: string]> = defineError({
  code: 'FST_ERR_SCH_VALIDATION_BUILD',
  message: 'Failed building the validation schema for %s: %s, due to error %s',
});
export const SerializationBuildFailed: ErrorClass<[method: string, url: string, reason: string]> =
  defineError({
    code: 'FST_ERR_SCH_SERIALIZATION_BUILD',
    message: 'Failed building the serialization schema for %s: %s, due to error %s',
  });
export const ResponseStatusInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX',
  message: 'response schemas should be nested under a valid status code, e.g { 2xx: { type: "object" } }',
});
export const FormatterResultInvalid: ErrorClass<[received: string]> = defineError({
  code: 'AMBIT_ERR_SCHEMA_ERROR_FORMATTER_RESULT',
  message: 'the schema error formatter must return an Error, instead it returned %s',
});
export const ValidatorNotFunction: ErrorClass<[part: string, received: string]> = defineError({
  code: 'AMBIT_ERR_VALIDATOR_NOT_FUNCTION',
  message: "the validator compiler must return a function for '%s', instead it returned %s",
  base: TypeError,
});
export const SerializerNotFunction: ErrorClass<[status: string, received: string]> = defineError({
  code: 'AMBIT_ERR_SERIALIZER_NOT_FUNCTION',
  message: "the serializer compiler must return a function for '%s', instead it returned %s",
  base: TypeError,
});

// ---------------------------------------------------------------------------------------------- requests and their body

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
  message: 'Cannot call "%s" when fastify instance is already started!',
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
      : `Unsupported Media Type: this route takes ${accepted}`,
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

// ------------------------------------------------------------------------------------------------------------- replies

export const PayloadTypeInvalid: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_REP_INVALID_PAYLOAD_TYPE',
  message: "Attempted to send payload of invalid type '%s'. Expected a string or Buffer.",
  base: TypeError,
});
export const ResponseBodyConsumed: ErrorClass<[]> = defineError({
  code: 'FST_ERR_REP_RESPONSE_BODY_CONSUMED',
  message: 'Response.body is already consumed.',
});
export const ReadableStreamLocked: ErrorClass<[]> = defineError({
  code: 'FST_ERR_REP_READABLE_STREAM_LOCKED',
  message: 'ReadableStream was locked. You should call releaseLock() method on reader before sending.',
});
export const ReplyAlreadySent: ErrorClass<[url: string, method: string]> = defineError({
  code: 'FST_ERR_REP_ALREADY_SENT',
  message: 'Reply was already sent, did you forget to "return reply" in "%s" (%s)?',
});
export const SentValueInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_REP_SENT_VALUE',
  message: 'The only possible value for reply.sent is true.',
  base: TypeError,
});
export const SendInsideOnError: ErrorClass<[]> = defineError({
  code: 'FST_ERR_SEND_INSIDE_ONERR',
  message: 'You cannot use `send` inside the `onError` hook',
});
export const UndefinedError: ErrorClass<[]> = defineError({
  code: 'FST_ERR_SEND_UNDEFINED_ERR',
  message: 'Undefined error has occurred',
});
export const StatusCodeInvalid: ErrorClass<[received: unknown]> = defineError({
  code: 'FST_ERR_BAD_STATUS_CODE',
  message: 'Called reply with an invalid status code: %s',
});
export const TrailerNameInvalid: ErrorClass<[name: string]> = defineError({
  code: 'FST_ERR_BAD_TRAILER_NAME',
  message: 'Called reply.trailer with an invalid header name: %s',
});
export const TrailerValueInvalid: ErrorClass<[name: string, received: string]> = defineError({
  code: 'FST_ERR_BAD_TRAILER_VALUE',
  message: "Called reply.trailer('%s', fn) with an invalid type: %s. Expected a function.",
});
export const ErrorSerializationFailed: ErrorClass<[reason: string, original: string]> = defineError({
  code: 'FST_ERR_FAILED_ERROR_SERIALIZATION',
  message: 'Failed to serialize an error. Error: %s. Original error: %s',
});
export const SerializerMissing: ErrorClass<[status: unknown]> = defineError({
  code: 'FST_ERR_MISSING_SERIALIZATION_FN',
  message: 'Missing serialization function. Key "%s"',
});
export const ContentSerializerMissing: ErrorClass<[status: unknown, mediaType: string]> = defineError({
  code: 'FST_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN',
  message: 'Missing serialization function. Key "%s:%s"',
});
export const MiddlewareMissing: ErrorClass<[]> = defineError({
  code: 'FST_ERR_MISSING_MIDDLEWARE',
  message:
    'You must register a plugin for handling middlewares, visit fastify.dev/docs/latest/Reference/Middleware/ for more info.',
});
