/** The hooks, in callback and in promise style: of a request, and of an instance. */

import type { Readable } from 'node:stream';
import type { FastifyError } from '@fastify/error';
import type { FastifyInstance } from './instance.cjs';
import type { FastifyBaseLogger } from './logger.cjs';
import type { FastifyPluginOptions } from './plugin.cjs';
import type { RegisterOptions } from './register.cjs';
import type { AnyCall, Call, RouteFunction, RouteGenericInterface, RouteOptions } from './route.cjs';
import type { FastifySchema } from './schema.cjs';
import type { FastifyTypeProvider, FastifyTypeProviderDefault } from './type-provider.cjs';
import type {
  ContextConfigDefault,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './utils.cjs';

/** Ends a hook that is written in callback style; an error ends the chain. */
export type HookHandlerDoneFunction = <TError extends Error = FastifyError>(err?: TError) => void;

/** Ends a hook that may replace the payload. */
export interface DoneFuncWithErrOrRes {
  /** Ends the hook, and keeps the payload. */
  (): void;
  /**
   * Fails the request.
   *
   * @param err The error.
   */
  <TError extends Error = FastifyError>(err: TError): void;
  /**
   * Ends the hook.
   *
   * @param err `null`.
   * @param res The payload that replaces the previous one.
   */
  (err: null, res: unknown): void;
}

/** The stream of body bytes. `receivedEncodedLength` counts bytes before decoding. */
export interface RequestPayload extends Readable {
  /** The number of bytes before decoding. A hook that decompresses sets it. */
  receivedEncodedLength?: number;
}

/** Ends a hook that may replace the stream. */
type DoneFuncWithErrOrStream = <TError extends Error = FastifyError>(
  err?: TError | null,
  res?: RequestPayload,
) => void;

// ---------------------------------------------------------------------------------------------------- hooks of a request

/** The parameters of a hook after request and reply, and the last parameter `done` in callback style. */
export interface HookArguments<Given extends unknown[] = unknown[], Done = unknown> {
  given: Given;
  done: Done;
}

/** The hooks of a request, except `onRequestAbort`, which has no reply. */
export interface RequestHooks<Payload = unknown, TError extends Error = FastifyError> {
  onRequest: HookArguments<[], HookHandlerDoneFunction>;
  preParsing: HookArguments<[payload: RequestPayload], DoneFuncWithErrOrStream>;
  preValidation: HookArguments<[], HookHandlerDoneFunction>;
  preHandler: HookArguments<[], HookHandlerDoneFunction>;
  preSerialization: HookArguments<[payload: Payload], DoneFuncWithErrOrRes>;
  onSend: HookArguments<[payload: Payload], DoneFuncWithErrOrRes>;
  onResponse: HookArguments<[], HookHandlerDoneFunction>;
  onError: HookArguments<[error: TError], () => void>;
  onTimeout: HookArguments<[], HookHandlerDoneFunction>;
}

/** A hook that ends when it calls `done`. */
export type CallbackHook<Arguments extends HookArguments, Route extends AnyCall> = RouteFunction<
  [...given: Arguments['given'], done: Arguments['done']],
  void,
  Route
>;

/** A hook that ends when its promise settles. */
export type AsyncHook<Arguments extends HookArguments, Route extends AnyCall> = RouteFunction<
  Arguments['given'],
  Promise<unknown>,
  Route
>;

/** The hook without a reply, because the client has disconnected. */
export type AbortHook<Rest extends unknown[], Result, Route extends AnyCall> = (
  this: Route['instance'],
  request: Route['request'],
  ...rest: Rest
) => Result;

/** Runs first, before the body is read. */
export type onRequestHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = CallbackHook<
  RequestHooks['onRequest'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** An `onRequest` hook that returns a promise. It runs first, before the body is read. */
export type onRequestAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = AsyncHook<
  RequestHooks['onRequest'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** Wraps or replaces the stream of the body. */
export type preParsingHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = CallbackHook<
  RequestHooks['preParsing'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** A `preParsing` hook that returns a promise. It runs before the body is parsed; it may return another stream to read it from. */
export type preParsingAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = AsyncHook<
  RequestHooks['preParsing'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** Runs when the body has been parsed, before it is validated. */
export type preValidationHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = CallbackHook<
  RequestHooks['preValidation'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** A `preValidation` hook that returns a promise. It runs after the body was parsed and before the request is validated. */
export type preValidationAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = AsyncHook<
  RequestHooks['preValidation'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** Runs when the request has been validated, before the handler. */
export type preHandlerHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = CallbackHook<
  RequestHooks['preHandler'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** A `preHandler` hook that returns a promise. It runs after validation, just before the handler. */
export type preHandlerAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = AsyncHook<
  RequestHooks['preHandler'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** Gets a payload before it is serialized, and may replace it. */
export type preSerializationHookHandler<
  PreSerializationPayload = unknown,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = CallbackHook<
  RequestHooks<PreSerializationPayload>['preSerialization'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** A `preSerialization` hook that returns a promise. It runs before a payload is serialized; it may return another payload. */
export type preSerializationAsyncHookHandler<
  PreSerializationPayload = unknown,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = AsyncHook<
  RequestHooks<PreSerializationPayload>['preSerialization'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** Gets the payload before it is sent, and may replace it with text, bytes, a stream or `null`. */
export type onSendHookHandler<
  OnSendPayload = unknown,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = CallbackHook<
  RequestHooks<OnSendPayload>['onSend'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** An `onSend` hook that returns a promise. It runs before the response is written; it may return another payload. */
export type onSendAsyncHookHandler<
  OnSendPayload = unknown,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = AsyncHook<
  RequestHooks<OnSendPayload>['onSend'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** Runs when the response has been sent. */
export type onResponseHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = CallbackHook<
  RequestHooks['onResponse'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** An `onResponse` hook that returns a promise. It runs after the response was sent. */
export type onResponseAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = AsyncHook<
  RequestHooks['onResponse'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** Runs when the socket timed out. */
export type onTimeoutHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = CallbackHook<
  RequestHooks['onTimeout'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** An `onTimeout` hook that returns a promise. It runs when the socket times out while the request is handled. */
export type onTimeoutAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = AsyncHook<
  RequestHooks['onTimeout'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** Gets an error before the response is sent. It cannot reply. */
export type onErrorHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  TError extends Error = FastifyError,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = CallbackHook<
  RequestHooks<unknown, TError>['onError'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** An `onError` hook that returns a promise. It runs when a request fails, before its error handler. */
export type onErrorAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  TError extends Error = FastifyError,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = AsyncHook<
  RequestHooks<unknown, TError>['onError'],
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** Runs when the client disconnects before its response is complete. */
export type onRequestAbortHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = AbortHook<
  [done: HookHandlerDoneFunction],
  void,
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** An `onRequestAbort` hook that returns a promise. It runs when the client closed the connection before the reply was complete. */
export type onRequestAbortAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = AbortHook<
  [],
  Promise<unknown>,
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

// -------------------------------------------------------------------------------------------------- hooks of an instance

/** Runs for each route that is declared. It may change the options of the route. */
export type onRouteHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  opts: RouteOptions<
    RawServer,
    RawRequest,
    RawReply,
    RouteGeneric,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  > & { routePath: string; path: string; prefix: string },
) => Promise<unknown> | void;

/** Runs for each new context, before its plugin runs. */
export type onRegisterHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Options extends FastifyPluginOptions = FastifyPluginOptions,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  instance: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  opts: RegisterOptions & Options,
) => Promise<unknown> | void;

/** Runs when all plugins have loaded, before the server listens. */
export type onReadyHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  done: HookHandlerDoneFunction,
) => void;

/** An `onReady` hook that returns a promise. It runs at the end of boot. */
export type onReadyAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>) => Promise<unknown>;

/** Runs when the server listens. */
export type onListenHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  done: HookHandlerDoneFunction,
) => void;

/** An `onListen` hook that returns a promise. It runs when the server listens. */
export type onListenAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>) => Promise<unknown>;

/** Runs when `close` was called, before the server stops listening. */
export type preCloseHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  done: HookHandlerDoneFunction,
) => void;

/** A `preClose` hook that returns a promise. It runs when `close` is called, while running requests are still served. */
export type preCloseAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>) => Promise<unknown>;

/** Runs when the server has stopped. */
export type onCloseHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  instance: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  done: HookHandlerDoneFunction,
) => void;

/** An `onClose` hook that returns a promise. It runs when the server has closed. */
export type onCloseAsyncHookHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> = (
  this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  instance: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
) => Promise<unknown>;

// ------------------------------------------------------------------------------------------------------- hooks by name

interface LifecycleHooks {
  onRequest: onRequestHookHandler;
  preParsing: preParsingHookHandler;
  preValidation: preValidationHookHandler;
  preHandler: preHandlerHookHandler;
  preSerialization: preSerializationHookHandler;
  onSend: onSendHookHandler;
  onResponse: onResponseHookHandler;
  onError: onErrorHookHandler;
  onTimeout: onTimeoutHookHandler;
  onRequestAbort: onRequestAbortHookHandler;
}

interface LifecycleAsyncHooks {
  onRequest: onRequestAsyncHookHandler;
  preParsing: preParsingAsyncHookHandler;
  preValidation: preValidationAsyncHookHandler;
  preHandler: preHandlerAsyncHookHandler;
  preSerialization: preSerializationAsyncHookHandler;
  onSend: onSendAsyncHookHandler;
  onResponse: onResponseAsyncHookHandler;
  onError: onErrorAsyncHookHandler;
  onTimeout: onTimeoutAsyncHookHandler;
  onRequestAbort: onRequestAbortAsyncHookHandler;
}

interface ApplicationHooks {
  onRoute: onRouteHookHandler;
  onRegister: onRegisterHookHandler;
  onReady: onReadyHookHandler;
  onListen: onListenHookHandler;
  preClose: preCloseHookHandler;
  onClose: onCloseHookHandler;
}

interface ApplicationAsyncHooks {
  onRegister: onRegisterHookHandler;
  onReady: onReadyAsyncHookHandler;
  onListen: onListenAsyncHookHandler;
  preClose: preCloseAsyncHookHandler;
  onClose: onCloseAsyncHookHandler;
  onRoute: never;
}

export type LifecycleHook = keyof LifecycleHooks;
export type ApplicationHook = keyof ApplicationHooks;
export type LifecycleHookLookup<K extends LifecycleHook> = LifecycleHooks[K];
export type LifecycleHookAsyncLookup<K extends LifecycleHook> = LifecycleAsyncHooks[K];
export type ApplicationHookLookup<K extends ApplicationHook> = ApplicationHooks[K];
export type ApplicationHookAsyncLookup<K extends ApplicationHook> = ApplicationAsyncHooks[K];
export type HookLookup<K extends ApplicationHook | LifecycleHook> = (LifecycleHooks & ApplicationHooks)[K];
export type HookAsyncLookup<K extends ApplicationHook | LifecycleHook> = (LifecycleAsyncHooks &
  ApplicationAsyncHooks)[K];
