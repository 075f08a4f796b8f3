/**
 * One route, as `inject` and clients know it. `Shared` are the schemas that were visible where it was declared. An interface of what it
 * holds, like `Declared`: an object type would hold all of `Types`, with every route before this one.
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

/** Routes as a context keeps them, by method and path. */
export type RouteTable<Entry extends RouteEntry> = { [One in Entry as RouteKey<One>]: RouteThunk<One> };

/** As a result, because tables are intersected: routes of one method and path, told apart by constraints, are overloads then. */
export type RouteThunk<Entry> = () => Entry;

/** The routes of a context, as a union; `unknown` where nothing is known of them. */
export type EntriesOf<Routes> = unknown extends Routes ? unknown : EntryOf<Routes[keyof Routes]>;

/** Of overloads, the last four. */
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

/** As the router joins them: one slash between the two, and `/` under a prefix is the prefix itself. */
type JoinedPath<Prefix extends string, Path extends string> = Prefix extends ''
  ? Path
  : Path extends '/'
    ? Prefix
    : Prefix extends `${infer Head}/`
      ? Path extends `/${string}`
        ? `${Head}${Path}`
        : `${Prefix}${Path}`
      : `${Prefix}${Path}`;
