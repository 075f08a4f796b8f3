/**
 * The public interface of contexts, and the types that refer to one another through it: requests and replies know their
 * context, contexts take routes, routes and hooks take requests and replies. They can only be declared together.
 */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BodyStream, PoisoningAction } from './body.ts';
import type { Done, PayloadDone, Settled } from './callback.ts';
import type {
  SchemaControllerOptions,
  SchemaErrorFormatter,
  SerializerCompiler,
  ValidatorCompiler,
} from './compiler.ts';
import type { InjectChain, InjectOptions, InjectResponse } from './inject.ts';
import type { ListenOptions } from './listen.ts';
import type { ChildLoggerFactory, Logger, LogSerializers } from './logger.ts';
import type { MarkedPlugin, RegisterOptions } from './plugin.ts';
import type { ReplyParts } from './reply.ts';
import type { RequestParts, RouteTypes } from './request.ts';
import type {
  ConstraintStrategy,
  PrintRoutesOptions,
  RouteConfig,
  RouteConstraints,
  RouteQuery,
  RouteSchema,
} from './route-declaration.ts';

// ------------------------------------------------------------------------------------------------ requests and replies

/** A request. Decorators of the context add to it: augment this interface to type them. */
export interface Request<Route extends RouteTypes = RouteTypes> extends RequestParts<Route> {
  /** The context of the route. */
  readonly server: Context;
  /** What was declared for the route, with its defaults filled in. */
  readonly routeOptions: RouteInfo;
}

/** A reply. Decorators of the context add to it: augment this interface to type them. */
export interface Reply<Route extends RouteTypes = RouteTypes> extends ReplyParts<Route> {
  readonly request: Request<Route>;
  /** The context of the route. */
  readonly server: Context;
  readonly routeOptions: RouteInfo;
}

// --------------------------------------------------------------------------------------------------------------- hooks

/** A hook of a phase before the handler, or after the response. */
export type RequestHook = (this: Context, request: Request, reply: Reply, done: Done) => Settled;
/** Wraps or replaces the stream that the body is read from. */
export type PreParsingHook = (
  this: Context,
  request: Request,
  reply: Reply,
  payload: BodyStream,
  done: PayloadDone<BodyStream>,
) => Settled<BodyStream | void>;
/** Sees the payload on its way out, and may replace it. */
export type PayloadHook = (
  this: Context,
  request: Request,
  reply: Reply,
  payload: unknown,
  done: PayloadDone,
) => Settled;
/** Sees an error before the error handlers do. It cannot reply. */
export type ErrorHook = (
  this: Context,
  request: Request,
  reply: Reply,
  error: Error & { statusCode?: number; code?: string },
  done: () => void,
) => Settled;
/** Runs when the client went away before the reply was complete. */
export type AbortHook = (this: Context, request: Request, done: Done) => Settled;

/** The hooks of a request, in the order of its life. */
export interface RequestHooks {
  onRequest: RequestHook;
  preParsing: PreParsingHook;
  preValidation: RequestHook;
  preHandler: RequestHook;
  preSerialization: PayloadHook;
  onSend: PayloadHook;
  onResponse: RequestHook;
  onError: ErrorHook;
  onTimeout: RequestHook;
  onRequestAbort: AbortHook;
}

/** The hooks of a context. */
export interface ContextHooks {
  onRoute: (this: Context, route: RegisteredRoute) => void;
  onRegister: (this: Context, child: Context, options: RegisterOptions & Record<string, unknown>) => void;
  onReady: (this: Context, done: Done) => Settled;
  onListen: (this: Context, done: Done) => Settled;
  preClose: (this: Context, done: Done) => Settled;
  onClose: (this: Context, context: Context, done: Done) => Settled;
}

export type Hooks = RequestHooks & ContextHooks;
export type HookName = keyof Hooks;
export type RequestHookName = keyof RequestHooks;

// -------------------------------------------------------------------------------------------------------------- routes

/** Answers a request: by `reply.send`, by returning a value, or by returning a promise of one. */
export type Handler<Route extends RouteTypes = RouteTypes> = (
  this: Context,
  request: Request<Route>,
  reply: Reply<Route>,
) => unknown;

/** Answers a failed request. Throwing, or sending an error, hands it to the next handler outwards. */
export type ErrorHandler = (
  this: Context,
  error: Error & { statusCode?: number; code?: string; validation?: unknown; validationContext?: string },
  request: Request,
  reply: Reply,
) => unknown;

/** Everything a route can be given besides its method, URL and handler. */
export interface RouteDetails
  extends Partial<{ [Name in RequestHookName]: RequestHooks[Name] | RequestHooks[Name][] }> {
  schema?: RouteSchema;
  /** When true, a failed validation does not end the request: the handler finds it in `request.validationError`. */
  attachValidation?: boolean;
  validatorCompiler?: ValidatorCompiler;
  serializerCompiler?: SerializerCompiler;
  schemaErrorFormatter?: SchemaErrorFormatter<Context>;
  errorHandler?: ErrorHandler;
  /** Largest body in bytes: integer > 0. The default is the option of the root, 1 MiB. */
  bodyLimit?: number;
  /** Longest time in milliseconds until the reply is sent: integer > 0. Without it there is no limit. */
  handlerTimeout?: number;
  config?: RouteConfig;
  constraints?: RouteConstraints;
  /** Whether a GET route answers HEAD too. The default is the option of the root, true. */
  exposeHeadRoute?: boolean;
  /** How the URL `/` under a prefix is registered: as `/prefix`, `/prefix/` or both, which is the default. */
  prefixTrailingSlash?: 'both' | 'slash' | 'no-slash';
  logLevel?: string;
  logSerializers?: LogSerializers;
  childLoggerFactory?: ChildLoggerFactory<Context>;
}

/** A whole route, for `route()`. */
export interface RouteOptions<Route extends RouteTypes = RouteTypes> extends RouteDetails {
  method: string | string[];
  /** Either of `url` and `path`. */
  url?: string;
  path?: string;
  handler: Handler<Route>;
}

/** The live options that `onRoute` hooks receive: what a hook changes here applies. */
export interface RegisteredRoute extends RouteOptions {
  /** The URL with all prefixes. */
  url: string;
  path: string;
  /** The URL as declared. */
  routePath: string;
  prefix: string;
}

/** What `request.routeOptions` tells of a route. */
export interface RouteInfo {
  readonly method: string | string[];
  /** The URL pattern; `undefined` in a not-found handler. */
  readonly url: string | undefined;
  readonly bodyLimit: number;
  readonly handlerTimeout: number;
  readonly attachValidation: boolean;
  readonly logLevel: string;
  readonly exposeHeadRoute: boolean;
  readonly prefixTrailingSlash: 'both' | 'slash' | 'no-slash';
  readonly handler: Handler;
  readonly config: RouteConfig;
  readonly schema: RouteSchema | undefined;
  /** The `accept-version` of the request, where routes are constrained by version. */
  readonly version: string | undefined;
}

export interface FoundRoute {
  handler: Handler;
  params: Record<string, string | undefined>;
  searchParams: Record<string, string>;
}

/** `app.get(url, handler)`, `app.get(url, details, handler)` or `app.get(url, { handler, ...details })`. */
export interface RouteShortcut<This> {
  <Route extends RouteTypes = RouteTypes>(url: string, handler: Handler<Route>): This;
  <Route extends RouteTypes = RouteTypes>(url: string, details: RouteDetails, handler: Handler<Route>): This;
  <Route extends RouteTypes = RouteTypes>(
    url: string,
    options: RouteDetails & { handler: Handler<Route> },
  ): This;
}

// ------------------------------------------------------------------------------------------------------------- parsers

/** Reads the raw request as a stream. */
export type StreamParser = (
  this: Context,
  request: Request,
  payload: BodyStream,
  done: PayloadDone,
) => Settled;
/** Reads a body that was collected as text or as bytes. */
export type CollectedParser<Body extends string | Buffer> = (
  this: Context,
  request: Request,
  body: Body,
  done: PayloadDone,
) => Settled;

// ------------------------------------------------------------------------------------------------------------- plugins

/** A function that fills a context: by callback, by promise, or synchronously with two arguments. */
export type PluginFunction<Options = Record<string, unknown>> = (
  context: Context,
  options: Options,
  done: Done,
) => Settled;

/** What `register` takes: a plugin, an ES module whose default export is one, or a promise of either. */
export type Plugin<Options = Record<string, unknown>> =
  | (PluginFunction<Options> & MarkedPlugin)
  | { default: PluginFunction<Options> & MarkedPlugin }
  | PromiseLike<
      { default: PluginFunction<Options> & MarkedPlugin } | (PluginFunction<Options> & MarkedPlugin)
    >;

/**
 * A plugin that names its context by another face's type: what is published for `fastify`. Its options are checked. Without the
 * markers, which no literal has, TypeScript would take it for the better overload of a plugin that is written in the call.
 */
export type ForeignPlugin<Options> = ((context: never, options: Options, done: never) => unknown) &
  MarkedPlugin;

/** A decorator that is called on what it decorates. */
export type MethodOf<Owner> = (this: Owner, ...args: never[]) => unknown;

/** A decorator that is computed at each access. */
export interface Accessor<Owner, Value> {
  getter(this: Owner): Value;
  setter?(this: Owner, value: Value): void;
}

// ------------------------------------------------------------------------------------------------------------- context

/** One node of the encapsulation tree (spec 2.1). It inherits from its ancestors and hides what it adds from the rest. */
export interface Context {
  // ---- identity
  /** The path of plugins from the root. */
  readonly pluginName: string;
  readonly prefix: string;
  readonly version: string;
  readonly log: Logger;
  /** The options of the root that are safe to show, frozen. */
  readonly initialConfig: Readonly<Record<string, unknown>>;

  // ---- plugins and boot
  register<Options extends object = Record<string, unknown>>(
    plugin: Plugin<Options>,
    options?: (RegisterOptions & Options) | ((parent: Context) => RegisterOptions & Options),
  ): this & PromiseLike<void>;
  register<Options extends object = Record<string, unknown>>(
    plugin: ForeignPlugin<Options>,
    options?: (RegisterOptions & Options) | ((parent: Context) => RegisterOptions & Options),
  ): this & PromiseLike<void>;
  /** Runs when everything registered so far has loaded. Without a function: a promise of that. */
  after(): Promise<void>;
  after(listener: (error: Error | null, done: Done) => Settled): this;
  /** Boots: loads every plugin, compiles every route, runs the `onReady` hooks. */
  ready(): Promise<Context>;
  ready(listener: (error: Error | null, context?: Context) => void): void;
  /** Closes the server and runs the `preClose` and `onClose` hooks. */
  close(): Promise<void>;
  close(listener: (error?: Error) => void): this;
  onClose(hook: ContextHooks['onClose']): this;
  hasPlugin(name: string): boolean;
  printPlugins(): string;

  // ---- decorators
  decorate(name: string | symbol, method: MethodOf<this>, dependencies?: (string | symbol)[]): this;
  decorate<Value>(
    name: string | symbol,
    value?: Value | Accessor<this, Value>,
    dependencies?: (string | symbol)[],
  ): this;
  decorateRequest(name: string | symbol, method: MethodOf<Request>, dependencies?: (string | symbol)[]): this;
  decorateRequest<Value>(
    name: string | symbol,
    value?: Value | Accessor<Request, Value>,
    dependencies?: (string | symbol)[],
  ): this;
  decorateReply(name: string | symbol, method: MethodOf<Reply>, dependencies?: (string | symbol)[]): this;
  decorateReply<Value>(
    name: string | symbol,
    value?: Value | Accessor<Reply, Value>,
    dependencies?: (string | symbol)[],
  ): this;
  hasDecorator(name: string | symbol): boolean;
  hasRequestDecorator(name: string | symbol): boolean;
  hasReplyDecorator(name: string | symbol): boolean;
  getDecorator<T = unknown>(name: string | symbol): T;

  // ---- hooks
  addHook<Name extends HookName>(name: Name, hook: Hooks[Name]): this;
  /** Disposes of a resource when the server closes. */
  addHook(name: 'onClose', resource: AsyncDisposable | Disposable): this;

  // ---- routes
  route<Route extends RouteTypes = RouteTypes>(options: RouteOptions<Route>): this;
  get: RouteShortcut<this>;
  head: RouteShortcut<this>;
  post: RouteShortcut<this>;
  put: RouteShortcut<this>;
  patch: RouteShortcut<this>;
  delete: RouteShortcut<this>;
  options: RouteShortcut<this>;
  trace: RouteShortcut<this>;
  query: RouteShortcut<this>;
  /** Declares the route for every supported method. */
  all: RouteShortcut<this>;
  readonly supportedMethods: string[];
  /** Supports another method that node's parser accepts, with a shortcut of its own. */
  addHttpMethod(method: string, options?: { hasBody?: boolean; overrideExisting?: boolean }): this;
  hasRoute(route: RouteQuery): boolean;
  findRoute(route: RouteQuery): FoundRoute | null;
  printRoutes(options?: PrintRoutesOptions): string;
  addConstraintStrategy(strategy: ConstraintStrategy): void;
  hasConstraintStrategy(name: string): boolean;
  setNotFoundHandler(handler?: Handler): this;
  setNotFoundHandler(
    details: { preValidation?: RequestHook | RequestHook[]; preHandler?: RequestHook | RequestHook[] },
    handler: Handler,
  ): this;

  // ---- schemas
  addSchema(schema: unknown): this;
  getSchema(id: string): unknown;
  getSchemas(): Record<string, unknown>;
  setValidatorCompiler(compiler: ValidatorCompiler): this;
  setSerializerCompiler(compiler: SerializerCompiler): this;
  setSchemaErrorFormatter(formatter: SchemaErrorFormatter<Context>): this;
  setSchemaController(options: SchemaControllerOptions): this;
  setReplySerializer(serialize: (payload: never, status: number) => string): this;
  readonly validatorCompiler: ValidatorCompiler | undefined;
  readonly serializerCompiler: SerializerCompiler | undefined;

  // ---- errors and logs
  setErrorHandler(handler: ErrorHandler): this;
  readonly errorHandler: ErrorHandler;
  setChildLoggerFactory(factory: ChildLoggerFactory<Context>): this;
  readonly childLoggerFactory: ChildLoggerFactory<Context>;
  setGenReqId(generate: (rawRequest: never) => string): this;
  readonly genReqId: (rawRequest: never) => string;

  // ---- bodies
  addContentTypeParser(mediaType: string | RegExp | (string | RegExp)[], parser: StreamParser): this;
  addContentTypeParser(
    mediaType: string | RegExp | (string | RegExp)[],
    options: { bodyLimit?: number },
    parser: StreamParser,
  ): this;
  addContentTypeParser(
    mediaType: string | RegExp | (string | RegExp)[],
    options: { parseAs: 'string'; bodyLimit?: number },
    parser: CollectedParser<string>,
  ): this;
  addContentTypeParser(
    mediaType: string | RegExp | (string | RegExp)[],
    options: { parseAs: 'buffer'; bodyLimit?: number },
    parser: CollectedParser<Buffer>,
  ): this;
  hasContentTypeParser(mediaType: string | RegExp): boolean;
  removeContentTypeParser(mediaType: string | RegExp | (string | RegExp)[]): void;
  removeAllContentTypeParsers(): void;
  getDefaultJsonParser(
    onProtoPoisoning: PoisoningAction,
    onConstructorPoisoning: PoisoningAction,
  ): CollectedParser<string>;
  defaultTextParser: CollectedParser<string>;

  // ---- serving
  readonly server: Server;
  listen(options?: ListenOptions): Promise<string>;
  listen(options: ListenOptions, listener: (error: Error | null, address: string) => void): void;
  listen(listener: (error: Error | null, address: string) => void): void;
  addresses(): AddressInfo[];
  /** The address listened on last: `http://localhost:3000`. */
  readonly listeningOrigin: string;
  /** Serves a pair of node objects that the application made or received itself. */
  routing(rawRequest: unknown, rawResponse: unknown): void;
  /** Serves a request without a socket; boots first where needed. */
  inject(options: InjectOptions | string): Promise<InjectResponse>;
  inject(): InjectChain;
  inject(
    options: InjectOptions | string,
    callback: (error: Error | undefined, response: InjectResponse | undefined) => void,
  ): void;
  [Symbol.asyncDispose](): Promise<void>;
  withTypeProvider(): this;
}
