/** The methods of a context for routes. */

import type { RouteEntry, RouteTable } from './calls.ts';
import type { ContextOf } from './context.ts';
import type { ContextTypes, Extended, Inherited } from './context-types.ts';
import type { ResultKind, ResultOf, WrongResultOf } from './handler-result.ts';
import type { RequestHook, TypedHandler } from './hooks.ts';
import type { TypedReply } from './reply.ts';
import type { TypedRequest } from './request.ts';
import type { FoundRoute, PrintRoutesOptions, RouteQuery } from './route-info.ts';
import type { ConstraintStrategy, OneOrMore, TypedDetails } from './route-options.ts';
import type { Empty, ResponsesOf, RouteSchemaShape, RouteSource } from './route-types.ts';

/** The type of the argument of a call that declares a typed route. */
type RouteArgument<Source extends RouteSource, Schema, Types extends ContextTypes, Result> = TypedDetails<
  Source,
  Schema,
  Types
> & {
  /** Answers the requests. */
  handler: HandlerArgument<Source, Schema, Types, Result>;
};

/**
 * The type of a handler in a call. Its result is inferred first and then compared with the schema here, so that the error for a wrong
 * result is a single line. While the result is not known, it is `never`, and literals get their types from the schema. `NoInfer` keeps the
 * compiler from evaluating the condition earlier, or for each member of a union. The path is `NoInfer` too, because the declared type of a
 * handler may have a less specific path.
 */
type HandlerArgument<Source extends RouteSource, Schema, Types extends ContextTypes, Result> =
  NoInfer<Result> extends ResultOf<Source, Schema, Types['schemas']>[ResultKind<Schema>]
    ? (
        this: ContextOf<Types>,
        request: TypedRequest<NoInfer<Source>, Schema, Types>,
        reply: TypedReply<ResponsesOf<Source, Schema>, Types>,
      ) => [Result] extends [never] ? ResultOf<Source, Schema, Types['schemas']>[ResultKind<Schema>] : Result
    : WrongResultOf<Source, Schema, Types['schemas'], Result>[ResultKind<Schema>];

/** A handler alone; `never` if a schema was inferred, so that the compiler compares a literal with one type, and need not copy it. */
type HandlerOnly<
  Source extends RouteSource,
  Schema,
  Types extends ContextTypes,
  Result,
> = Empty extends Schema ? HandlerArgument<Source, Schema, Types, Result> : never;

/** `get(path, handler)`, `get(path, options)`, `get(path, options, handler)`: one signature for each, so that errors are precise. */
export interface RouteShortcut<Types extends ContextTypes, Method extends string> {
  /**
   * Declares a route. Throws as `route` does.
   * @param path The URL pattern: `/users/:id`.
   * @param route The handler, or the route's options with the handler among them.
   */
  <const Source extends RouteSource, const Schema extends RouteSchemaShape = Empty, Result = never>(
    path: Source | string,
    route:
      | HandlerOnly<Source, Schema, Inherited<Types>, Result>
      | RouteArgument<Source, Schema, Inherited<Types>, Result>,
  ): WithRoute<Types, Method, Extract<Source, string>, Schema>;
  /**
   * Declares a route. Throws as `route` does, and {FST_ERR_ROUTE_DUPLICATED_HANDLER} if the options have a handler, too.
   * @param path The URL pattern: `/users/:id`.
   * @param details The route's options.
   * @param handler Answers the requests.
   */
  <const Source extends RouteSource, const Schema extends RouteSchemaShape = Empty, Result = never>(
    path: Source | string,
    details: TypedDetails<Source, Schema, Inherited<Types>>,
    handler: HandlerArgument<Source, Schema, Inherited<Types>, Result>,
  ): WithRoute<Types, Method, Extract<Source, string>, Schema>;
}

/** The context with one more route. */
export type WithRoute<
  Types extends ContextTypes,
  Method extends string,
  Path extends string,
  Schema,
> = ContextOf<Extended<Types, 'routes', RouteTable<RouteEntry<Method, Path, Schema, Types['schemas']>>>>;

/** Declares routes, and looks them up. */
export interface RouteMethods<Types extends ContextTypes> {
  /**
   * Declares a route.
   * @param route Its options, with method, URL and handler.
   * @returns This context, whose type has the route.
   * @throws {FST_ERR_DUPLICATED_ROUTE} if there is such a route already, {FST_ERR_ROUTE_METHOD_NOT_SUPPORTED} or
   *   {FST_ERR_ROUTE_METHOD_INVALID} for its method, {FST_ERR_ROUTE_MISSING_HANDLER} or {FST_ERR_ROUTE_HANDLER_NOT_FN} for its handler,
   *   {FST_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED} for a body schema of a method without a body.
   */
  route<
    const Source extends RouteSource,
    const Schema extends RouteSchemaShape = Empty,
    const Method extends string = string,
    Result = never,
  >(
    route: RouteArgument<Source, Schema, Inherited<Types>, Result> & {
      /** One method or several. */
      method: Method | readonly Method[];
      /** The URL pattern. Give either `url` or `path`. */
      url?: Source | string;
      /** The same as `url`. */
      path?: Source | string;
    },
  ): WithRoute<Types, Method, Extract<Source, string>, Schema>;
  /** Declares a route for GET, which answers HEAD, too, unless `exposeHeadRoute` is `false`. */
  get: RouteShortcut<Types, 'GET'>;
  /** Declares a route for HEAD. */
  head: RouteShortcut<Types, 'HEAD'>;
  /** Declares a route for POST. */
  post: RouteShortcut<Types, 'POST'>;
  /** Declares a route for PUT. */
  put: RouteShortcut<Types, 'PUT'>;
  /** Declares a route for PATCH. */
  patch: RouteShortcut<Types, 'PATCH'>;
  /** Declares a route for DELETE. */
  delete: RouteShortcut<Types, 'DELETE'>;
  /** Declares a route for OPTIONS. */
  options: RouteShortcut<Types, 'OPTIONS'>;
  /** Declares a route for TRACE. */
  trace: RouteShortcut<Types, 'TRACE'>;
  /** Declares a route for QUERY (RFC 10008). */
  query: RouteShortcut<Types, 'QUERY'>;
  /** Declares a route for every supported method. */
  all: RouteShortcut<Types, string>;
  /** The methods that routes may be declared for. */
  readonly supportedMethods: string[];
  /**
   * Supports another method, with a shortcut of its own: `addHttpMethod('MKCOL')` adds `mkcol`.
   * @param method A method that node's parser accepts, in upper case.
   * @param options `hasBody`: whether bodies of such requests are parsed, default `false`. `overrideExisting`: whether to replace a method
   *   that is supported already without a warning, default `false`.
   * @throws {FST_ERR_ROUTE_METHOD_INVALID} if node's parser does not accept the method.
   */
  addHttpMethod(method: string, options?: { hasBody?: boolean; overrideExisting?: boolean }): this;
  /** Tells whether a route is declared. @param route Its method, its URL pattern with all prefixes, and its constraints. */
  hasRoute(route: RouteQuery): boolean;
  /**
   * Finds the route that a request would reach.
   * @param route The request.
   * @returns Its handler and the parameters, or `null`.
   */
  findRoute(route: RouteQuery): FoundRoute | null;
  /** Draws the tree of routes, complete once the application is ready. @param options Which routes, and which of their data. */
  printRoutes(options?: PrintRoutesOptions): string;
  /** Adds a strategy for the option `constraints` of routes. @param strategy Its name, and how it reads the value from a request. */
  addConstraintStrategy(strategy: ConstraintStrategy): void;
  /** Tells whether a constraint strategy exists, and for `version` and `host` whether a route uses it. @param name Its name. */
  hasConstraintStrategy(name: string): boolean;
  /** Sets the handler of requests that no route matches, under this prefix. @param handler Default: one that answers 404. */
  setNotFoundHandler(handler?: TypedHandler<string, Empty, Inherited<Types>>): this;
  /**
   * Sets the handler of requests that no route matches, under the prefix of this context.
   * @param details Hooks that run before the handler.
   * @param handler Answers the requests.
   * @throws {AMBIT_ERR_NOT_FOUND_HANDLER_ALREADY_SET} if this prefix has a handler already.
   */
  setNotFoundHandler(
    details: { preValidation?: OneOrMore<RequestHook<Types>>; preHandler?: OneOrMore<RequestHook<Types>> },
    handler: TypedHandler<string, Empty, Inherited<Types>>,
  ): this;
}
