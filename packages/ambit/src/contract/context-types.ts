/**
 * What the compiler knows of a context, bundled. Types flow where values do: through the result of each declaration, and into the
 * plugins, hooks and handlers that it is given to. At run time none of this exists.
 */

export interface ContextTypes {
  /** What decorators add to the context, to its requests and to its replies. */
  context: unknown;
  request: unknown;
  reply: unknown;
  /** The shared schemas that are visible, by `$id`. */
  schemas: unknown;
  /** The routes that were declared, as a union of `RouteEntry`; `unknown` where nobody kept count. */
  routes: unknown;
}

/** An application before anything was declared. */
export interface RootTypes extends ContextTypes {
  routes: never;
}

/** The types with one part extended. */
export interface Extended<Types extends ContextTypes, Part extends keyof ContextTypes, Added>
  extends ContextTypes {
  context: Part extends 'context' ? Types['context'] & Added : Types['context'];
  request: Part extends 'request' ? Types['request'] & Added : Types['request'];
  reply: Part extends 'reply' ? Types['reply'] & Added : Types['reply'];
  schemas: Part extends 'schemas' ? Types['schemas'] & Added : Types['schemas'];
  routes: Part extends 'routes' ? Types['routes'] | Added : Types['routes'];
}

/**
 * The types with the routes counted so far. Its parts are arguments, worked out at once: where each route's types lead to those of the
 * route before, the compiler gives up on a chain of a hundred.
 */
export interface Counted<Context, Request, Reply, Schemas, Routes> extends ContextTypes {
  context: Context;
  request: Request;
  reply: Reply;
  schemas: Schemas;
  routes: Routes;
}

/** What a plugin finds in its own context: all that is visible there, and no routes yet. */
export interface Inherited<Types extends ContextTypes> extends ContextTypes {
  context: Types['context'];
  request: Types['request'];
  reply: Types['reply'];
  schemas: Types['schemas'];
  routes: never;
}

/** A context with what a hoisted plugin added to it. */
export interface Joined<Types extends ContextTypes, Added extends ContextTypes> extends ContextTypes {
  context: Types['context'] & Added['context'];
  request: Types['request'] & Added['request'];
  reply: Types['reply'] & Added['reply'];
  schemas: Types['schemas'] & Added['schemas'];
  routes: unknown extends Added['routes'] ? Types['routes'] : Types['routes'] | Added['routes'];
}

/** What a plugin asks of the context that it is registered in; parts that it leaves out may be anything. */
export interface Needed<Needs extends Partial<ContextTypes>> extends ContextTypes {
  context: PartOf<Needs, 'context'>;
  request: PartOf<Needs, 'request'>;
  reply: PartOf<Needs, 'reply'>;
  schemas: PartOf<Needs, 'schemas'>;
}

type PartOf<Needs, Part extends keyof ContextTypes> = Needs extends { [P in Part]: infer Type }
  ? Type
  : unknown;

/** The member that a decorator adds, unless the application has declared one of that name for every context. */
export type Member<Name extends PropertyKey, Value, Declared> = Name extends keyof Declared
  ? unknown
  : { [N in Name]: Value };

/** A shared schema under its `$id`. */
export type SharedSchema<Schema> = Schema extends { readonly $id: infer Id extends string }
  ? string extends Id
    ? unknown
    : { [I in Id]: Schema }
  : unknown;

/** One route, as `inject` and clients know it. */
export interface RouteEntry {
  method: string;
  path: string;
  schema: unknown;
  /** The schemas that were visible where it was declared. */
  shared: unknown;
}

/** The routes of a plugin, under the prefix it was registered with. */
export type Prefixed<Routes, Prefix extends string> = Routes extends RouteEntry
  ? {
      method: Routes['method'];
      path: JoinedPath<Prefix, Routes['path']>;
      schema: Routes['schema'];
      shared: Routes['shared'];
    }
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
