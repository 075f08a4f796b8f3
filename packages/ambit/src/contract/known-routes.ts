/** Reads the routes of an application from its type, and finds the one that handles a call. For `inject` and for clients. */
import type { ContextTypes } from './context-types.ts';
import type { EntriesOf, RouteEntry } from './route-table.ts';
import type { Empty } from './route-types.ts';

/** The routes in the type of an application: `RoutesOf<typeof app>`. */
export type RoutesOf<App> = App extends { readonly '~types'?: infer Types extends ContextTypes }
  ? EntriesOf<Types['routes']>
  : unknown;

/** Whether the type contains routes, because they were declared in a chain. */
type HasKnownRoutes<Routes> = [Routes] extends [never] ? false : unknown extends Routes ? false : true;

/** The paths that a method can request; any path if the type contains no routes. */
export type PathOf<Routes, Method extends string> =
  HasKnownRoutes<Routes> extends true ? KnownPath<Routes, MethodsServing<Method>> : string;
type KnownPath<Route, Method extends string> = Route extends RouteEntry
  ? Method extends Route['method']
    ? Route['path']
    : never
  : never;

/** GET routes also handle HEAD requests. */
type MethodsServing<Method extends string> = Method extends 'HEAD' ? 'HEAD' | 'GET' : Method;

/** The requested path if it is a known one. Otherwise the known paths, so that the compiler reports the error only at the path. */
export type RequestedPath<Path extends string, Known> = Path extends Known ? Path : Known;

/** The route that handles the request. */
export type RouteAt<Routes, Method extends string, Path extends string> =
  HasKnownRoutes<Routes> extends true
    ? OrAnyRoute<KnownRoute<Routes, MethodsServing<Method>, Path>>
    : AnyRoute;
type OrAnyRoute<Route> = [Route] extends [never] ? AnyRoute : Route;
interface AnyRoute {
  method: string;
  path: string;
  schema: Empty;
  shared: unknown;
}
type KnownRoute<Route, Method extends string, Path extends string> = Route extends RouteEntry
  ? Method extends Route['method']
    ? Path extends Route['path']
      ? Route
      : never
    : never
  : never;
