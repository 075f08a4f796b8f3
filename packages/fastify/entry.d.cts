/**
 * Declares the module for both `require('fastify')` and `import 'fastify'`. It is one file, because a `declare module 'fastify'` in a
 * plugin merges with one module only. With two files, ES modules and CommonJS would not see each other's augmentations.
 */
import type * as http from 'node:http';
import type * as http2 from 'node:http2';
import type * as https from 'node:https';
import type { FastifyError } from '@fastify/error';
import type {
  AddContentTypeParser,
  ConstructorAction,
  FastifyBodyParser,
  FastifyContentTypeParser,
  getDefaultJsonParser,
  hasContentTypeParser,
  ProtoAction,
} from './types/content-type-parser.cjs';
import type { FastifyContextConfig, FastifyReplyContext, FastifyRequestContext } from './types/context.cjs';
import type { FastifyErrorCodes } from './types/errors.cjs';
import type {
  DoneFuncWithErrOrRes,
  HookHandlerDoneFunction,
  onCloseAsyncHookHandler,
  onCloseHookHandler,
  onErrorAsyncHookHandler,
  onErrorHookHandler,
  onListenAsyncHookHandler,
  onListenHookHandler,
  onReadyAsyncHookHandler,
  onReadyHookHandler,
  onRegisterHookHandler,
  onRequestAbortAsyncHookHandler,
  onRequestAbortHookHandler,
  onRequestAsyncHookHandler,
  onRequestHookHandler,
  onResponseAsyncHookHandler,
  onResponseHookHandler,
  onRouteHookHandler,
  onSendAsyncHookHandler,
  onSendHookHandler,
  onTimeoutAsyncHookHandler,
  onTimeoutHookHandler,
  preCloseAsyncHookHandler,
  preCloseHookHandler,
  preHandlerAsyncHookHandler,
  preHandlerHookHandler,
  preParsingAsyncHookHandler,
  preParsingHookHandler,
  preSerializationAsyncHookHandler,
  preSerializationHookHandler,
  preValidationAsyncHookHandler,
  preValidationHookHandler,
  RequestPayload,
} from './types/hooks.cjs';
import type {
  InjectOptions,
  LightMyRequestCallback,
  LightMyRequestChain,
  LightMyRequestResponse,
} from './types/inject.cjs';
import type { FastifyInstance, FastifyListenOptions, PrintRoutesOptions } from './types/instance.cjs';
import type {
  FastifyBaseLogger,
  FastifyLogFn,
  FastifyLoggerInstance,
  FastifyLoggerOptions,
  LogLevel,
} from './types/logger.cjs';
import { LogController as LogControllerClass } from './types/logger.cjs';
import type {
  FastifyPlugin,
  FastifyPluginAsync,
  FastifyPluginCallback,
  FastifyPluginOptions,
} from './types/plugin.cjs';
import type { FastifyRegister, FastifyRegisterOptions, RegisterOptions } from './types/register.cjs';
import type { FastifyReply } from './types/reply.cjs';
import type { FastifyRequest, RequestGenericInterface } from './types/request.cjs';
import type {
  RouteGenericInterface,
  RouteHandler,
  RouteHandlerMethod,
  RouteOptions,
  RouteShorthandMethod,
  RouteShorthandOptions,
  RouteShorthandOptionsWithHandler,
} from './types/route.cjs';
import type {
  FastifySchema,
  FastifySchemaCompiler,
  FastifySchemaValidationError,
  FastifySerializerCompiler,
  SchemaErrorDataVar,
} from './types/schema.cjs';
import type { FastifyServerFactory, FastifyServerFactoryHandler } from './types/server-factory.cjs';
import type {
  ConnectionError,
  FastifyHttp2Options,
  FastifyHttp2SecureOptions,
  FastifyHttpOptions,
  FastifyHttpsOptions,
  FastifyRouterOptions,
  FastifyServerOptions,
} from './types/server-options.cjs';
import type {
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  SafePromiseLike,
} from './types/type-provider.cjs';
import type {
  ContextConfigDefault,
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
  RequestBodyDefault,
  RequestHeadersDefault,
  RequestParamsDefault,
  RequestQuerystringDefault,
} from './types/utils.cjs';

declare module '@fastify/error' {
  interface FastifyError {
    validation?: FastifySchemaValidationError[];
    validationContext?: SchemaErrorDataVar;
  }
}

type Factory = typeof fastify;

declare namespace fastify {
  export const fastify: Factory;
  export { fastify as default };
  /** The error catalogue by code. */
  export const errorCodes: FastifyErrorCodes;
  export { LogControllerClass as LogController };

  /** @deprecated The older name of `FastifySchemaValidationError`. */
  export type ValidationResult = FastifySchemaValidationError;

  export type {
    AddContentTypeParser,
    ConnectionError,
    ConstructorAction,
    ContextConfigDefault,
    DoneFuncWithErrOrRes,
    FastifyBaseLogger,
    FastifyBodyParser,
    FastifyContentTypeParser,
    FastifyContextConfig,
    FastifyError,
    FastifyErrorCodes,
    FastifyHttp2Options,
    FastifyHttp2SecureOptions,
    FastifyHttpOptions,
    FastifyHttpsOptions,
    FastifyInstance,
    FastifyListenOptions,
    FastifyLogFn,
    FastifyLoggerInstance,
    FastifyLoggerOptions,
    FastifyPlugin,
    FastifyPluginAsync,
    FastifyPluginCallback,
    FastifyPluginOptions,
    FastifyRegister,
    FastifyRegisterOptions,
    FastifyReply,
    FastifyReplyContext,
    FastifyRequest,
    FastifyRequestContext,
    FastifyRouterOptions,
    FastifySchema,
    FastifySchemaCompiler,
    FastifySchemaValidationError,
    FastifySerializerCompiler,
    FastifyServerFactory,
    FastifyServerFactoryHandler,
    FastifyServerOptions,
    FastifyTypeProvider,
    FastifyTypeProviderDefault,
    getDefaultJsonParser,
    HookHandlerDoneFunction,
    HTTPMethods,
    hasContentTypeParser,
    InjectOptions,
    LightMyRequestCallback,
    LightMyRequestChain,
    LightMyRequestResponse,
    LogLevel,
    onCloseAsyncHookHandler,
    onCloseHookHandler,
    onErrorAsyncHookHandler,
    onErrorHookHandler,
    onListenAsyncHookHandler,
    onListenHookHandler,
    onReadyAsyncHookHandler,
    onReadyHookHandler,
    onRegisterHookHandler,
    onRequestAbortAsyncHookHandler,
    onRequestAbortHookHandler,
    onRequestAsyncHookHandler,
    onRequestHookHandler,
    onResponseAsyncHookHandler,
    onResponseHookHandler,
    onRouteHookHandler,
    onSendAsyncHookHandler,
    onSendHookHandler,
    onTimeoutAsyncHookHandler,
    onTimeoutHookHandler,
    PrintRoutesOptions,
    ProtoAction,
    preCloseAsyncHookHandler,
    preCloseHookHandler,
    preHandlerAsyncHookHandler,
    preHandlerHookHandler,
    preParsingAsyncHookHandler,
    preParsingHookHandler,
    preSerializationAsyncHookHandler,
    preSerializationHookHandler,
    preValidationAsyncHookHandler,
    preValidationHookHandler,
    RawReplyDefaultExpression,
    RawRequestDefaultExpression,
    RawServerBase,
    RawServerDefault,
    RegisterOptions,
    RequestBodyDefault,
    RequestGenericInterface,
    RequestHeadersDefault,
    RequestParamsDefault,
    RequestPayload,
    RequestQuerystringDefault,
    RouteGenericInterface,
    RouteHandler,
    RouteHandlerMethod,
    RouteOptions,
    RouteShorthandMethod,
    RouteShorthandOptions,
    RouteShorthandOptionsWithHandler,
    SafePromiseLike,
  };
}

type Started<
  Server extends RawServerBase,
  Request extends RawRequestDefaultExpression<Server>,
  Reply extends RawReplyDefaultExpression<Server>,
  Logger extends FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider,
> = FastifyInstance<Server, Request, Reply, Logger, TypeProvider> &
  SafePromiseLike<FastifyInstance<Server, Request, Reply, Logger, TypeProvider>>;

/**
 * Creates an application.
 *
 * @param opts The options. `http2` and `https` select the kind of server: HTTP/2 over TLS, HTTP/2, HTTPS or HTTP.
 * @returns The root instance.
 * @throws {FST_ERR_INIT_OPTS_INVALID} or {AMBIT_ERR_UNKNOWN_OPTION} for an invalid option.
 */
declare function fastify<
  Server extends http2.Http2SecureServer,
  Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
  Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(opts: FastifyHttp2SecureOptions<Server, Logger>): Started<Server, Request, Reply, Logger, TypeProvider>;
declare function fastify<
  Server extends http2.Http2Server,
  Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
  Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(opts: FastifyHttp2Options<Server, Logger>): Started<Server, Request, Reply, Logger, TypeProvider>;
declare function fastify<
  Server extends https.Server,
  Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
  Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(opts: FastifyHttpsOptions<Server, Logger>): Started<Server, Request, Reply, Logger, TypeProvider>;
declare function fastify<
  Server extends http.Server,
  Request extends RawRequestDefaultExpression<Server> = RawRequestDefaultExpression<Server>,
  Reply extends RawReplyDefaultExpression<Server> = RawReplyDefaultExpression<Server>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
>(opts?: FastifyHttpOptions<Server, Logger>): Started<Server, Request, Reply, Logger, TypeProvider>;

export = fastify;
