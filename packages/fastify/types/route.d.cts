/** Routes: their options, and the methods that declare them. */
import type { FastifyError } from '@fastify/error';
import type { ConstraintStrategy } from 'find-my-way';
import type { FastifyContextConfig } from './context.cjs';
import type { AbortHook, CallbackHook, HookHandlerDoneFunction, RequestHooks } from './hooks.cjs';
import type { FastifyInstance } from './instance.cjs';
import type { FastifyBaseLogger, FastifyChildLoggerFactory, LogLevel } from './logger.cjs';
import type { MultipartOptions } from './multipart.cjs';
import type { FastifyReply, ReplyGenericInterface } from './reply.cjs';
import type { FastifyRequest, RequestGenericInterface } from './request.cjs';
import type {
  FastifySchema,
  FastifySchemaCompiler,
  FastifySerializerCompiler,
  SchemaErrorFormatter,
} from './schema.cjs';
import type { StreamOptions } from './stream.cjs';
import type {
  FastifyTypeProvider,
  FastifyTypeProviderDefault,
  ResolveFastifyReplyReturnType,
} from './type-provider.cjs';
import type {
  ContextConfigDefault,
  HTTPMethods,
  RawReplyDefaultExpression,
  RawRequestDefaultExpression,
  RawServerBase,
  RawServerDefault,
} from './utils.cjs';

/** The properties of `config` that the framework adds. */
export interface FastifyRouteConfig {
  url: string;
  method: HTTPMethods | HTTPMethods[];
}

/** The types of a route: the parts of its request, and its reply. */
export interface RouteGenericInterface extends RequestGenericInterface, ReplyGenericInterface {}

// biome-ignore-start lint/suspicious/noExplicitAny: a strategy decides by itself what its values are.
export type RouteConstraintType = Omit<ConstraintStrategy<any>, 'deriveConstraint'> & {
  deriveConstraint<Context>(
    req: RawRequestDefaultExpression<RawServerDefault>,
    ctx?: Context,
    done?: (err: Error, ...args: any) => any,
  ): any;
};

type AnyRouteHook = (this: any, ...args: any) => any;
// biome-ignore-end lint/suspicious/noExplicitAny: see above

/** Further conditions that a request must fulfill, besides method and URL, to match a route. */
export interface RouteConstraint {
  version?: string;
  host?: RegExp | string;
  [name: string]: unknown;
}

/** The types of `this` and of the arguments of a handler or a hook of a route. */
export interface Call<
  RawServer extends RawServerBase,
  RawRequest extends RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface,
  ContextConfig,
  SchemaCompiler extends FastifySchema,
  TypeProvider extends FastifyTypeProvider,
  Logger extends FastifyBaseLogger,
> {
  instance: FastifyInstance<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  request: FastifyRequest<
    RouteGeneric,
    RawServer,
    RawRequest,
    SchemaCompiler,
    TypeProvider,
    ContextConfig,
    Logger
  >;
  reply: FastifyReply<
    RouteGeneric,
    RawServer,
    RawRequest,
    RawReply,
    ContextConfig,
    SchemaCompiler,
    TypeProvider
  >;
}

export type AnyCall = { [Part in 'instance' | 'request' | 'reply']: unknown };

/** A handler or a hook of a route. */
export type RouteFunction<Rest extends unknown[], Result, Route extends AnyCall> = (
  this: Route['instance'],
  request: Route['request'],
  reply: Route['reply'],
  ...rest: Rest
) => Result;

/** A hook of a route, in either style. */
type RouteShorthandHook<T extends AnyRouteHook> = (
  this: ThisParameterType<T>,
  ...args: Parameters<T>
) => void | Promise<unknown>;

type OneOrMoreHooks<T extends AnyRouteHook> = RouteShorthandHook<T> | RouteShorthandHook<T>[];

/** The functions in a route's options: one or more hooks of each name, and the error handler. */
type RouteFunctions<Route extends AnyCall> = {
  [Name in keyof RequestHooks]?: OneOrMoreHooks<CallbackHook<RequestHooks[Name], Route>>;
} & {
  onRequestAbort?: OneOrMoreHooks<AbortHook<[done: HookHandlerDoneFunction], void, Route>>;
  errorHandler?: (
    this: Route['instance'],
    error: FastifyError,
    request: Route['request'],
    reply: Route['reply'],
  ) => void;
};

/** The options of a route besides its method, URL and handler. Augment it to declare options that plugins read. */
export interface RouteShorthandOptions<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends RouteFunctions<
    Call<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      NoInfer<SchemaCompiler>,
      TypeProvider,
      Logger
    >
  > {
  /** The schemas of the request and of the replies. */
  schema?: SchemaCompiler;
  /** If `true`, a failed validation does not end the request: the handler reads the error from `request.validationError`. */
  attachValidation?: boolean;
  /** Whether a GET route also handles HEAD. Default: the option of the root, which is `true` by default. */
  exposeHeadRoute?: boolean;
  /** Compiles the schemas of this route's requests. Default: the compiler of the context. */
  validatorCompiler?: FastifySchemaCompiler<NoInfer<SchemaCompiler>>;
  /** Compiles the schemas of this route's replies. Default: the compiler of the context. */
  serializerCompiler?: FastifySerializerCompiler<NoInfer<SchemaCompiler>>;
  /** Creates the error of an invalid request. `this` is the context of the route. */
  schemaErrorFormatter?: SchemaErrorFormatter;
  /** The maximum size of the body in bytes. */
  bodyLimit?: number;
  /** The limits of `multipart/form-data` bodies, over those of the application. Not in Fastify. */
  multipart?: MultipartOptions;
  /** The timeout in milliseconds until the reply is sent. */
  handlerTimeout?: number;
  /** The options of the route for the overload protection of its context; `false` for no protection. Not in Fastify. */
  overload?: { priority?: 'low' | 'normal' | 'high' | 'critical' } | false;
  /** How responses with an `itemSchema` are sent. Not in Fastify. Default: every default of `StreamOptions`. */
  stream?: StreamOptions;
  /** The level of the log of this route's requests. Default: the level of the plugin or of the application's logger. */
  logLevel?: LogLevel;
  /** Serializers for fields of this route's log lines, by the field's name. */
  // biome-ignore lint/suspicious/noExplicitAny: serializers declare the type of the field they write.
  logSerializers?: Record<string, (value: any) => any>;
  /** Creates the logger of each request. Default: it calls `child` of the application's logger. */
  childLoggerFactory?: FastifyChildLoggerFactory<RawServer, RawRequest, RawReply, Logger, TypeProvider>;
  /** A value that plugins and handlers read as `request.routeOptions.config`. Default `{}`. */
  config?: FastifyContextConfig & ContextConfig;
  /** Constraint strategies by name. */
  constraints?: RouteConstraint;
  /** How the URL `/` under a prefix is registered: as `/prefix`, `/prefix/` or both, which is the default. */
  prefixTrailingSlash?: 'slash' | 'no-slash' | 'both';
}

/** Handles a request: it calls `reply.send`, returns a payload, or returns a promise of a payload. */
export type RouteHandlerMethod<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = RouteFunction<
  [],
  ResolveFastifyReplyReturnType<TypeProvider, SchemaCompiler, RouteGeneric>,
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** The same, with the types of the route first and its payload unchecked. */
export type RouteHandler<
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> = RouteFunction<
  [],
  RouteGeneric['Reply'] | void | Promise<RouteGeneric['Reply'] | void>,
  Call<RawServer, RawRequest, RawReply, RouteGeneric, ContextConfig, SchemaCompiler, TypeProvider, Logger>
>;

/** The options of a route, with its handler. */
export interface RouteShorthandOptionsWithHandler<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends RouteShorthandOptions<
    RawServer,
    RawRequest,
    RawReply,
    RouteGeneric,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    Logger
  > {
  /** Handles the requests. */
  handler: RouteHandlerMethod<
    RawServer,
    RawRequest,
    RawReply,
    RouteGeneric,
    ContextConfig,
    NoInfer<SchemaCompiler>,
    TypeProvider,
    Logger
  >;
}

/** `get`, `post` and their like: URL and handler, with options between them or with the handler in the options. */
export interface RouteShorthandMethod<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> {
  /**
   * Declares a route.
   *
   * @param path The URL pattern: `/users/:id`.
   * @param opts Its options.
   * @param handler Handles the requests.
   * @returns This context.
   * @throws {FST_ERR_DUPLICATED_ROUTE} if there is such a route already.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  <
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    const SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    path: string,
    opts: RouteShorthandOptions<
      RawServer,
      RawRequest,
      RawReply,
      RouteGeneric,
      ContextConfig,
      SchemaCompiler,
      TypeProvider,
      Logger
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
  /**
   * Declares a route.
   *
   * @param path The URL pattern: `/users/:id`.
   * @param handler Handles the requests.
   * @returns This context.
   * @throws {FST_ERR_DUPLICATED_ROUTE} if there is such a route already.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  <
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    const SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    path: string,
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
   * Declares a route.
   *
   * @param path The URL pattern: `/users/:id`.
   * @param opts Its options, with the handler among them.
   * @returns This context.
   * @throws {FST_ERR_DUPLICATED_ROUTE} if there is such a route already.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  <
    RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
    ContextConfig = ContextConfigDefault,
    const SchemaCompiler extends FastifySchema = FastifySchema,
  >(
    path: string,
    opts: RouteShorthandOptionsWithHandler<
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
}

/** All options of a route: the argument of `route`. */
export interface RouteOptions<
  RawServer extends RawServerBase = RawServerDefault,
  RawRequest extends RawRequestDefaultExpression<RawServer> = RawRequestDefaultExpression<RawServer>,
  RawReply extends RawReplyDefaultExpression<RawServer> = RawReplyDefaultExpression<RawServer>,
  RouteGeneric extends RouteGenericInterface = RouteGenericInterface,
  ContextConfig = ContextConfigDefault,
  SchemaCompiler extends FastifySchema = FastifySchema,
  TypeProvider extends FastifyTypeProvider = FastifyTypeProviderDefault,
  Logger extends FastifyBaseLogger = FastifyBaseLogger,
> extends RouteShorthandOptions<
    RawServer,
    RawRequest,
    RawReply,
    RouteGeneric,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    Logger
  > {
  /** One method or several. Lower case is accepted. */
  method: HTTPMethods | HTTPMethods[];
  /** The URL pattern. Give either `url` or `path`. */
  url: string;
  /** Handles the requests. */
  handler: RouteHandlerMethod<
    RawServer,
    RawRequest,
    RawReply,
    RouteGeneric,
    ContextConfig,
    SchemaCompiler,
    TypeProvider,
    Logger
  >;
}

export type DefaultRoute<Request, Reply> = (req: Request, res: Reply) => void;
