/**
 * The error catalogue: errors of declarations, boot and the server; those of schemas and requests follow in another file. Codes are
 * permanent. `FST_ERR_…` codes and their messages are Fastify's, because published plugins and alerts match on them.
 */
import { defineError, type ErrorClass, typeError } from '../shared/define-error.ts';

export * from './errors-of-requests.ts';

/** The options are not an object. */
export const OptionsNotObject: ErrorClass<[received: string]> = typeError('FST_ERR_OPTIONS_NOT_OBJ', {
  message: (received: string) => `Options must be an object, instead got ${received}`,
  fastifyMessage: () => 'Options must be an object',
});
/** `querystringParser` is not a function. */
export const QuerystringParserNotFunction: ErrorClass<[received: string]> = typeError(
  "FST_ERR_QSP_NOT_FN: querystringParser option should be a function, instead got '%s'",
);
/** `schemaController.bucket` is not a function. */
export const SchemaBucketNotFunction: ErrorClass<[received: string]> = typeError(
  "FST_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN: schemaController.bucket option should be a function, instead got '%s'",
);
/** The schema error formatter is not a function, or is async. */
export const SchemaErrorFormatterNotFunction: ErrorClass<[received: string]> = typeError(
  "FST_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN: schemaErrorFormatter option should be a non async function. Instead got '%s'.",
);
/** `ajv.customOptions` is not an object. */
export const AjvOptionsNotObject: ErrorClass<[received: string]> = typeError(
  "FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ: ajv.customOptions option should be an object, instead got '%s'",
);
/** `ajv.plugins` is not an array. */
export const AjvPluginsNotArray: ErrorClass<[received: string]> = typeError(
  "FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_ARR: ajv.plugins option should be an array, instead got '%s'",
);
/** An option has an invalid value. */
export const OptionsInvalid: ErrorClass<[problems: string]> = defineError(
  "FST_ERR_INIT_OPTS_INVALID: Invalid initialization options: '%s'",
);
/** The server of your `serverFactory` cannot close idle connections. */
export const ForceCloseIdleUnavailable: ErrorClass<[]> = defineError(
  "FST_ERR_FORCE_CLOSE_CONNECTIONS_IDLE_NOT_AVAILABLE: Cannot set forceCloseConnections to 'idle' as your HTTP server does not support closeIdleConnections method",
);
/** A value of a route, of `register` or of a setter; the factory and `listen` have codes of their own. */
export const OptionInvalid: ErrorClass<[owner: string, problem: string]> = typeError(
  'AMBIT_ERR_OPTION_INVALID: %s: %s',
);
/** The option, or the name in a route's schema, does not exist or looks misspelt. The message suggests the nearest name. */
export const UnknownOption: ErrorClass<[option: string, owner: string, nearest: string | undefined]> =
  typeError('AMBIT_ERR_UNKNOWN_OPTION', {
    message: (option: string, owner: string, nearest: string | undefined) =>
      `unknown option '${option}' of ${owner}${nearest === undefined ? '' : `; did you mean '${nearest}'?`}`,
  });

type PluginError = ErrorClass<[problem: string]>;
/** Fastify's messages begin with the name of its plugin loader. */
const ofPluginLoader = { fastifyMessage: 'fastify-plugin: %s' };

/** The value passed to `register` is not a plugin. */
export const PluginInvalid: PluginError = defineError('FST_ERR_PLUGIN_NOT_VALID: %s', ofPluginLoader);
/** Reserved; Ambit does not use it. */
export const PluginCallbackNotFunction: PluginError = typeError(
  'FST_ERR_PLUGIN_CALLBACK_NOT_FN: %s',
  ofPluginLoader,
);
/** `register` was called too late: the application has booted. */
export const RootAlreadyBooted: PluginError = defineError('FST_ERR_ROOT_PLG_BOOTED: %s', ofPluginLoader);
/** `register` was called too late: the plugin that called it has loaded. */
export const ParentAlreadyLoaded: PluginError = defineError(
  'FST_ERR_PARENT_PLUGIN_BOOTED: %s',
  ofPluginLoader,
);
/** The plugin did not finish within `pluginTimeout`. */
export const PluginTimeout: PluginError = defineError('FST_ERR_PLUGIN_TIMEOUT: %s', ofPluginLoader);
/** An async plugin has the parameter `done`. */
export const PluginMixesStyles: ErrorClass<[plugin: string]> = typeError(
  'FST_ERR_PLUGIN_INVALID_ASYNC_HANDLER: The %s plugin being registered mixes async and callback styles. Async plugin should not mix async and callback style.',
);
/** The plugin was written for another version of the API. */
export const PluginVersionMismatch: ErrorClass<[plugin: string, range: string, version: string]> =
  defineError(
    "FST_ERR_PLUGIN_VERSION_MISMATCH: the plugin '%s' requires version '%s' of the Fastify API, but this is '%s'",
    { fastifyMessage: "fastify-plugin: %s - expected '%s' fastify version, '%s' is installed" },
  );
/** A plugin in `dependencies` is not registered before this one. */
export const PluginDependencyMissing: ErrorClass<[dependency: string, plugin: string]> = defineError(
  "FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED: The dependency '%s' of plugin '%s' is not registered",
);
/** The object with a decorator, as messages of Fastify name it. */
export type DecoratorOwner = 'Fastify' | 'Request' | 'Reply';
/** A decorator in `decorators` is not visible. */
export const PluginDecoratorMissing: ErrorClass<
  [decorator: string, requiredBy: string, owner: DecoratorOwner]
> = defineError('FST_ERR_PLUGIN_NOT_PRESENT_IN_INSTANCE', {
  message: (decorator: string, requiredBy: string, owner: DecoratorOwner) =>
    `The decorator '${decorator}'${requiredBy} is not present in ${owner === 'Fastify' ? 'Context' : owner}`,
  fastifyMessage: "The decorator '%s'%s is not present in %s",
});
/** The metadata of the plugin is invalid, or the plugin depends on itself. */
export const PluginMetadataInvalid: ErrorClass<[problem: string]> = typeError(
  'AMBIT_ERR_PLUGIN_METADATA: plugin metadata: %s',
);

/** The name is already used. */
export const DecoratorAlreadyPresent: ErrorClass<[name: string]> = defineError(
  'FST_ERR_DEC_ALREADY_PRESENT',
  { message: (name: string) => `The decorator '${String(name)}' has already been added!` },
);
/** The third argument of a decorator is not an array. */
export const DecoratorDependenciesInvalid: ErrorClass<[name: string, received: string]> = typeError(
  'FST_ERR_DEC_DEPENDENCY_INVALID_TYPE',
  {
    message: (name: string, received: string) =>
      `The dependencies of decorator '${name}' must be an array, instead got ${received}`,
    fastifyMessage: (name: string) => `The dependencies of decorator '${name}' must be of type Array.`,
  },
);
/** A decorator that the third argument lists is missing. */
export const DecoratorDependencyMissing: ErrorClass<[dependency: string]> = defineError(
  "FST_ERR_DEC_MISSING_DEPENDENCY: The decorator is missing dependency '%s'.",
);
/** A decorator was added after boot. */
export const DecoratorAfterStart: ErrorClass<[name: string]> = defineError(
  "FST_ERR_DEC_AFTER_START: The decorator '%s' has been added after start!",
);
/** A decorator of requests or replies is an object. */
export const DecoratorReferenceType: ErrorClass<[name: string, type: string]> = defineError(
  "FST_ERR_DEC_REFERENCE_TYPE: The decorator '%s' of type '%s' is a reference type. Use the { getter, setter } interface instead.",
  {
    hint: 'one object would be shared by all requests; give a getter, or set the value in an onRequest hook',
  },
);
/** `getDecorator` or `setDecorator` got a name that is not declared. */
export const DecoratorUndeclared: ErrorClass<[name: string, owner: string]> = defineError(
  "FST_ERR_DEC_UNDECLARED: No decorator '%s' has been declared on %s.",
);

/** The name of a hook is not a string. */
export const HookNameInvalid: ErrorClass<[]> = typeError(
  'FST_ERR_HOOK_INVALID_TYPE: The hook name must be a string',
);
/** The hook is not a function. */
export const HookHandlerInvalid: ErrorClass<[hook: string, received: string]> = typeError(
  'FST_ERR_HOOK_INVALID_HANDLER: %s hook should be a function, instead got %s',
  { hint: 'pass the function itself; if it is imported, check the name' },
);
/** An async hook has the parameter `done`. */
export const HookMixesStyles: ErrorClass<[]> = typeError(
  "FST_ERR_HOOK_INVALID_ASYNC_HANDLER: Async function has too many arguments. Async hooks should not use the 'done' argument.",
);
/** There is no hook of that name. */
export const HookUnknown: ErrorClass<[hook: string]> = typeError(
  "FST_ERR_HOOK_NOT_SUPPORTED: '%s' is not a hook",
  { fastifyMessage: '%s hook not supported!' },
);
/** A boot hook or a plugin failed with a value that is not an error: `done(false)`, a rejection without a reason. */
export const FailedWithoutError: ErrorClass<[what: string, received: string]> = defineError(
  'AMBIT_ERR_FAILED_WITHOUT_ERROR: %s failed with %s instead of an error',
  { hint: 'pass an Error that says why; only `undefined` and `null` mean success' },
);
/** An `onReady`, `onListen` or `preClose` hook did not finish in time, or an `onClose` hook where `close` has options. */
export const HookTimeout: ErrorClass<[hook: string, name: string]> = defineError(
  "FST_ERR_HOOK_TIMEOUT: A callback for '%s' hook%s timed out. You may have forgotten to call 'done' function or to resolve a Promise",
);

/** A route with this method and URL exists. */
export const RouteDuplicated: ErrorClass<[method: string, url: string]> = defineError(
  "FST_ERR_DUPLICATED_ROUTE: Method '%s' already declared for route '%s'",
);
/** Two parameters of a path have one name, so that only the value of the last would be kept. */
export const ParameterDuplicated: ErrorClass<[url: string, name: string]> = defineError(
  "AMBIT_ERR_PARAMETER_DUPLICATED: the path '%s' has two parameters with the name '%s'",
  { hint: 'give each parameter of the path, and of the prefixes in front of it, a name of its own' },
);
/** No request can match both the path and the `params` schema of the route. */
export const ParamsMismatched: ErrorClass<
  [method: string | string[], url: string, problem: string, declared: string]
> = defineError(
  'AMBIT_ERR_PARAMS_MISMATCH: the params schema of %s %s %s: the parameters of the path are %s',
  { hint: 'use the same names in the path and in the schema, or give the property a default' },
);
/** The URL is not a string. */
export const RouteUrlInvalid: ErrorClass<[received: string]> = typeError(
  "FST_ERR_INVALID_URL: URL must be a string. Received '%s'",
  { status: 400 },
);
/** The router rejects the route. The message is the router's. */
export const RouteInvalid: ErrorClass<[problem: string]> = defineError('AMBIT_ERR_ROUTE_INVALID: %s');
/** The options of a shortcut such as `get` are not an object. */
export const RouteOptionsNotObject: ErrorClass<[method: string, url: string]> = typeError(
  'FST_ERR_ROUTE_OPTIONS_NOT_OBJ: Options for "%s:%s" route must be an object',
);
/** The route has two handlers. */
export const RouteHandlerDuplicated: ErrorClass<[method: string, url: string]> = defineError(
  'FST_ERR_ROUTE_DUPLICATED_HANDLER: Duplicate handler for "%s:%s" route is not allowed!',
);
/** The handler of the route is not a function. */
export const RouteHandlerNotFunction: ErrorClass<
  [method: string, url: string, option: string, received: string]
> = typeError('FST_ERR_ROUTE_HANDLER_NOT_FN', {
  message: (method: string, url: string, option: string, received: string) =>
    `\`${option}\` of ${method} ${url} must be a function, instead got ${received}`,
  fastifyMessage: (method: string, url: string) =>
    `Error Handler for ${method}:${url} route, if defined, must be a function`,
});
/** The route has no handler. */
export const RouteHandlerMissing: ErrorClass<[method: string, url: string]> = defineError(
  'FST_ERR_ROUTE_MISSING_HANDLER: Missing handler function for "%s:%s" route.',
  { hint: 'pass a function as the last argument or as `handler`; if it is imported, check the name' },
);
/** The handler is a generator function: when it returns, its body has not run yet. */
export const HandlerIsGenerator: ErrorClass<[handler: string]> = typeError('AMBIT_ERR_HANDLER_IS_GENERATOR', {
  message: (handler: string) =>
    `${handler} must not be a generator function, because its result cannot be sent; return \`Readable.from(generator())\` of node:stream from a normal function, or, for an async generator as the handler of a route, declare its items: \`response: { 200: { content: { 'text/event-stream': { itemSchema } } } }\``,
});
/** The method is not a string, or node does not accept it. */
export const MethodInvalid: ErrorClass<[received: string]> = typeError('FST_ERR_ROUTE_METHOD_INVALID', {
  message: (received: string) => `A method must be one of \`http.METHODS\`, instead got ${received}`,
  fastifyMessage: () => 'Provided method is invalid!',
});
/** The method is not supported: see `addHttpMethod`. */
export const MethodUnsupported: ErrorClass<[method: string]> = defineError(
  "FST_ERR_ROUTE_METHOD_NOT_SUPPORTED: '%s' is not a method of routes: `addHttpMethod` adds others",
  { fastifyMessage: '%s method is not supported.' },
);
/** The logger does not have this `logLevel`. */
export const RouteLogLevelInvalid: ErrorClass<[method: string, url: string, level: string]> = typeError(
  "FST_ERR_ROUTE_LOG_LEVEL_INVALID: Log level for '%s:%s' route must be a valid logger level. Received: '%s'",
);
/** A route of a method without a body has a `body` schema. */
export const BodySchemaUnsupported: ErrorClass<[method: string, url: string]> = defineError(
  'FST_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED: Body validation schema for %s:%s route is not supported!',
);
/** `bodyLimit` is not an integer greater than 0. */
export const BodyLimitInvalid: ErrorClass<[received: unknown]> = typeError(
  "FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT: 'bodyLimit' option must be an integer > 0. Got '%s'",
  { hint: 'give a number of bytes: 1_048_576 is 1 MiB' },
);
/** `handlerTimeout` of a route is not an integer of at least 0; on the facade, 0 is refused, too. */
export const HandlerTimeoutInvalid: ErrorClass<[received: unknown]> = typeError(
  "FST_ERR_ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT: 'handlerTimeout' option must be an integer >= 0. Got '%s'",
  { fastifyMessage: "'handlerTimeout' option must be an integer > 0. Got '%s'" },
);
/** A plugin that loads after the route was declared changes whether the route has a HEAD route; raised by boot. */
export const HeadRouteTooLate: ErrorClass<[]> = defineError(
  "AMBIT_ERR_HEAD_ROUTE_TOO_LATE: an onRoute hook changed 'exposeHeadRoute' of a route that is already declared",
  { hint: 'await the registration of the plugin that adds the hook before you declare the route' },
);
/** `rewriteUrl` did not return a string; the connection is closed. */
export const RewriteNotString: ErrorClass<[url: string, received: string]> = typeError(
  'FST_ERR_ROUTE_REWRITE_NOT_STR: Rewrite url for "%s" needs to be of type "string" but received "%s"',
);
/** The prefix already has a not-found handler. */
export const NotFoundHandlerAlreadySet: ErrorClass<[prefix: string]> = defineError(
  "AMBIT_ERR_NOT_FOUND_HANDLER_ALREADY_SET: Not found handler already set for the prefix '%s'",
  { fastifyMessage: "Not found handler already set for Fastify instance with prefix: '%s'" },
);

/** Both `logger.stream` and `logger.file` are set. */
export const LogDestinationInvalid: ErrorClass<[]> = defineError(
  'FST_ERR_LOG_INVALID_DESTINATION: Cannot specify both logger.stream and logger.file options',
);
/** The logger does not have all methods. */
export const LoggerInvalid: ErrorClass<[missing: string]> = typeError(
  "FST_ERR_LOG_INVALID_LOGGER: Invalid logger object provided. The logger instance should have these functions(s): '%s'.",
  {
    hint: 'for a logger of the framework, set `logger: true`; a logger of your own needs all of these functions',
  },
);
/** `loggerInstance` is not a logger. */
export const LoggerInstanceInvalid: ErrorClass<[]> = typeError(
  'FST_ERR_LOG_INVALID_LOGGER_INSTANCE: loggerInstance only accepts a logger instance.',
);
/** `logger` is a logger instance: pass it as `loggerInstance`. */
export const LoggerOptionsInvalid: ErrorClass<[]> = typeError(
  'FST_ERR_LOG_INVALID_LOGGER_CONFIG: logger options only accepts a configuration object.',
);
/** Both `logger` and `loggerInstance` are set. */
export const LoggerGivenTwice: ErrorClass<[]> = typeError(
  'FST_ERR_LOG_LOGGER_AND_LOGGER_INSTANCE_PROVIDED: You cannot provide both logger and loggerInstance. Please provide only one.',
);
/** The value is not a `LogController`. */
export const LogControllerInvalid: ErrorClass<[received: string]> = typeError(
  "FST_ERR_LOG_INVALID_LOG_CONTROLLER: logController option must be an instance of LogController, got '%s'.",
);

/** The options are not an object, a value has the wrong type, or `signal` is not an AbortSignal. */
export const ListenOptionsInvalid: ErrorClass<[problem: string]> = typeError(
  "FST_ERR_LISTEN_OPTIONS_INVALID: Invalid listen options: '%s'",
);
/** `listen` was called twice. */
export const AlreadyListening: ErrorClass<[]> = defineError(
  'FST_ERR_REOPENED_SERVER: The application is already listening',
  { fastifyMessage: 'Fastify is already listening' },
);
/** The options of `close` are not an object, or a time is not a number of milliseconds that a timer can wait for. */
export const CloseOptionsInvalid: ErrorClass<[problem: string]> = typeError(
  "AMBIT_ERR_CLOSE_OPTIONS_INVALID: Invalid close options: '%s'",
);
/** The request had not ended at the deadline of `close`. It is the reason of `request.signal`; its name is `AbortError` there. */
export const ClosedAtDeadline: ErrorClass<[]> = defineError(
  'AMBIT_ERR_CLOSED_AT_DEADLINE: The application has closed before the request had ended',
  { status: 503 },
);
/** `fetch` was not called with a `Request`. */
export const FetchRequestInvalid: ErrorClass<[received: string]> = typeError(
  'AMBIT_ERR_FETCH_REQUEST_INVALID: fetch must be called with a Request, instead got %s',
);
/** The application needs something that the runtime, or the build for it, does not have. */
export const RuntimeUnsupported: ErrorClass<[feature: string, wayOut: string]> = defineError(
  'AMBIT_ERR_RUNTIME_UNSUPPORTED: %s: not available in this runtime. %s',
);
/** The application is closed. */
export const AlreadyClosed: ErrorClass<[]> = defineError(
  'FST_ERR_REOPENED_CLOSE_SERVER: The application has already been closed and cannot be reopened',
  { fastifyMessage: 'Fastify has already been closed and cannot be reopened' },
);
/** A declaration came after boot. */
export const AlreadyStarted: ErrorClass<[call: string]> = defineError(
  'FST_ERR_INSTANCE_ALREADY_LISTENING: The application has already started. %s',
  {
    fastifyMessage: 'Fastify instance is already listening. %s',
    hint: 'declare it before `ready` or `listen` is called',
  },
);
/** `setErrorHandler` did not get a function. */
export const ErrorHandlerNotFunction: ErrorClass<[]> = typeError(
  'FST_ERR_ERROR_HANDLER_NOT_FN: Error Handler must be a function',
);
/** `setErrorHandler` was called twice in one context, and `allowErrorHandlerOverride` is `false`. */
export const ErrorHandlerAlreadySet: ErrorClass<[]> = typeError(
  "FST_ERR_ERROR_HANDLER_ALREADY_SET: Error Handler already set in this scope. Set 'allowErrorHandlerOverride: true' to allow overriding.",
);
