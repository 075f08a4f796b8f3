/** The types of routes as the application reads them: in `onRoute` hooks, in requests, and from methods that list or look up routes. */
import type { ErrorPlace } from '../shared/call-site.ts';
import type { SchemaDialect } from './compilers.ts';
import type { Context } from './context.ts';
import type { Handler } from './hooks.ts';
import type { RouteConfig, RouteConstraints, RouteOptions, RouteSettings } from './route-options.ts';
import type { RouteSchema } from './route-schema.ts';

/** A route as `onRoute` hooks get it. The options are live: what a hook changes here applies to the route. */
export interface RegisteredRoute extends RouteOptions {
  /** The URL pattern with all prefixes. */
  url: string;
  /** The same as `url`. */
  path: string;
  /** The URL pattern as declared, without prefixes. */
  routePath: string;
  /** The prefix of the context that the route was declared in. */
  prefix: string;
}

/** A route as `request.routeOptions` shows it: with the settings that are in effect. */
export interface RouteInfo
  extends Readonly<
    Required<Pick<RouteSettings, 'bodyLimit' | 'handlerTimeout' | 'attachValidation' | 'exposeHeadRoute'>>
  > {
  /** One method or several, in upper case. */
  readonly method: string | string[];
  /** The URL pattern; `undefined` in a not-found handler. */
  readonly url: string | undefined;
  /** The level of the log of this route's requests; empty for the level of the logger. */
  readonly logLevel: string;
  /** How the URL `/` under a prefix is registered. */
  readonly prefixTrailingSlash: 'both' | 'slash' | 'no-slash';
  /** The handler. */
  readonly handler: Handler;
  /** The option `config` of the route, with `url` and `method`. */
  readonly config: RouteConfig;
  /** The option `schema` of the route. */
  readonly schema: RouteSchema | undefined;
  /** The header `accept-version` of the request, if routes are constrained by version. */
  readonly version: string | undefined;
}

/** A route as `listRoutes` returns it. */
export interface DeclaredRoute {
  /** The URL pattern with all prefixes. A route that answers with and without a trailing slash is listed once, without it. */
  readonly url: string;
  /** One method or several, in upper case. */
  readonly method: string | string[];
  /** The live options, as `onRoute` hooks left them. */
  readonly options: RegisteredRoute;
  /** The context of the route: its shared schemas, decorators and prefix. */
  readonly context: Context;
  /** Whether the framework added the route: the HEAD route of a GET route. */
  readonly isAutomatic: boolean;
  /** The dialect of JSON Schema of its schemas that have no `$schema`: the option `ajv.dialect` of the application. */
  readonly dialect: SchemaDialect;
  /** Whether the application itself replies to errors: the route, its context or an outer context has an error handler. */
  readonly hasErrorHandler: boolean;
  /** The plugin, the route, and the line that declared it, for error messages. */
  readonly where: ErrorPlace;
}

/** A route as `findRoute` returns it. */
export interface FoundRoute {
  /** The handler. */
  handler: Handler;
  /** The values of the parameters in the URL, by name. */
  params: Record<string, string | undefined>;
  /** The parsed query string of the URL. */
  searchParams: Record<string, string>;
}

/** Which route `hasRoute` and `findRoute` look for. */
export interface RouteQuery {
  /** With all prefixes. For `hasRoute` the URL pattern: `/users/:id`. For `findRoute` the URL of a request: `/users/1`. */
  url: string;
  /** The method, in any case. */
  method: string;
  /** The constraints that the route is declared with. Default: none. */
  constraints?: RouteConstraints;
}

/** The options of `printRoutes`. */
export interface PrintRoutesOptions {
  /** Prints the routes of this method alone. Default: all methods. */
  method?: string;
  /** Whether lines share common beginnings of URLs. Default `true`. */
  commonPrefix?: boolean;
  /** Prints further data of each route: `true` for all, or the names to print. Default `false`. */
  includeMeta?: boolean | (string | symbol)[];
  /** Whether to print the hooks of each route. Default `false`. */
  includeHooks?: boolean;
}
