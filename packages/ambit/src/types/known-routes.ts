/** The routes of an application as a type, and the one that handles a call. For `inject` and for clients. */
import type { ContextTypes } from './context-types.ts';
import type { Empty } from './route-types.ts';

/**
 * One route, for `inject` and for clients. `Shared` are the shared schemas that are visible where the route is declared. It is an interface
 * with one parameter for each member, like `Declared`: an object type would keep all of `Types`, with every route before this one.
 */
export interface RouteEntry<
  Method extends string = string,
  Path extends string = string,
  Schema = unknown,
  Shared = unknown,
> {
  /** The method, or a union of methods. */
  method: Method;
  /** The URL pattern, with all prefixes. */
  path: Path;
  /** The option `schema` of the route. */
  schema: Schema;
  /** The shared schemas that its references may lead to. */
  shared: Shared;
}

type RouteKey<Entry extends RouteEntry> = Entry extends RouteEntry
  ? `${string extends Entry['method'] ? '*' : Entry['method']} ${Entry['path']}`
  : never;

/** The routes of a context, by method and path. */
export type RouteTable<Entry extends RouteEntry> = { [One in Entry as RouteKey<One>]: RouteThunk<One> };

/**
 * A function type, because tables are intersected: routes that have the same method and path, and differ in constraints, become overloads.
 */
export type RouteThunk<Entry> = () => Entry;

/** The routes of a context, as a union; `unknown` if the type does not contain them. */
export type EntriesOf<Routes> = unknown extends Routes ? unknown : EntryOf<Routes[keyof Routes]>;

/** The routes of one method and path: the last four overloads. */
type EntryOf<One> = One extends {
  (): infer Entry;
  (): infer Entry;
  (): infer Entry;
  (): infer Entry;
}
  ? Entry
  : never;

/** The routes of a plugin, under the prefix it was registered with. */
export type Prefixed<Routes, Prefix extends string> = unknown extends Routes
  ? unknown
  : Prefix extends ''
    ? Routes
    : RouteTable<PrefixedEntry<EntriesOf<Routes>, Prefix>>;

type PrefixedEntry<Entry, Prefix extends string> =
  Entry extends RouteEntry<infer Method, infer Path, infer Schema, infer Shared>
    ? RouteEntry<Method, JoinedPath<Prefix, Path>, Schema, Shared>
    : never;

/** Joins a prefix and a path as the router does: with one slash between them; `/` under a prefix is the prefix itself. */
type JoinedPath<Prefix extends string, Path extends string> = Prefix extends ''
  ? Path
  : Path extends '/'
    ? Prefix
    : Prefix extends `${infer Head}/`
      ? Path extends `/${string}`
        ? `${Head}${Path}`
        : `${Prefix}${Path}`
      : `${Prefix}${Path}`;

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
