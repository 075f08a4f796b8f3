/** The types of the routes that a context knows. */

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
