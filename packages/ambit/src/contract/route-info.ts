/** How the framework shows routes: to `onRoute` hooks, to requests, and to plugins that list or look up routes. */
import type { ErrorPlace } from '../shared/define-error.ts';
import type { Context } from './context.ts';
import type { Handler } from './handlers.ts';
import type { RouteConstraints } from './route-constraints.ts';
import type { RouteConfig, RouteOptions } from './route-options.ts';
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

/** A route as `request.routeOptions` shows it. */
export interface RouteInfo {
  readonly method: string | string[];
  /** The URL pattern; `undefined` in a not-found handler. */
  readonly url: string | undefined;
  /** In bytes. */
  readonly bodyLimit: number;
  /** In milliseconds; 0 is no limit. */
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
  /** The plugin, the route, and the line that declared it, for error messages. */
  readonly where: ErrorPlace;
}

/** A route as `findRoute` returns it. */
export interface FoundRoute {
  handler: Handler;
  params: Record<string, string | undefined>;
  searchParams: Record<string, string>;
}

/** Which route `hasRoute` and `findRoute` look for. */
export interface RouteQuery {
  /** The URL pattern, with all prefixes. */
  url: string;
  method: string;
  constraints?: RouteConstraints;
}

/** The options of `printRoutes`. */
export interface PrintRoutesOptions {
  /** Prints the routes of this method alone. Default: all methods. */
  method?: string;
  /** Whether lines share common beginnings of URLs. Default `true`. */
  commonPrefix?: boolean;
  /** Prints what a route holds besides: `true` for all, or the names to print. Default `false`. */
  includeMeta?: boolean | (string | symbol)[];
  /** Whether to print the hooks of each route. Default `false`. */
  includeHooks?: boolean;
}
