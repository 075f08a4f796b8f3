/** The instance: one context of an application, with all that plugins and applications do with it. */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ConstraintStrategy, FindResult, HTTPVersion } from 'find-my-way';
import type {
  AddContentTypeParser,
  ConstructorAction,
  FastifyBodyParser,
  getDefaultJsonParser,
  hasContentTypeParser,
  ProtoAction,
  removeAllContentTypeParsers,
  removeContentTypeParser,
} from './content-type-parser.cjs';
import type {
  AbortHook,
  ApplicationHook,
  AsyncHook,
  CallbackHook,
  HookArguments,
  HookAsyncLookup,
  HookHandlerDoneFunction,
  HookLookup,
  LifecycleHook,
  onCloseAsyncHookHandler,
  onCloseHookHandler,
  onListenAsyncHookHandler,
  onListenHookHandler,
  onReadyAsyncHookHandler,
  onReadyHookHandler,
  onRegisterHookHandler,
  onRouteHookHandler,
  preCloseAsyncHookHandler,
  preCloseHookHandler,
  RequestHooks,
} from './hooks.cjs';
import type {
  InjectOptions,
  LightMyRequestCallback,
  LightMyRequestChain,
  LightMyRequestResponse,
} from './inject.cjs';
import type { FastifyBaseLogger, FastifyChildLoggerFactory } from './logger.cjs';
import type { FastifyRegister } from './register.cjs';
import type { FastifyReply } from './reply.cjs';
import type { FastifyRequest } from './request.cjs';
import type {
  AnyCall,
  Call,
  RouteGenericInterface,
  RouteHandlerMethod,
  RouteOptions,
  RouteShorthandMethod,
} from './route.cjs';
import type {
  FastifySchema,
  FastifySchemaCompiler,
  FastifySchemaControllerOptions,
  FastifySerializerCompiler,
  SchemaErrorFormatter,
} from './schema.cjs';
import type { FastifyRouterOptions } from './server-options.cjs';
import type { FastifyTypeProvider, FastifyTypeProviderDefault, SafePromiseLike } from './type-provider.cjs';
import type {
  ContextConfigDefault,
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './utils.cjs';

export interface PrintRoutesOptions {
  method?: HTTPMethods;
  includeMeta?: boolean | (string | symbol)[];
  commonPrefix?: boolean;
  includeHooks?: boolean;
}

export interface FastifyListenOptions {
  /** TCP port; 0, the default, picks a free one. */
  port?: number;
  /** Address or name to bind; by default `localhost`. */
  host?: string;
  /** Path of a unix socket, instead of a port. */
  path?: string;
  /** Longest queue of pending connections. */
  backlog?: number;
  exclusive?: boolean;
  readableAll?: boolean;
  writableAll?: boolean;
  ipv6Only?: boolean;
  /** Aborting it closes the server. */
  signal?: AbortSignal;
  /** The text to log for each address. */
  listenTextResolver?: (address: string) => string;
}

// biome-ignore-start lint/suspicious/noExplicitAny: a decorator or a hook may be any function.
type AnyFunction = (...args: any[]) => any;
type AsyncFunction = (...args: any) => Promise<any>;
type AnyHook = (...args: any) => Promise<any> | any;
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** A decorator: a value, or a pair of functions that compute and take it. */
type GetterSetter<This, T> =
  | T
  | {
      getter: (this: This) => T;
      setter?: (this: This, value: T) => void;
    };

/** `T` comes first, so that `decorate<T>(name, value)` names the type of the value. */
type DecorationMethod<This, Return = This> = {
  <T extends P extends keyof This ? This[P] : unknown, P extends string | symbol = string | symbol>(
    property: P,
    value: GetterSetter<
      This,
      T extends AnyFunction ? (this: This, ...args: Parameters<T>) => ReturnType<T> : T
    >,
    dependencies?: string[],
  ): Return;
  (property: string | symbol): Return;
  (property: string | symbol, value: null | undefined, dependencies: string[]): Return;
};

/** What `hasRoute` and `findRoute` look for. */
type RouteQuery<Options extends { url: unknown; constraints?: unknown }> = Pick<
  Options,
  'url' | 'constraints'
> & {
  method: HTTPMethods;
};

type OneOrMore<T> = T | T[];

/** A hook whose style nothing tells is taken to be written with `done`. */
type CallbackStyle = (...args: never[]) => void;

/** A hook in the style that it is written in: one that returns a promise takes no `done`. */
type EitherStyle<Fn, Callback, Async> = Fn extends unknown
  ? Fn extends AsyncFunction
    ? Async
    : Callback
  : Fn;

type RequestHook<Fn, Arguments extends HookArguments, Route extends AnyCall> = EitherStyle<
  Fn,
  CallbackHook<Arguments, Route>,
  AsyncHook<Arguments, Route>
>;

type RequestAbortHook<Fn, Route extends AnyCall> = EitherStyle<
  Fn,
  AbortHook<[done: HookHandlerDoneFunction], void, Route>,
  AbortHook<[], Promise<unknown>, Route>
>;

/** The hooks that a not-found handler may have of its own: of each name one or more, all in one style. */
type NotFoundHooks<Route extends AnyCall> = {
  [Name in 'preValidation' | 'preHandler']?:
    | OneOrMore<CallbackHook<RequestHooks[Name], Route>>
    | OneOrMore<AsyncHook<RequestHooks[Name], Route>>;
};

/** Which protocol the router's types are for. */
export type FindMyWayVersion<RawServer extends RawServerBase> = RawServer extends Server
  ? HTTPVersion.V1
  : HTTPVersion.V2;
export type FindMyWayFindResult<RawServer extends RawServerBase> = FindResult<FindMyWayVersion<RawServer>>;

/** One context of an application. Augment this interface to type what `decorate` adds. */
export interface FastifyInstance<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> {
  server: RawServer;
  /** The path of plugins from the root. */
  pluginName: string;
  prefix: string;
  version: string;
  log: Logger;
  listeningOrigin: string;
  addresses(): Array<AddressInfo | string>;
  /** Types the routes that are declared on the result by another provider. */
  withTypeProvider<Provider extends FastifyTypeProvider>(): FastifyInstance<
    RawServer,
    RawRequest,
    RawReply,
    Logger,
    Provider
  >;

  // ---- plugins and boot
  register: FastifyRegister<
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> & SafePromiseLike<undefined>
  >;
  after(): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
    SafePromiseLike<undefined>;
  after(
    afterListener: (err: Error | null) => void,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  ready(): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
    SafePromiseLike<undefined>;
  ready(
    readyListener: (err: Error | null) => void | Promise<void>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  close(): Promise<undefined>;
  close(closeListener: () => void): undefined;
  // @ts-ignore: the symbol is missing from older libraries.
  [Symbol.asyncDispose](): Promise<undefined>;
  hasPlugin(name: string): boolean;
  printPlugins(): string;

  // ---- decorators
  decorate: DecorationMethod<FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>>;
  decorateRequest: DecorationMethod<
    FastifyRequest,
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  >;
  decorateReply: DecorationMethod<
    FastifyReply,
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  >;
  getDecorator<T>(name: string | symbol): T;
  hasDecorator(decorator: string | symbol): boolean;
  hasRequestDecorator(decorator: string | symbol): boolean;
  hasReplyDecorator(decorator: string | symbol): boolean;

  // ---- serving and injecting
  listen(opts: FastifyListenOptions, callback: (err: Error | null, address: string) => void): void;
  listen(opts?: FastifyListenOptions): Promise<string>;
  listen(callback: (err: Error | null, address: string) => void): void;
  inject(opts: InjectOptions | string, cb: LightMyRequestCallback): void;
  inject(opts: InjectOptions | string): Promise<LightMyRequestResponse>;
  inject(): LightMyRequestChain;
  /** Serves a pair of node's own objects. */
  routing(req: RawRequest, res: RawReply): void;

  // ---- routes
  route<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    const SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    opts: RouteOptions<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      TypeProvider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  delete: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  get: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  head: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  patch: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  post: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  put: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  options: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  query: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  trace: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  search: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  report: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  copy: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  move: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  lock: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  unlock: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  mkcol: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  mkcalendar: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  propfind: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  proppatch: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  all: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  hasRoute<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    opts: RouteQuery<
      RouteOptions<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider>
    >,
  ): boolean;
  findRoute<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    opts: RouteQuery<
      RouteOptions<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider>
    >,
  ): Omit<FindMyWayFindResult<RawServer>, 'store'>;
  printRoutes(opts?: PrintRoutesOptions): string;
  addConstraintStrategy(strategy: ConstraintStrategy<FindMyWayVersion<RawServer>, unknown>): void;
  hasConstraintStrategy(strategyName: string): boolean;
  supportedMethods: string[];
  /** Supports another method that node's parser accepts, with a shortcut of its own. */
  addHttpMethod(
    method: string,
    methodOptions?: { hasBody?: boolean; overrideExisting?: boolean },
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;

  // ---- hooks
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    Fn extends AnyHook = CallbackStyle,
  >(
    name: 'onRequest',
    hook: RequestHook<
      Fn,
      RequestHooks['onRequest'],
      Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    Fn extends AnyHook = CallbackStyle,
  >(
    name: 'preParsing',
    hook: RequestHook<
      Fn,
      RequestHooks['preParsing'],
      Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    Fn extends AnyHook = CallbackStyle,
  >(
    name: 'preValidation',
    hook: RequestHook<
      Fn,
      RequestHooks['preValidation'],
      Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    Fn extends AnyHook = CallbackStyle,
  >(
    name: 'preHandler',
    hook: RequestHook<
      Fn,
      RequestHooks['preHandler'],
      Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<
    PreSerializationPayload = unknown,
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    Fn extends AnyHook = CallbackStyle,
  >(
    name: 'preSerialization',
    hook: RequestHook<
      Fn,
      RequestHooks<PreSerializationPayload>['preSerialization'],
      Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<
    OnSendPayload = unknown,
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    Fn extends AnyHook = CallbackStyle,
  >(
    name: 'onSend',
    hook: RequestHook<
      Fn,
      RequestHooks<OnSendPayload>['onSend'],
      Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    Fn extends AnyHook = CallbackStyle,
  >(
    name: 'onResponse',
    hook: RequestHook<
      Fn,
      RequestHooks['onResponse'],
      Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    Fn extends AnyHook = CallbackStyle,
  >(
    name: 'onTimeout',
    hook: RequestHook<
      Fn,
      RequestHooks['onTimeout'],
      Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    Fn extends AnyHook = CallbackStyle,
  >(
    name: 'onRequestAbort',
    hook: RequestAbortHook<
      Fn,
      Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
    Fn extends AnyHook = CallbackStyle,
  >(
    name: 'onError',
    hook: RequestHook<
      Fn,
      RequestHooks['onError'],
      Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
    Logger extends FastifyBaseLogger = FastifyBaseLogger,
  >(
    name: 'onRoute',
    hook: onRouteHookHandler<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      TypeProvider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook(
    name: 'onRegister',
    hook: onRegisterHookHandler<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<Fn extends AnyHook = onListenHookHandler<RawServer, RawRequest, RawReply, Logger, TypeProvider>>(
    name: 'onListen',
    hook: EitherStyle<Fn, onListenHookHandler, onListenAsyncHookHandler>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<Fn extends AnyHook = onReadyHookHandler>(
    name: 'onReady',
    hook: EitherStyle<Fn, onReadyHookHandler, onReadyAsyncHookHandler>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<Fn extends AnyHook = preCloseHookHandler>(
    name: 'preClose',
    hook: EitherStyle<Fn, preCloseHookHandler, preCloseAsyncHookHandler>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /** Disposes of a resource when the server closes. */
  addHook(
    name: 'onClose',
    hook: AsyncDisposable | Disposable,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<Fn extends AnyHook = onCloseHookHandler>(
    name: 'onClose',
    hook: EitherStyle<Fn, onCloseHookHandler, onCloseAsyncHookHandler>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  addHook<K extends ApplicationHook | LifecycleHook, Fn extends AnyHook>(
    name: K,
    hook: EitherStyle<Fn, HookLookup<K>, HookAsyncLookup<K>>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;

  // ---- errors
  setNotFoundHandler<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig extends ContextConfigDefault = ContextConfigDefault,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    handler: RouteHandlerMethod<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      TypeProvider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  setNotFoundHandler<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig extends ContextConfigDefault = ContextConfigDefault,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    opts: NotFoundHooks<
      Call<
        RawServer,
        RawRequest,
        RawReply,
        RouteGeneric,
        ContextConfig,
        SchemaCompiler,
        TypeProvider,
        FastifyBaseLogger
      >
    >,
    handler: RouteHandlerMethod<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      TypeProvider,
      Logger
    >,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  errorHandler: <TError = unknown>(error: TError, request: FastifyRequest, reply: FastifyReply) => void;
  /** What the handler returns is sent, unless it is `undefined`. */
  setErrorHandler<
    TError = unknown,
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    SchemaCompiler extends FastifySchema = FastifySchema,
    TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  >(
    handler: (
      this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
      error: TError,
      request: FastifyRequest<RouteGeneric, RawServer, RawRequest, SchemaCompiler, TypeProvider>,
      reply: FastifyReply<
        RouteGeneric,
        RawServer,
        RawRequest,
        RawReply,
        ContextConfigDefault,
        SchemaCompiler,
        TypeProvider
      >,
    ) => unknown,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;

  // ---- request ids and logs
  setGenReqId(
    fn: (req: RawRequestDefaultExpression<RawServer>) => string,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  childLoggerFactory: FastifyChildLoggerFactory<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  setChildLoggerFactory(
    factory: FastifyChildLoggerFactory<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;

  // ---- schemas
  addSchema(schema: unknown): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  getSchema(schemaId: string): unknown;
  getSchemas(): Record<string, unknown>;
  // biome-ignore-start lint/suspicious/noExplicitAny: what a schema is, the compiler decides.
  validatorCompiler: FastifySchemaCompiler<any> | undefined;
  serializerCompiler: FastifySerializerCompiler<any> | undefined;
  // biome-ignore-end lint/suspicious/noExplicitAny: see above
  setValidatorCompiler<T = FastifySchema>(
    schemaCompiler: FastifySchemaCompiler<T>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  setSerializerCompiler<T = FastifySchema>(
    schemaCompiler: FastifySerializerCompiler<T>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  setSchemaController(
    schemaControllerOpts: FastifySchemaControllerOptions,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger>;
  setReplySerializer(
    replySerializer: (payload: unknown, statusCode: number) => string,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  setSchemaErrorFormatter(
    errorFormatter: SchemaErrorFormatter,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;

  // ---- bodies
  addContentTypeParser: AddContentTypeParser<
    RawServer,
    RawRequest,
    RouteGenericInterface,
    FastifySchema,
    TypeProvider
  >;
  hasContentTypeParser: hasContentTypeParser;
  removeContentTypeParser: removeContentTypeParser;
  removeAllContentTypeParsers: removeAllContentTypeParsers;
  getDefaultJsonParser: getDefaultJsonParser;
  defaultTextParser: FastifyBodyParser<string>;

  /** The options of the root that are safe to show, frozen. */
  initialConfig: Readonly<{
    connectionTimeout?: number;
    keepAliveTimeout?: number;
    forceCloseConnections?: boolean;
    bodyLimit?: number;
    caseSensitive?: boolean;
    allowUnsafeRegex?: boolean;
    http2?: boolean;
    https?: boolean | Readonly<{ allowHTTP1: boolean }>;
    ignoreTrailingSlash?: boolean;
    ignoreDuplicateSlashes?: boolean;
    disableRequestLogging?: boolean | ((req: FastifyRequest) => boolean);
    maxParamLength?: number;
    onProtoPoisoning?: ProtoAction;
    onConstructorPoisoning?: ConstructorAction;
    pluginTimeout?: number;
    requestIdHeader?: string | false;
    requestIdLogLabel?: string;
    http2SessionTimeout?: number;
    useSemicolonDelimiter?: boolean;
    routerOptions?: FastifyRouterOptions<RawServer>;
  }>;
}
