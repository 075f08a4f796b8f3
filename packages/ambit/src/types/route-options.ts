/** What a route declares besides its schemas. */

import type { SchemaErrorFormatter, SerializerCompiler, ValidatorCompiler } from './compilers.ts';
import type { Context, ContextOf } from './context.ts';
import type { ContextTypes } from './context-types.ts';
import type { RouteOverloadOptions } from './feature-options.ts';
import type { Done, ErrorHandler, Handler, RequestHookName, RequestHooks, Settled } from './hooks.ts';
import type { ChildLoggerFactory, LogSerializers } from './logger.ts';
import type { MultipartOptions } from './multipart.ts';
import type { TypedReply } from './reply.ts';
import type { TypedRequest } from './request.ts';
import type { RouteSchema } from './route-schema.ts';
import type { ResponsesOf, RouteSource, RouteTypes, SchemaArgument } from './route-types.ts';

/** The option `config` of a route: any values that plugins and handlers read as `request.routeOptions.config`. */
export interface RouteConfig {
  [key: string]: unknown;
}

/** How a route sends streams of items. */
export interface StreamOptions {
  /**
   * How often an event stream gets a comment, in milliseconds, so that proxies and clients do not take it for dead: an integer > 0, or
   * `false` for never. Default 15,000. If there is no event yet, the first comment also sends the head of the response.
   */
  heartbeatMs?: number | false;
  /** How long a stream may go on, in milliseconds, after `close()` has aborted `request.signal`: an integer >= 0. Default 5,000. */
  closeMs?: number;
}

/** The options of a route that do not depend on the types of requests, replies and contexts. */
export interface RouteSettings {
  /** The schemas of the request and of the replies. */
  schema?: RouteSchema;
  /** If `true`, the handler gets invalid requests, too, with the error in `request.validationError`. Default `false`: they fail. */
  attachValidation?: boolean;
  /** Compiles the schemas of this route's requests. Default: the compiler of the context. */
  validatorCompiler?: ValidatorCompiler;
  /** Compiles the schemas of this route's replies. Default: the compiler of the context. */
  serializerCompiler?: SerializerCompiler;
  /** The largest body in bytes: an integer > 0. A larger one is answered with 413. Default: the application's `bodyLimit`, 1,048,576. */
  bodyLimit?: number;
  /** The limits of `multipart/form-data` bodies. They override those of the application. */
  multipart?: MultipartOptions;
  /** The longest time in milliseconds until the reply is sent: an integer >= 0; 0 (not on the facade): no limit. Default: the application's. */
  handlerTimeout?: number;
  /** How the route takes part in the overload protection of its context; `false` for not at all. Default: with the priority `normal`. */
  overload?: RouteOverloadOptions | false;
  /** How responses with an `itemSchema` are sent. Default: every default of `StreamOptions`. */
  stream?: StreamOptions;
  /** Anything that plugins and handlers read as `request.routeOptions.config`. Default `{}`. */
  config?: RouteConfig;
  /** What a request must have, besides method and URL, to match the route. Default: nothing. */
  constraints?: RouteConstraints;
  /** Whether a GET route answers HEAD, too. Default: the application's `exposeHeadRoutes`, `true`. */
  exposeHeadRoute?: boolean;
  /** How the URL `/` under a prefix is registered: as `/prefix` (`no-slash`), as `/prefix/` (`slash`), or as both. Default `both`. */
  prefixTrailingSlash?: 'both' | 'slash' | 'no-slash';
  /** The level of the log of this route's requests. Default: the level of the plugin or of the application's logger. */
  logLevel?: string;
  /** How fields of this route's log lines are written, by the field's name. */
  logSerializers?: LogSerializers;
}

/** All options of a route, except its method, URL and handler. */
export interface RouteDetails extends RouteSettings, HookOptions<RequestHooks> {
  /** Creates the error of a request that is not valid. Default: the formatter of the context. */
  schemaErrorFormatter?: SchemaErrorFormatter<Context>;
  /** Answers errors of this route before the error handlers of the context do. */
  errorHandler?: ErrorHandler;
  /** Creates the logger of each request of this route. Default: the factory of the context. */
  childLoggerFactory?: ChildLoggerFactory<Context>;
}

/** A complete route, as `route()` takes it. */
export interface RouteOptions<Route extends RouteTypes = RouteTypes> extends RouteDetails {
  /** One method or several. Lower case is accepted. */
  method: string | string[];
  /** The URL pattern. Give either `url` or `path`. */
  url?: string;
  /** The same as `url`. */
  path?: string;
  /** Answers the requests. */
  handler: Handler<Route>;
}

/** One hook, or several that run in this order. */
export type OneOrMore<Hook> = Hook | Hook[];
/** The hooks of a route, each one or several. */
type HookOptions<Hooks> = { [Name in keyof Hooks]?: OneOrMore<Hooks[Name]> };

/** The options that do not depend on the schema: a type of its own, and no interface, so that it is not created for every route. */
type CommonDetails<Types extends ContextTypes> = Omit<
  RouteDetails,
  'schema' | 'errorHandler' | 'validatorCompiler' | 'serializerCompiler' | RequestHookName
> & {
  /** Compiles the schemas of requests. Annotate its parameter: `({ schema }: { schema: Joi.Schema }) => …`. */
  validatorCompiler?: ValidatorCompiler<never>;
  /** Compiles the schemas of this route's replies. Default: the compiler of the context. */
  serializerCompiler?: SerializerCompiler<never>;
  /** Answers errors of this route before the error handlers of the context do. */
  errorHandler?: ErrorHandler<Types>;
} & HookOptions<Omit<RequestHooks<Types>, 'preHandler'>>;

/** All options of a typed route, except its method, URL and handler. */
export type TypedDetails<
  Source extends RouteSource,
  Schema,
  Types extends ContextTypes,
> = CommonDetails<Types> & {
  /** The schemas of the request and of the replies. */
  schema?: SchemaArgument<Schema>;
  /** Runs after validation, just before the handler: the only hook that always gets a valid request. */
  preHandler?: OneOrMore<
    (
      this: ContextOf<Types>,
      request: TypedRequest<Source, Schema, Types>,
      reply: TypedReply<ResponsesOf<Source, Schema>, Types>,
      done: Done,
    ) => Settled
  >;
};

/** The values that a request must have for a route to match it, by strategy. */
export interface RouteConstraints {
  /** The version that the client asks for in `accept-version`: a version (`1.2.0`), or a range (`1.x`). */
  version?: string;
  /** The `host` header of the request. */
  host?: string | RegExp;
  [strategy: string]: unknown;
}

/** Selects between routes of one method and URL by another property of the request. */
export interface ConstraintStrategy {
  /** The name of the strategy in `constraints`. */
  name: string;
  /** If `true`, a request that has a value for this strategy never matches a route without this constraint. Default `false`. */
  mustMatchWhenDerived?: boolean;
  /** Creates the store that maps values of the constraint to handlers. Called for each routing tree. */
  storage(): {
    get(value: never): unknown;
    set(value: never, handler: never): void;
    del?(value: never): void;
    empty?(): void;
  };
  /**
   * Checks the value that a route is declared with.
   * @param value The value.
   * @throws If the value is not allowed.
   */
  validate?(value: unknown): void;
  /**
   * Reads the value from a request.
   * @param request Node's own request.
   * @param context Not used.
   * @param done Takes the value later. A strategy that declares this parameter must call it.
   * @returns The value, if the strategy has no parameter `done`.
   */
  deriveConstraint(
    request: never,
    context?: unknown,
    done?: (error: Error | null, value?: unknown) => void,
  ): unknown;
}
