/** The errors of declarations of routes. */

import type { ErrorClass } from '../../shared/coded-error.ts';
import { defineError } from '../../shared/define-error.ts';

/** A route with this method and URL exists. */
export const RouteDuplicated: ErrorClass<[method: string, url: string]> = defineError({
  code: 'FST_ERR_DUPLICATED_ROUTE',
  message: "Method '%s' already declared for route '%s'",
});
/** Two parameters of a path have one name, so that only the value of the last would be kept. */
export const ParameterDuplicated: ErrorClass<[url: string, name: string]> = defineError({
  code: 'AMBIT_ERR_PARAMETER_DUPLICATED',
  message: "the path '%s' has two parameters with the name '%s'",
  hint: 'give each parameter of the path, and of the prefixes in front of it, a name of its own',
});
/** No request can match both the path and the `params` schema of the route. */
export const ParamsMismatched: ErrorClass<
  [method: string | string[], url: string, problem: string, declared: string]
> = defineError({
  code: 'AMBIT_ERR_PARAMS_MISMATCH',
  message: 'the params schema of %s %s %s: the parameters of the path are %s',
  hint: 'use the same names in the path and in the schema, or give the property a default',
});
/** The URL is not a string. */
export const RouteUrlInvalid: ErrorClass<[received: string]> = defineError({
  code: 'FST_ERR_INVALID_URL',
  status: 400,
  message: "URL must be a string. Received '%s'",
  base: TypeError,
});
/** The router rejects the route. The message is the router's. */
export const RouteInvalid: ErrorClass<[problem: string]> = defineError({
  code: 'AMBIT_ERR_ROUTE_INVALID',
  message: '%s',
});
/** The options of a shortcut such as `get` are not an object. */
export const RouteOptionsNotObject: ErrorClass<[method: string, url: string]> = defineError({
  code: 'FST_ERR_ROUTE_OPTIONS_NOT_OBJ',
  message: 'Options for "%s:%s" route must be an object',
  base: TypeError,
});
/** The route has two handlers. */
export const RouteHandlerDuplicated: ErrorClass<[method: string, url: string]> = defineError({
  code: 'FST_ERR_ROUTE_DUPLICATED_HANDLER',
  message: 'Duplicate handler for "%s:%s" route is not allowed!',
});
/** The handler of the route is not a function. */
export const RouteHandlerNotFunction: ErrorClass<[method: string, url: string]> = defineError({
  code: 'FST_ERR_ROUTE_HANDLER_NOT_FN',
  message: 'Error Handler for %s:%s route, if defined, must be a function',
  base: TypeError,
});
/** The route has no handler. */
export const RouteHandlerMissing: ErrorClass<[method: string, url: string]> = defineError({
  code: 'FST_ERR_ROUTE_MISSING_HANDLER',
  message: 'Missing handler function for "%s:%s" route.',
});
/** The handler is a generator function: when it returns, its body has not run yet. */
export const HandlerIsGenerator: ErrorClass<[handler: string]> = defineError({
  code: 'AMBIT_ERR_HANDLER_IS_GENERATOR',
  message: (handler: string) =>
    `${handler} must not be a generator function, because its result cannot be sent; return \`Readable.from(generator())\` of node:stream from a normal function, or, for an async generator as the handler of a route, declare its items: \`response: { 200: { content: { 'text/event-stream': { itemSchema } } } }\``,
  base: TypeError,
});
/** The method is not a string, or node does not accept it. */
export const MethodInvalid: ErrorClass<[]> = defineError({
  code: 'FST_ERR_ROUTE_METHOD_INVALID',
  message: 'Provided method is invalid!',
  base: TypeError,
});
/** The method is not supported: see `addHttpMethod`. */
export const MethodUnsupported: ErrorClass<[method: string]> = defineError({
  code: 'FST_ERR_ROUTE_METHOD_NOT_SUPPORTED',
  message: '%s method is not supported.',
});
/** The logger does not have this `logLevel`. */
export const RouteLogLevelInvalid: ErrorClass<[method: string, url: string, level: string]> = defineError({
  code: 'FST_ERR_ROUTE_LOG_LEVEL_INVALID',
  message: "Log level for '%s:%s' route must be a valid logger level. Received: '%s'",
  base: TypeError,
});
/** A route of a method without a body has a `body` schema. */
export const BodySchemaUnsupported: ErrorClass<[method: string, url: string]> = defineError({
  code: 'FST_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED',
  message: 'Body validation schema for %s:%s route is not supported!',
});
/** `bodyLimit` is not an integer greater than 0. */
export const BodyLimitInvalid: ErrorClass<[received: unknown]> = defineError({
  code: 'FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT',
  message: "'bodyLimit' option must be an integer > 0. Got '%s'",
  base: TypeError,
});
/** `handlerTimeout` is not an integer greater than 0. */
export const HandlerTimeoutInvalid: ErrorClass<[received: unknown]> = defineError({
  code: 'FST_ERR_ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT',
  message: "'handlerTimeout' option must be an integer > 0. Got '%s'",
  base: TypeError,
});
/** A plugin that loads after the route was declared changes whether the route has a HEAD route; raised by boot. */
export const HeadRouteTooLate: ErrorClass<[]> = defineError({
  code: 'AMBIT_ERR_HEAD_ROUTE_TOO_LATE',
  message: "an onRoute hook changed 'exposeHeadRoute' of a route that is already declared",
  hint: 'await the registration of the plugin that adds the hook before you declare the route',
});
/** `rewriteUrl` did not return a string; the connection is closed. */
export const RewriteNotString: ErrorClass<[url: string, received: string]> = defineError({
  code: 'FST_ERR_ROUTE_REWRITE_NOT_STR',
  message: 'Rewrite url for "%s" needs to be of type "string" but received "%s"',
  base: TypeError,
});
/** The prefix already has a not-found handler. */
export const NotFoundHandlerAlreadySet: ErrorClass<[prefix: string]> = defineError({
  code: 'AMBIT_ERR_NOT_FOUND_HANDLER_ALREADY_SET',
  message: "Not found handler already set for the prefix '%s'",
  ecosystemMessage: "Not found handler already set for Fastify instance with prefix: '%s'",
});
