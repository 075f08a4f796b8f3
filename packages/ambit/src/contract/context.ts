/**
 * The public interface of contexts, and the types that refer to one another through it: requests and replies know their
 * context, contexts take routes, routes and hooks take requests and replies. They can only be declared together.
 */
import type { ErrorPlace } from '../shared/define-error.ts';
import type { Done, Settled } from './callback.ts';
import type { SchemaErrorFormatter, SerializerCompiler, ValidatorCompiler } from './compiler.ts';
import type {
  ContextTypes,
  Extended,
  Inherited,
  Member,
  Merged,
  Needed,
  Prefixed,
  RouteEntry,
  RouteTable,
  SharedSchema,
} from './context-types.ts';
import type { Accessor, Expected, InitialValue, MethodOf, Missing } from './decorators.ts';
import type { Empty } from './empty.ts';
import type {
  AbortHookOf,
  ContextHooksOf,
  ErrorHookOf,
  HookScope,
  PayloadHookOf,
  PreParsingHookOf,
  RequestHookOf,
  RequestHooksOf,
} from './hooks.ts';
import type { ChildLoggerFactory, Logger } from './logger.ts';
import type { BodyParsing, CollectedParserOf, StreamParserOf } from './parsers.ts';
import type {
  FilledTypes,
  FillFunction,
  PluginOf,
  RegisteredOptions,
  RegisteredPlugin,
  ResultOfPlugin,
  Unseen,
} from './registration.ts';
import type { ReplyChain, ReplyParts } from './reply.ts';
import type { HandledError, HeadersOf, PartOf, RequestParts, RouteTypes } from './request.ts';
import type {
  ConstraintStrategy,
  PrintRoutesOptions,
  RouteConfig,
  RouteQuery,
  RouteSchema,
  RouteSettings,
} from './route-declaration.ts';
import type {
  GivenSchema,
  InferredRoute,
  PayloadOf,
  RefusedResult,
  Replied,
  ResponsesOf,
  ResultKind,
  ResultOf,
  RouteSchemaShape,
  RouteSource,
  Sendable,
  StatusOf,
} from './route-types.ts';
import type { SchemaHandling } from './schema-handling.ts';
import type { Serving } from './serving.ts';

// ------------------------------------------------------------------------------------------------ requests and replies

/** A request. Decorators of the context add to it: augment this interface to type them. */
export interface Request<Route extends RouteTypes = RouteTypes, Types extends ContextTypes = ContextTypes>
  extends RequestParts {
  body: Route['Body'];
  query: Route['Querystring'];
  /** Percent-decoded values of the route's parameters: untrusted input. */
  params: Route['Params'];
  /** Header fields, names in lower case. Assigning adds to what was received; it never removes. */
  headers: HeadersOf<PartOf<Route, 'Headers', unknown>>;
  /** The context of the route. */
  readonly server: ContextOf<Types>;
  /** What was declared for the route, with its defaults filled in. */
  readonly routeOptions: RouteInfo;
}

/** A reply. Decorators of the context add to it: augment this interface to type them. */
export interface Reply<Route extends RouteTypes = RouteTypes, Types extends ContextTypes = ContextTypes>
  extends ReplyParts<Route> {
  readonly request: Request<Route, Types> & Types['request'];
  /** The context of the route. */
  readonly server: ContextOf<Types>;
  readonly routeOptions: RouteInfo;
}

// --------------------------------------------------------------------------------------------------------------- hooks

/** A hook of a phase before the handler, or after the response. */
export type RequestHook<Types extends ContextTypes = ContextTypes> = RequestHookOf<HookScopeOf<Types>>;
/** Wraps or replaces the stream that the body is read from. */
export type PreParsingHook<Types extends ContextTypes = ContextTypes> = PreParsingHookOf<HookScopeOf<Types>>;
/** Sees the payload on its way out, and may replace it. */
export type PayloadHook<Types extends ContextTypes = ContextTypes> = PayloadHookOf<HookScopeOf<Types>>;
/** Sees an error before the error handlers do. It cannot reply. */
export type ErrorHook<Types extends ContextTypes = ContextTypes> = ErrorHookOf<HookScopeOf<Types>>;
/** Runs when the client went away before the reply was complete. */
export type AbortHook<Types extends ContextTypes = ContextTypes> = AbortHookOf<HookScopeOf<Types>>;

export type RequestHooks<Types extends ContextTypes = ContextTypes> = RequestHooksOf<HookScopeOf<Types>>;
export type ContextHooks<Types extends ContextTypes = ContextTypes> = ContextHooksOf<
  ContextOf<Types>,
  ContextOf<Inherited<Types>>,
  RegisteredRoute
>;
export type Hooks<Types extends ContextTypes = ContextTypes> = RequestHooks<Types> & ContextHooks<Types>;
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
export type ErrorHandler<Types extends ContextTypes = ContextTypes> = (
  this: ContextOf<Types>,
  error: HandledError,
  request: RequestOf<Types>,
  reply: ReplyOf<Types>,
) => unknown;

/** Everything a route can be given besides its method, URL and handler. */
export interface RouteDetails
  extends RouteSettings,
    Partial<{ [Name in RequestHookName]: RequestHooks[Name] | RequestHooks[Name][] }> {
  schemaErrorFormatter?: SchemaErrorFormatter<Context>;
  errorHandler?: ErrorHandler;
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

/** A route as `listRoutes` shows it. */
export interface DeclaredRoute {
  /** The URL pattern with all prefixes. A route that answers with and without a trailing slash is shown without. */
  readonly url: string;
  readonly method: string | string[];
  /** The live options, as `onRoute` hooks left them. */
  readonly options: RegisteredRoute;
  /** The context of the route: its shared schemas, decorators and prefix. */
  readonly context: Context;
  /** Whether the framework added it: the HEAD route that goes with a GET route. */
  readonly isAutomatic: boolean;
  /** The plugin, the route, and the line that declared it, for error messages. */
  readonly where: ErrorPlace;
}

export interface FoundRoute {
  handler: Handler;
  params: Record<string, string | undefined>;
  searchParams: Record<string, string>;
}

// ------------------------------------------------------------------------------------------------------- typed routes

/** The request of a route's handler: its parts as the schema says, or as the type argument says. */
export type TypedRequest<Source extends RouteSource, Schema, Types extends ContextTypes> = Request<
  Source extends string ? InferredRoute<Source, Schema, Types['schemas']> : Extract<Source, RouteTypes>,
  Types
> &
  Types['request'];

/** The reply of a route's handler; `Status` is the one that `code` named last. */
export type TypedReply<Responses, Types extends ContextTypes, Status extends number = 200> = ReplyWith<
  Responses,
  Types,
  Status
> &
  Types['reply'];

interface UntypedReply
  extends Omit<Reply, 'code' | 'status' | 'statusCode' | 'send' | 'then' | keyof ReplyChain> {}

interface ReplyWith<Responses, Types extends ContextTypes, Status extends number>
  extends UntypedReply,
    ReplyChain,
    Replied {
  readonly request: RequestOf<Types>;
  /** The context of the route. */
  readonly server: ContextOf<Types>;
  /** Sets the status: one that the route declares a response for. */
  code<const Code extends StatusOf<Responses>>(status: Code): TypedReply<Responses, Types, Code>;
  status<const Code extends StatusOf<Responses>>(status: Code): TypedReply<Responses, Types, Code>;
  get statusCode(): number;
  set statusCode(status: StatusOf<Responses>);
  // Not `this`: nothing is typed after it, and the compiler compares what a handler returns with its result for every route.
  send(payload: Sendable<PayloadOf<Responses, Status, Types['schemas']>>): Reply<RouteTypes, Types>;
}

/** A route's handler. */
export type TypedHandler<Source extends RouteSource, Schema, Types extends ContextTypes> = (
  this: ContextOf<Types>,
  request: TypedRequest<Source, Schema, Types>,
  reply: TypedReply<ResponsesOf<Source, Schema>, Types>,
) => ResultOf<Source, Schema, Types['schemas']>[ResultKind<Schema>];

/**
 * A route's handler in a file of its own: `RouteHandler<typeof schema>`, of a schema that is written `as const`.
 *
 * `In` is the context that the route is declared in (`typeof app`), or what the handler needs of it, as `plugin` takes it:
 * `{ request: { user: User } }`, `Provides<typeof store>`. `Path` tells the parameters where the schema does not.
 */
export type RouteHandler<
  Schema extends RouteSchemaShape = Empty,
  In = Context,
  Path extends string = string,
> = TypedHandler<Path, Schema, TypesFor<In>>;

/** The types of a context, or of what is needed of one. */
type TypesFor<In> = '~types' extends keyof In
  ? In extends { readonly '~types'?: infer Types extends ContextTypes }
    ? Inherited<Types>
    : ContextTypes
  : Needed<In & Partial<ContextTypes>>;

type OneOrMore<Hook> = Hook | Hook[];

/**
 * What does not depend on the schema stands apart: the compiler makes each member of a generic interface anew for every route. And it is
 * no interface itself: those have a `this`, which would be another one for every route.
 */
type CommonDetails<Types extends ContextTypes> = Omit<
  RouteDetails,
  'schema' | 'errorHandler' | 'validatorCompiler' | 'serializerCompiler' | RequestHookName
> & {
  /** Of which library the schemas are, says the annotation of its parameter: `({ schema }: { schema: Joi.Schema }) => …`. */
  validatorCompiler?: ValidatorCompiler<never>;
  serializerCompiler?: SerializerCompiler<never>;
  onRequest?: OneOrMore<RequestHook<Types>>;
  preParsing?: OneOrMore<PreParsingHook<Types>>;
  preValidation?: OneOrMore<RequestHook<Types>>;
  preSerialization?: OneOrMore<PayloadHook<Types>>;
  onSend?: OneOrMore<PayloadHook<Types>>;
  onResponse?: OneOrMore<RequestHook<Types>>;
  onError?: OneOrMore<ErrorHook<Types>>;
  onTimeout?: OneOrMore<RequestHook<Types>>;
  onRequestAbort?: OneOrMore<AbortHook<Types>>;
  errorHandler?: ErrorHandler<Types>;
};

/** Everything a typed route can be given besides its method, URL and handler. */
export type TypedDetails<
  Source extends RouteSource,
  Schema,
  Types extends ContextTypes,
> = CommonDetails<Types> & {
  schema?: GivenSchema<Schema>;
  /** The one hook whose request is known to be valid. */
  preHandler?: OneOrMore<
    (
      this: ContextOf<Types>,
      request: TypedRequest<Source, Schema, Types>,
      reply: TypedReply<ResponsesOf<Source, Schema>, Types>,
      done: Done,
    ) => Settled
  >;
};

/** A typed route with its handler inside. */
export type TypedRoute<Source extends RouteSource, Schema, Types extends ContextTypes> = TypedDetails<
  Source,
  Schema,
  Types
> & { handler: TypedHandler<Source, Schema, Types> };

/** A typed route as a call gives it. */
type GivenRoute<Source extends RouteSource, Schema, Types extends ContextTypes, Result> = TypedDetails<
  Source,
  Schema,
  Types
> & { handler: GivenHandler<Source, Schema, Types, Result> };

/**
 * A handler as a call gives it. Its result is inferred and held to the schema here, so that the error for one that does not fit is one line.
 * Until it is known it is `never`, and what the schema asks for is what literals are typed by. `NoInfer` keeps the condition from being
 * worked out before that, and from being asked of each member of a union; of the path, a handler that is typed elsewhere knows less.
 */
type GivenHandler<Source extends RouteSource, Schema, Types extends ContextTypes, Result> =
  NoInfer<Result> extends ResultOf<Source, Schema, Types['schemas']>[ResultKind<Schema>]
    ? (
        this: ContextOf<Types>,
        request: TypedRequest<NoInfer<Source>, Schema, Types>,
        reply: TypedReply<ResponsesOf<Source, Schema>, Types>,
      ) => [Result] extends [never] ? ResultOf<Source, Schema, Types['schemas']>[ResultKind<Schema>] : Result
    : RefusedResult<Source, Schema, Types['schemas'], Result>[ResultKind<Schema>];

/**
 * A handler alone; `never` where a schema was found: then a literal is compared with one type, not with a union, which it would be copied
 * for. A condition around both would settle the schema too late, and infer it twice.
 */
type LoneHandler<
  Source extends RouteSource,
  Schema,
  Types extends ContextTypes,
  Result,
> = Empty extends Schema ? GivenHandler<Source, Schema, Types, Result> : never;

/**
 * `get(path, handler)`, `get(path, { schema, handler })`, `get(path, { schema }, handler)`. One signature a number of
 * arguments: with a single candidate the compiler checks a call once, and reports its error at the property that is wrong.
 */
export interface RouteShortcut<Types extends ContextTypes, Method extends string> {
  <const Source extends RouteSource, const Schema extends RouteSchemaShape = Empty, Result = never>(
    path: Source | string,
    route:
      | LoneHandler<Source, Schema, Inherited<Types>, Result>
      | GivenRoute<Source, Schema, Inherited<Types>, Result>,
  ): WithRoute<Types, Method, Extract<Source, string>, Schema>;
  <const Source extends RouteSource, const Schema extends RouteSchemaShape = Empty, Result = never>(
    path: Source | string,
    details: TypedDetails<Source, Schema, Inherited<Types>>,
    handler: GivenHandler<Source, Schema, Inherited<Types>, Result>,
  ): WithRoute<Types, Method, Extract<Source, string>, Schema>;
}

/** The context, with one more route to its name. */
export type WithRoute<
  Types extends ContextTypes,
  Method extends string,
  Path extends string,
  Schema,
> = ContextOf<Extended<Types, 'routes', RouteTable<RouteEntry<Method, Path, Schema, Types['schemas']>>>>;

// ------------------------------------------------------------------------------------------------------------- parsers

/** Reads the raw request as a stream. */
export type StreamParser = StreamParserOf<HookScopeOf<ContextTypes>>;
/** Reads a body that was collected as text or as bytes. */
export type CollectedParser<Body extends string | Buffer> = CollectedParserOf<
  HookScopeOf<ContextTypes>,
  Body
>;

// ------------------------------------------------------------------------------------------------------------- plugins

/** A function that fills a context: by callback, by promise, or synchronously with two arguments. */
export type PluginFunction<Options = Record<string, unknown>, In = Context, Result = Settled> = FillFunction<
  Options,
  In,
  Result
>;
/** What `register` takes: a plugin, an ES module whose default export is one, or a promise of either. */
export type Plugin<Options = Record<string, unknown>, In = Context, Result = Settled> = PluginOf<
  Options,
  In,
  Result
>;

/** The least that a plugin has to be given: every context will do for one that asks for nothing. */
export type MinimalContext<In> = Context extends In ? Context : In;

// ------------------------------------------------------------------------------------------------------------- context

/**
 * Declares a method, an accessor or a value. A method's type, so that contexts that know more pass for those that know less. `Owner` is
 * what is decorated, `Bare` the same without decorators.
 */
type Decorate<Types extends ContextTypes, Part extends keyof ContextTypes, Owner, Bare> = {
  declare<const Name extends string | symbol, Method extends MethodOf<Owner> & Expected<Bare, Name>>(
    name: Name,
    method: Method,
    dependencies?: (string | symbol)[],
  ): ContextOf<Extended<Types, Part, Member<Name, Method, Bare>>>;
  declare<const Name extends string | symbol, Value extends Expected<Bare, Name>>(
    name: Name,
    accessor: Accessor<Owner, Value>,
    dependencies?: (string | symbol)[],
  ): ContextOf<Extended<Types, Part, Member<Name, Value, Bare>>>;
  declare<const Name extends string | symbol, Value extends Expected<Bare, Name, Missing<Part>>>(
    name: Name,
    value: InitialValue<Part, Value> | void,
    dependencies?: (string | symbol)[],
  ): ContextOf<Extended<Types, Part, Member<Name, Value, Bare>>>;
}['declare'];

/** A context that may be awaited: it is loaded then. */
type Loading<Types extends ContextTypes> = ContextOf<Types> & PromiseLike<ContextOf<Types>>;

/** A context once a plugin is registered: with what a hoisted one adds to it, or the routes that the plugin's result tells. */
type RegisterResult<Types extends ContextTypes, Given, Prefix extends string> = Loading<
  Given extends { readonly '~added': infer Added extends ContextTypes }
    ? Merged<Types, Added>
    : Extended<Types, 'routes', Prefixed<FilledTypes<ResultOfPlugin<Given>>['routes'], Prefix>>
>;

/** A context with its decorators. */
export type ContextOf<Types extends ContextTypes> = Context<Types> & Types['context'];
/** A request, and a reply, of a context: with its decorators, and nothing known of the route. */
export type RequestOf<Types extends ContextTypes> = Request<RouteTypes, Types> & Types['request'];
export type ReplyOf<Types extends ContextTypes> = Reply<RouteTypes, Types> & Types['reply'];
/** Who takes part in the hooks of a context. */
interface HookScopeOf<Types extends ContextTypes> extends HookScope {
  context: ContextOf<Types>;
  request: RequestOf<Types>;
  reply: ReplyOf<Types>;
}

/** One node of the encapsulation tree (specification 1.1). It inherits from its ancestors and hides what it adds from the rest. */
export interface Context<out Types extends ContextTypes = ContextTypes>
  extends BodyParsing<HookScopeOf<ContextTypes>>,
    SchemaHandling,
    Serving<Types['routes']> {
  /** What the compiler knows of this context; there is no such member at run time. */
  readonly '~types'?: Types;

  // ---- identity
  /** The path of plugins from the root. */
  readonly pluginName: string;
  readonly prefix: string;
  readonly version: string;
  readonly log: Logger;
  /** The options of the root that are safe to show, frozen. */
  readonly initialConfig: Readonly<Record<string, unknown>>;

  // ---- plugins and boot
  register<Self, Given = Unseen, Options = never, const Prefix extends string = ''>(
    this: Self,
    plugin: RegisteredPlugin<ContextOf<Inherited<Types>>, Self, Given, Options>,
    options?: RegisteredOptions<ContextOf<Types>, Given, Options> & { prefix?: Prefix },
  ): RegisterResult<Types, Given, Prefix>;
  /** Runs when everything registered so far has loaded. Without a function: a promise of that. */
  after(): Promise<void>;
  after(listener: (error: Error | null, done: Done) => Settled): this;
  /** Boots: loads every plugin, compiles every route, runs the `onReady` hooks. */
  ready(): Promise<ContextOf<Types>>;
  ready(listener: (error: Error | null, context?: ContextOf<Types>) => void): void;
  /** Closes the server and runs the `preClose` and `onClose` hooks. */
  close(): Promise<void>;
  close(listener: (error?: Error) => void): this;
  onClose(hook: ContextHooks<Types>['onClose']): this;
  hasPlugin(name: string): boolean;
  printPlugins(): string;

  // ---- decorators
  decorate: Decorate<Types, 'context', ContextOf<Inherited<Types>>, Context>;
  decorateRequest: Decorate<Types, 'request', RequestOf<Types>, Request>;
  decorateReply: Decorate<Types, 'reply', ReplyOf<Types>, Reply>;
  hasDecorator(name: string | symbol): boolean;
  hasRequestDecorator(name: string | symbol): boolean;
  hasReplyDecorator(name: string | symbol): boolean;
  getDecorator<T = unknown>(name: string | symbol): T;

  // ---- hooks
  addHook<Name extends HookName>(name: Name, hook: Hooks<Types>[Name]): this;
  /** Disposes of a resource when the server closes. */
  addHook(name: 'onClose', resource: AsyncDisposable | Disposable): this;

  // ---- routes
  route<
    const Source extends RouteSource,
    const Schema extends RouteSchemaShape = Empty,
    const Method extends string = string,
    Result = never,
  >(
    route: GivenRoute<Source, Schema, Inherited<Types>, Result> & {
      method: Method | readonly Method[];
      /** Either of `url` and `path`. */
      url?: Source | string;
      path?: Source | string;
    },
  ): WithRoute<Types, Method, Extract<Source, string>, Schema>;
  get: RouteShortcut<Types, 'GET'>;
  head: RouteShortcut<Types, 'HEAD'>;
  post: RouteShortcut<Types, 'POST'>;
  put: RouteShortcut<Types, 'PUT'>;
  patch: RouteShortcut<Types, 'PATCH'>;
  delete: RouteShortcut<Types, 'DELETE'>;
  options: RouteShortcut<Types, 'OPTIONS'>;
  trace: RouteShortcut<Types, 'TRACE'>;
  query: RouteShortcut<Types, 'QUERY'>;
  /** Declares the route for every supported method. */
  all: RouteShortcut<Types, string>;
  readonly supportedMethods: string[];
  /** Supports another method that node's parser accepts, with a shortcut of its own. */
  addHttpMethod(method: string, options?: { hasBody?: boolean; overrideExisting?: boolean }): this;
  hasRoute(route: RouteQuery): boolean;
  findRoute(route: RouteQuery): FoundRoute | null;
  printRoutes(options?: PrintRoutesOptions): string;
  addConstraintStrategy(strategy: ConstraintStrategy): void;
  hasConstraintStrategy(name: string): boolean;
  setNotFoundHandler(handler?: TypedHandler<string, Empty, Inherited<Types>>): this;
  setNotFoundHandler(
    details: { preValidation?: OneOrMore<RequestHook<Types>>; preHandler?: OneOrMore<RequestHook<Types>> },
    handler: TypedHandler<string, Empty, Inherited<Types>>,
  ): this;

  // ---- schemas
  addSchema<const Schema>(schema: Schema): ContextOf<Extended<Types, 'schemas', SharedSchema<Schema>>>;
  setSchemaErrorFormatter(formatter: SchemaErrorFormatter<ContextOf<Types>>): this;

  // ---- errors and logs
  setErrorHandler(handler: ErrorHandler<Types>): this;
  readonly errorHandler: ErrorHandler;
  setChildLoggerFactory(factory: ChildLoggerFactory<Context>): this;
  readonly childLoggerFactory: ChildLoggerFactory<Context>;
  setGenReqId(generate: (rawRequest: never) => string): this;
  readonly genReqId: (rawRequest: never) => string;

  withTypeProvider(): this;
}
