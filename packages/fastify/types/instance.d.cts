/** The instance: one context of an application, with the methods for applications and plugins. */

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
import type { OverloadOptions } from './overload.cjs';
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

/** The options of `printRoutes`. */
export interface PrintRoutesOptions {
  /** Prints only the routes of this method. Default: all methods. */
  method?: HTTPMethods;
  /** Prints further metadata of routes: `true` for all, or the names to print. Default `false`. */
  includeMeta?: boolean | (string | symbol)[];
  /** Whether routes with a common prefix share a line. Default `true`. */
  commonPrefix?: boolean;
  /** Whether to print the hooks of each route. Default `false`. */
  includeHooks?: boolean;
}

/** The options of `listen`. */
export interface FastifyListenOptions {
  /** TCP port; 0, the default, selects a free port. */
  port?: number;
  /** Address or host name to bind. Default `localhost`. */
  host?: string;
  /** Path of a UNIX socket, instead of a port. */
  path?: string;
  /** The maximum length of the queue of pending connections. */
  backlog?: number;
  /** If `true`, workers of a cluster do not share the port. Default `false`. */
  exclusive?: boolean;
  /** Whether all users may read the UNIX socket. Default `false`. */
  readableAll?: boolean;
  /** Whether all users may write to the UNIX socket. Default `false`. */
  writableAll?: boolean;
  /** Whether an IPv6 address does not serve IPv4, too. Default `false`. */
  ipv6Only?: boolean;
  /** A signal that closes the server. */
  signal?: AbortSignal;
  /** The text to log for each address. */
  listenTextResolver?: (address: string) => string;
}

// biome-ignore-start lint/suspicious/noExplicitAny: a decorator or a hook may be any function.
type AnyFunction = (...args: any[]) => any;
type AsyncFunction = (...args: any) => Promise<any>;
type AnyHook = (...args: any) => Promise<any> | any;
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** A decorator: a value, or an object with a getter and a setter. */
type GetterSetter<This, T> =
  | T
  | {
      getter: (this: This) => T;
      setter?: (this: This, value: T) => void;
    };

/** `T` comes first, so that `decorate<T>(name, value)` sets the type of the value. */
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

/** The argument of `hasRoute` and `findRoute`. */
type RouteQuery<Options extends { url: unknown; constraints?: unknown }> = Pick<
  Options,
  'url' | 'constraints'
> & {
  method: HTTPMethods;
};

type OneOrMore<T> = T | T[];

/** A hook is in callback style (with `done`), unless its type shows that it returns a promise. */
type CallbackStyle = (...args: never[]) => void;

/** A hook in callback style or in promise style. A hook that returns a promise has no parameter `done`. */
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

/** The hooks that a not-found handler may have: one or more of each name, all in the same style. */
type NotFoundHooks<Route extends AnyCall> = {
  [Name in 'preValidation' | 'preHandler']?:
    | OneOrMore<CallbackHook<RequestHooks[Name], Route>>
    | OneOrMore<AsyncHook<RequestHooks[Name], Route>>;
};

/** The HTTP version of the router's types. */
export type FindMyWayVersion<RawServer extends RawServerBase> = RawServer extends Server
  ? HTTPVersion.V1
  : HTTPVersion.V2;
export type FindMyWayFindResult<RawServer extends RawServerBase> = FindResult<FindMyWayVersion<RawServer>>;

/** One context of an application. Augment this interface to declare what `decorate` adds. */
export interface FastifyInstance<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
> {
  /** Node's server. */
  server: RawServer;
  /** The names of the plugins from the root to this context. */
  pluginName: string;
  /** The prefix of the URLs of this context's routes: the prefixes of `register`, joined. */
  prefix: string;
  /** The version of the framework. */
  version: string;
  /** The logger of the application. It writes nothing unless the option `logger` or `loggerInstance` is set. */
  log: Logger;
  /** The last address on which the application listens, such as `http://localhost:3000`. */
  listeningOrigin: string;
  /**
   * Lists the addresses on which the application listens.
   *
   * @returns An empty array before it listens.
   */
  addresses(): Array<AddressInfo | string>;
  /** Returns this context with another type provider for the routes that are declared on it. */
  withTypeProvider<Provider extends FastifyTypeProvider>(): FastifyInstance<
    RawServer,
    RawRequest,
    RawReply,
    Logger,
    Provider
  >;

  // ---- plugins and boot
  /**
   * Registers a plugin. It runs at boot, after the plugins before it, in a separate child context; a hoisted plugin runs in this context.
   *
   * @param plugin A function, an ES module whose default export is one, or a promise of either.
   * @param options The plugin's options, or a function that returns them from this context. The framework reads `prefix`, `logLevel` and
   *   `logSerializers`.
   * @returns This context. `await` it to wait until the plugin has loaded.
   * @throws {FST_ERR_PLUGIN_NOT_VALID} if `plugin` is not a plugin.
   * @throws {FST_ERR_ROOT_PLG_BOOTED} or {FST_ERR_PARENT_PLUGIN_BOOTED} if the application has booted, or this context has loaded.
   */
  register: FastifyRegister<
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> & SafePromiseLike<undefined>
  >;
  /**
   * Waits until all plugins that are registered so far have loaded.
   *
   * @returns A promise, which rejects with the error of a plugin that failed.
   */
  after(): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
    SafePromiseLike<undefined>;
  /**
   * Calls a function when all plugins that are registered so far have loaded.
   *
   * @param afterListener Gets the error of a plugin that failed, or `null`. It may return a promise, or call `done`.
   */
  after(
    afterListener: (err: Error | null) => void,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Boots the application: loads every plugin, compiles every route, runs the `onReady` hooks.
   *
   * @returns A promise of this context. It rejects with the first error of the boot.
   */
  ready(): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider> &
    SafePromiseLike<undefined>;
  /**
   * Boots the application.
   *
   * @param readyListener Gets the first error of the boot, or `null`.
   */
  ready(
    readyListener: (err: Error | null) => void | Promise<void>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Closes the application: stops listening, waits for running requests, runs the `preClose` and `onClose` hooks. It may be called without
   * its context: `process.once('SIGTERM', app.close)`.
   *
   * @returns A promise that resolves when everything has closed. It rejects with the error of a hook that failed.
   */
  close(): Promise<undefined>;
  /**
   * Closes the application gracefully. Not in Fastify: for `delayMs`, requests are served as before, then running requests have `graceMs`
   * to end. After that, the remaining connections are destroyed.
   *
   * @param options Times in milliseconds: `graceMs`, default 10,000, and `delayMs`, default 0.
   * @returns The number of requests and upgraded connections that were ended early.
   * @throws {AMBIT_ERR_CLOSE_OPTIONS_INVALID} for a value that is not valid.
   */
  close(options: { graceMs?: number; delayMs?: number }): Promise<number>;
  /**
   * Closes the application.
   *
   * @param closeListener Called when everything has closed, with the error of a hook that failed.
   */
  close(closeListener: () => void): undefined;
  /** Closes the application, for `await using`. */
  // @ts-ignore: the symbol is missing from older libraries.
  [Symbol.asyncDispose](): Promise<undefined>;
  /**
   * Returns whether a plugin is registered in this context or in a parent context.
   *
   * @param name The name in the plugin's metadata.
   */
  hasPlugin(name: string): boolean;
  /**
   * Draws the tree of plugins, with the time that each took to load.
   *
   * @returns Lines of text. The tree is complete once the application is ready.
   */
  printPlugins(): string;

  // ---- decorators
  /**
   * Adds a property to this context and to its children.
   *
   * @param name The name of the property.
   * @param value A method, a value, or `{ getter, setter }` for a property that is computed at each access.
   * @param dependencies Names of decorators that must exist already.
   * @returns This context.
   * @throws {FST_ERR_DEC_ALREADY_PRESENT} if the name is taken.
   * @throws {FST_ERR_DEC_MISSING_DEPENDENCY} if a dependency is missing.
   * @throws {FST_ERR_DEC_AFTER_START} once the application has booted.
   */
  decorate: DecorationMethod<FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>>;
  /**
   * Adds a property to the requests of this context and of its children.
   *
   * @param name The name of the property.
   * @param value A method, the value that each request starts with, or `{ getter, setter }` for a property that is computed at each access.
   *   It must not be an object: all requests would share it.
   * @param dependencies Names of request decorators that must exist already.
   * @returns This context.
   * @throws {FST_ERR_DEC_REFERENCE_TYPE} if `value` is an object.
   * @throws {FST_ERR_DEC_ALREADY_PRESENT} if the name is taken.
   * @throws {FST_ERR_DEC_MISSING_DEPENDENCY} if a dependency is missing.
   * @throws {FST_ERR_DEC_AFTER_START} once the application has booted.
   */
  decorateRequest: DecorationMethod<
    FastifyRequest,
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  >;
  /**
   * Adds a property to the replies of this context and of its children.
   *
   * @param name The name of the property.
   * @param value A method, the value that each reply starts with, or `{ getter, setter }` for a property that is computed at each access.
   *   It must not be an object: all replies would share it.
   * @param dependencies Names of reply decorators that must exist already.
   * @returns This context.
   * @throws {FST_ERR_DEC_REFERENCE_TYPE} if `value` is an object.
   * @throws {FST_ERR_DEC_ALREADY_PRESENT} if the name is taken.
   * @throws {FST_ERR_DEC_MISSING_DEPENDENCY} if a dependency is missing.
   * @throws {FST_ERR_DEC_AFTER_START} once the application has booted.
   */
  decorateReply: DecorationMethod<
    FastifyReply,
    FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>
  >;
  /**
   * Reads a decorator of this context.
   *
   * @param name The name of the decorator.
   * @returns Its value. A function is bound to this context.
   * @throws {FST_ERR_DEC_UNDECLARED} if there is no decorator of that name.
   */
  getDecorator<T>(name: string | symbol): T;
  /**
   * Returns whether this context has a property of that name: a decorator, or a built-in property.
   *
   * @param decorator The name of the property.
   */
  hasDecorator(decorator: string | symbol): boolean;
  /**
   * Returns whether the requests of this context have a decorator of that name.
   *
   * @param decorator The name of the decorator.
   */
  hasRequestDecorator(decorator: string | symbol): boolean;
  /**
   * Returns whether the replies of this context have a decorator of that name.
   *
   * @param decorator The name of the decorator.
   */
  hasReplyDecorator(decorator: string | symbol): boolean;

  // ---- serving and injecting
  /**
   * Boots the application, and listens.
   *
   * @param opts The address.
   * @param callback Gets the first address, or the error.
   * @throws {FST_ERR_LISTEN_OPTIONS_INVALID} or {AMBIT_ERR_UNKNOWN_OPTION} for an option that is wrong.
   */
  listen(opts: FastifyListenOptions, callback: (err: Error | null, address: string) => void): void;
  /**
   * Boots the application, and listens.
   *
   * @param opts The address. Default: a free port of `localhost`.
   * @returns A promise of the first address: `http://127.0.0.1:3000`. It rejects if boot fails, or if the server cannot listen on
   *   the address.
   * @throws {FST_ERR_LISTEN_OPTIONS_INVALID} or {AMBIT_ERR_UNKNOWN_OPTION} for an option that is wrong.
   */
  listen(opts?: FastifyListenOptions): Promise<string>;
  /**
   * Boots the application, and listens.
   *
   * @param callback Gets the first address, or the error.
   */
  listen(callback: (err: Error | null, address: string) => void): void;
  /**
   * Serves a request without a socket, for tests. Boots the application first, if it has not booted.
   *
   * @param opts The URL, or all parts of the request.
   * @param cb Gets the response, or the error.
   */
  inject(opts: InjectOptions | string, cb: LightMyRequestCallback): void;
  /**
   * Serves a request without a socket, for tests. Boots the application first, if it has not booted.
   *
   * @param opts The URL, or all parts of the request.
   * @returns A promise of the response. It rejects if the boot fails.
   */
  inject(opts: InjectOptions | string): Promise<LightMyRequestResponse>;
  /**
   * Serves a request without a socket, for tests. Boots the application first, if it has not booted.
   *
   * @returns A builder for the request.
   */
  inject(): LightMyRequestChain;
  /**
   * Serves a request of another server.
   *
   * @param req Node's request object.
   * @param res Node's response object.
   */
  routing(req: RawRequest, res: RawReply): void;

  // ---- routes
  /**
   * Declares a route.
   *
   * @param opts Its options, with method, URL and handler.
   * @returns This context.
   * @throws {FST_ERR_DUPLICATED_ROUTE} if there is such a route already.
   * @throws {FST_ERR_ROUTE_METHOD_NOT_SUPPORTED} or {FST_ERR_ROUTE_METHOD_INVALID} for a method that is not supported.
   * @throws {FST_ERR_ROUTE_MISSING_HANDLER} or {FST_ERR_ROUTE_HANDLER_NOT_FN} if there is no handler.
   * @throws {FST_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED} for a body schema of a method without a body.
   * @throws {AMBIT_ERR_UNKNOWN_OPTION} or {AMBIT_ERR_OPTION_INVALID} for an option that is wrong.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /** Declares a route for DELETE. */
  delete: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for GET, which also handles HEAD, unless `exposeHeadRoute` is `false`. */
  get: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for HEAD. */
  head: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for PATCH. */
  patch: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for POST. */
  post: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for PUT. */
  put: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for OPTIONS. */
  options: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for QUERY (RFC 10008). */
  query: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for TRACE. */
  trace: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for SEARCH, if `addHttpMethod` was called for it. */
  search: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for REPORT, if `addHttpMethod` was called for it. */
  report: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for COPY, if `addHttpMethod` was called for it. */
  copy: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for MOVE, if `addHttpMethod` was called for it. */
  move: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for LOCK, if `addHttpMethod` was called for it. */
  lock: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for UNLOCK, if `addHttpMethod` was called for it. */
  unlock: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for MKCOL, if `addHttpMethod` was called for it. */
  mkcol: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for MKCALENDAR, if `addHttpMethod` was called for it. */
  mkcalendar: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for PROPFIND, if `addHttpMethod` was called for it. */
  propfind: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for PROPPATCH, if `addHttpMethod` was called for it. */
  proppatch: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /** Declares a route for every supported method. */
  all: RouteShorthandMethod<RawServer, RawRequest, RawReply, TypeProvider, Logger>;
  /**
   * Returns whether a route is declared.
   *
   * @param opts Its method, its URL pattern with all prefixes, and its constraints.
   * @throws {AMBIT_ERR_OPTION_INVALID} if `opts` is not an object.
   */
  hasRoute<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    opts: RouteQuery<
      RouteOptions<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider>
    >,
  ): boolean;
  /**
   * Finds the route that a request would reach.
   *
   * @param opts Method, URL and constraints of the request.
   * @returns Its handler, and the parameters in the URL, or `null`.
   * @throws {AMBIT_ERR_OPTION_INVALID} if `opts` is not an object.
   */
  findRoute<
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    opts: RouteQuery<
      RouteOptions<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider>
    >,
  ): Omit<FindMyWayFindResult<RawServer>, 'store'>;
  /**
   * Draws the tree of routes.
   *
   * @param opts The parts to print.
   * @returns Lines of text. The tree is complete once the application is ready.
   */
  printRoutes(opts?: PrintRoutesOptions): string;
  /**
   * Adds a strategy for the option `constraints` of routes.
   *
   * @param strategy Its name, and how it reads the value from a request.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  addConstraintStrategy(strategy: ConstraintStrategy<FindMyWayVersion<RawServer>, unknown>): void;
  /**
   * Returns whether a constraint strategy exists, and for `version` and `host` whether a route uses it.
   *
   * @param strategyName Its name.
   */
  hasConstraintStrategy(strategyName: string): boolean;
  /** The methods that routes may be declared for. */
  supportedMethods: string[];
  /**
   * Supports another method, and adds a method for its routes: `addHttpMethod('MKCOL')` adds `mkcol`.
   *
   * @param method A method that Node's parser accepts, in upper case.
   * @param methodOptions `hasBody`: whether bodies of such requests are parsed, default `false`. `overrideExisting`: whether to replace a
   *   method that is supported already without a warning, default `false`.
   * @throws {FST_ERR_ROUTE_METHOD_INVALID} if Node's parser does not accept the method.
   */
  addHttpMethod(
    method: string,
    methodOptions?: { hasBody?: boolean; overrideExisting?: boolean },
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;

  // ---- hooks
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  addHook(
    name: 'onRegister',
    hook: onRegisterHookHandler<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  addHook<Fn extends AnyHook = onListenHookHandler<RawServer, RawRequest, RawReply, Logger, TypeProvider>>(
    name: 'onListen',
    hook: EitherStyle<Fn, onListenHookHandler, onListenAsyncHookHandler>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  addHook<Fn extends AnyHook = onReadyHookHandler>(
    name: 'onReady',
    hook: EitherStyle<Fn, onReadyHookHandler, onReadyAsyncHookHandler>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  addHook<Fn extends AnyHook = preCloseHookHandler>(
    name: 'preClose',
    hook: EitherStyle<Fn, preCloseHookHandler, preCloseAsyncHookHandler>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Disposes of a resource when the server has closed.
   *
   * @param name `onClose`.
   * @param hook Its method `Symbol.asyncDispose` or `Symbol.dispose` is called.
   */
  addHook(
    name: 'onClose',
    hook: AsyncDisposable | Disposable,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  addHook<Fn extends AnyHook = onCloseHookHandler>(
    name: 'onClose',
    hook: EitherStyle<Fn, onCloseHookHandler, onCloseAsyncHookHandler>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Adds a hook to this context and to its children. It runs for all routes of these contexts, even for those that are declared before it.
   *
   * @param name The name of the hook, such as `onRequest`.
   * @param hook The function. It may return a promise, or call its last parameter, `done`; not both.
   * @throws {FST_ERR_HOOK_NOT_SUPPORTED} if there is no hook of that name.
   * @throws {FST_ERR_HOOK_INVALID_HANDLER} if `hook` is not a function.
   * @throws {FST_ERR_HOOK_INVALID_ASYNC_HANDLER} if an async function has the parameter `done`.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  addHook<K extends ApplicationHook | LifecycleHook, Fn extends AnyHook>(
    name: K,
    hook: EitherStyle<Fn, HookLookup<K>, HookAsyncLookup<K>>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;

  // ---- errors
  /**
   * Sets the handler of requests that no route matches, under the prefix of this context.
   *
   * @param handler Default: the default handler, which responds with 404.
   * @throws {AMBIT_ERR_NOT_FOUND_HANDLER_ALREADY_SET} if this prefix has a handler already.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /**
   * Sets the handler of requests that no route matches, under the prefix of this context.
   *
   * @param opts Hooks that run before the handler.
   * @param handler Handles the requests.
   * @throws {AMBIT_ERR_NOT_FOUND_HANDLER_ALREADY_SET} if this prefix has a handler already.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
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
  /** The handler of errors of this context. Default: a JSON body with `statusCode`, `code`, `error` and `message`. */
  errorHandler: <TError = unknown>(error: TError, request: FastifyRequest, reply: FastifyReply) => void;
  /**
   * Sets the format of responses to errors that no error handler handles, for this context and its children. Not in Fastify.
   *
   * @param format `problem` is RFC 9457.
   * @throws {AMBIT_ERR_OPTION_INVALID} for any other value.
   */
  setErrorFormat(
    format: 'json' | 'problem',
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Adds a check of a dependency of this context's routes. The readiness probe (the option `health`) gets 503 while the check fails. Not in
   * Fastify.
   *
   * @param name The name of the check in the response of the readiness probe and in the log.
   * @param check Throws, rejects or returns `false` if the dependency is not available.
   * @param options In milliseconds: the timeout of the check, default 800, and how long a result is cached, default 1,000.
   * @throws {AMBIT_ERR_OPTION_INVALID} for a name, a function or an option that is not valid, or for a name that is in use.
   */
  addReadinessCheck(
    name: string,
    check: (
      this: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
      signal: AbortSignal,
    ) => unknown,
    options?: { timeoutMs?: number; cacheMs?: number },
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Sets a separate overload protection for this context and its children. Not in Fastify.
   *
   * @param options Its options, `true` for every default, or `false` for no protection here.
   * @throws {AMBIT_ERR_OPTION_INVALID} for a value that is not valid.
   */
  setOverload(
    options: OverloadOptions | boolean,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /** The format of responses to errors of this context. Not in Fastify. */
  readonly errorFormat: 'json' | 'problem';
  /**
   * Sets the error handler of this context and of its children.
   *
   * @param handler Gets the error, the request and the reply. Its result is sent, unless it is `undefined`. If it throws, the handler of
   *   the context around it is called.
   * @throws {FST_ERR_ERROR_HANDLER_NOT_FN} if `handler` is not a function.
   */
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
  /**
   * Sets the function that creates the ids of requests of this context and of its children.
   *
   * @param fn Gets Node's request, and returns the id.
   * @throws {AMBIT_ERR_OPTION_INVALID} if `generate` is not a function.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setGenReqId(
    fn: (req: RawRequestDefaultExpression<RawServer>) => string,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /** Creates the logger of each request of this context. Default: it calls `child` of the context's logger. */
  childLoggerFactory: FastifyChildLoggerFactory<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Sets the function that creates the logger of each request of this context and of its children.
   *
   * @param factory Gets the context's logger, the fields and options of the new logger, and Node's request. It returns the logger.
   * @throws {AMBIT_ERR_OPTION_INVALID} if `factory` is not a function.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setChildLoggerFactory(
    factory: FastifyChildLoggerFactory<RawServer, RawRequest, RawReply, Logger, TypeProvider>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;

  // ---- schemas
  /**
   * Adds a shared schema to this context and to its children. Schemas of routes refer to it by `$ref: 'id#'`.
   *
   * @param schema A JSON Schema with an `$id`.
   * @returns This context.
   * @throws {FST_ERR_SCH_MISSING_ID} if the schema has no `$id`.
   * @throws {FST_ERR_SCH_ALREADY_PRESENT} if the `$id` is taken.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  addSchema(schema: unknown): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Reads a shared schema that is visible in this context.
   *
   * @param schemaId Its `$id`.
   * @returns The schema, or `undefined`.
   */
  getSchema(schemaId: string): unknown;
  /**
   * Reads all shared schemas that are visible in this context.
   *
   * @returns A copy: the schemas by their `$id`.
   */
  getSchemas(): Record<string, unknown>;
  /** Compiles the schemas of requests in this context. `undefined` until boot has created the default compiler. */
  // biome-ignore-start lint/suspicious/noExplicitAny: what a schema is, the compiler decides.
  validatorCompiler: FastifySchemaCompiler<any> | undefined;
  /** Compiles the schemas of replies in this context. `undefined` until boot has created the default compiler. */
  serializerCompiler: FastifySerializerCompiler<any> | undefined;
  /**
   * Sets the compiler for schemas of requests, for this context and its children.
   *
   * @param schemaCompiler Gets `{ schema, method, url, httpPart }`, and returns the validator.
   * @throws {AMBIT_ERR_OPTION_INVALID} if `compiler` is not a function.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  // biome-ignore-end lint/suspicious/noExplicitAny: see above
  setValidatorCompiler<T = FastifySchema>(
    schemaCompiler: FastifySchemaCompiler<T>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Sets the compiler for schemas of replies, for this context and its children.
   *
   * @param schemaCompiler Gets `{ schema, method, url, httpStatus, contentType }`, and returns the serializer.
   * @throws {AMBIT_ERR_OPTION_INVALID} if `compiler` is not a function.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setSerializerCompiler<T = FastifySchema>(
    schemaCompiler: FastifySerializerCompiler<T>,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Replaces the store of shared schemas and the factories of compilers, for this context and its children.
   *
   * @param schemaControllerOpts The parts to replace.
   * @throws {AMBIT_ERR_OPTION_INVALID} or {AMBIT_ERR_UNKNOWN_OPTION} for an option that is wrong.
   * @throws {FST_ERR_SCHEMA_CONTROLLER_BUCKET_OPT_NOT_FN} if `bucket` is not a function.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setSchemaController(
    schemaControllerOpts: FastifySchemaControllerOptions,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger>;
  /**
   * Sets the serializer of replies of this context and of its children, for replies without a serializer or a response schema.
   *
   * @param replySerializer Gets the payload and the status, and returns what is sent.
   * @throws {AMBIT_ERR_OPTION_INVALID} if `serialize` is not a function.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setReplySerializer(
    replySerializer: (payload: unknown, statusCode: number) => string,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /**
   * Sets the function that creates the error of an invalid request, for this context and its children.
   *
   * @param errorFormatter Takes the problems and the name of the part, and returns an Error. It must not be async.
   * @throws {FST_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN} if it is not a function, or is async.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setSchemaErrorFormatter(
    errorFormatter: SchemaErrorFormatter,
  ): FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;

  // ---- bodies
  /**
   * Adds a parser that reads the body as a stream, to this context and to its children.
   *
   * @param mediaType A media type, a pattern, an array of these, or `*` for every body that no other parser matches.
   * @param parser Gets the request and the stream. It returns a promise of the value, or calls `done`. It must limit the size itself.
   * @throws {FST_ERR_CTP_ALREADY_PRESENT} if the context has a parser for that media type already.
   * @throws {FST_ERR_CTP_INVALID_TYPE} or {FST_ERR_CTP_EMPTY_TYPE} if `mediaType` is not a media type.
   * @throws {FST_ERR_CTP_INVALID_HANDLER} if `parser` is not a function.
   * @throws {FST_ERR_CTP_INSTANCE_ALREADY_STARTED} once the application has booted.
   */
  addContentTypeParser: AddContentTypeParser<
    RawServer,
    RawRequest,
    RouteGenericInterface,
    FastifySchema,
    TypeProvider
  >;
  /**
   * Returns whether this context has a parser for a media type.
   *
   * @param mediaType A media type, or a pattern as it was added.
   */
  hasContentTypeParser: hasContentTypeParser;
  /**
   * Removes parsers from this context and from its children: a request with a body of that media type gets 415.
   *
   * @param mediaType A media type, a pattern as it was added, or an array of these.
   * @throws {FST_ERR_CTP_INSTANCE_ALREADY_STARTED} once the application has booted.
   */
  removeContentTypeParser: removeContentTypeParser;
  /**
   * Removes all parsers from this context and from its children, those for JSON and text, too.
   *
   * @throws {FST_ERR_CTP_INSTANCE_ALREADY_STARTED} once the application has booted.
   */
  removeAllContentTypeParsers: removeAllContentTypeParsers;
  /**
   * Creates a parser like the default parser for JSON.
   *
   * @param onProtoPoisoning What to do about a key `__proto__`.
   * @param onConstructorPoisoning What to do about a key `constructor` that holds a `prototype`.
   * @returns The parser, for `addContentTypeParser` with `parseAs: 'string'`.
   */
  getDefaultJsonParser: getDefaultJsonParser;
  /** The default parser for text, for `addContentTypeParser` with `parseAs: 'string'`. */
  defaultTextParser: FastifyBodyParser<string>;

  /** The options of the root that contain no secrets, frozen. */
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
