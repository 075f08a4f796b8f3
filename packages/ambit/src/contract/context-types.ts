/**
 * What the compiler knows of a context, bundled. Types flow where values do: through the result of each declaration, and into the
 * plugins, hooks and handlers that it is given to. At run time none of this exists.
 */

export interface ContextTypes {
  /** What decorators add to the context. */
  context: unknown;
  /** What decorators add to its requests. */
  request: unknown;
  /** What decorators add to its replies. */
  reply: unknown;
  /** The shared schemas that are visible, by `$id`. */
  schemas: unknown;
  /** The routes that were declared, by method and path: a `RouteEntry` each. */
  routes: unknown;
}

/**
 * The types of a context whose declarations are known. Five parameters, so that the compiler works out each part with the declaration
 * that extends it. What it puts off it works out by recursion when it is read, and it gives up at a hundred levels: members of an object
 * type are put off, and so is an interface that is all of what an alias stands for. Hence `{ is: … }['is']`.
 */
export interface Declared<Context, Request, Reply, Schemas, Routes> extends ContextTypes {
  /** What decorators add to the context. */
  context: Context;
  /** What decorators add to its requests. */
  request: Request;
  /** What decorators add to its replies. */
  reply: Reply;
  /** The shared schemas that are visible, by `$id`. */
  schemas: Schemas;
  /** The routes that were declared, by method and path. */
  routes: Routes;
}

/** The types with one part extended: an intersection, so that a context passes for what it was before. */
export type Extended<Types extends ContextTypes, Part extends keyof ContextTypes, Added> = {
  is: Declared<
    Part extends 'context' ? Types['context'] & Added : Types['context'],
    Part extends 'request' ? Types['request'] & Added : Types['request'],
    Part extends 'reply' ? Types['reply'] & Added : Types['reply'],
    Part extends 'schemas' ? Types['schemas'] & Added : Types['schemas'],
    Part extends 'routes' ? Types['routes'] & Added : Types['routes']
  >;
}['is'];

/** What a plugin finds in its own context: all that is visible there, and no routes yet. */
export type Inherited<Types extends ContextTypes> = {
  is: Declared<Types['context'], Types['request'], Types['reply'], Types['schemas'], unknown>;
}['is'];

/** A context with what a hoisted plugin added to it. */
export type Merged<Types extends ContextTypes, Added extends ContextTypes> = {
  is: Declared<
    Types['context'] & Added['context'],
    Types['request'] & Added['request'],
    Types['reply'] & Added['reply'],
    Types['schemas'] & Added['schemas'],
    Types['routes'] & Added['routes']
  >;
}['is'];

/** What a plugin asks of the context that it is registered in; parts that it leaves out may be anything. */
export type Needed<Needs extends Partial<ContextTypes>> = {
  is: Declared<
    PartOf<Needs, 'context'>,
    PartOf<Needs, 'request'>,
    PartOf<Needs, 'reply'>,
    PartOf<Needs, 'schemas'>,
    unknown
  >;
}['is'];

type PartOf<Needs, Part extends keyof ContextTypes> = Needs extends { [P in Part]: infer Type }
  ? Type
  : unknown;

/** The member that a decorator adds, unless `Owner` has one of that name in every context: the application has declared it. */
export type Member<Name extends PropertyKey, Value, Owner> = Name extends keyof Owner
  ? unknown
  : { [N in Name]: Value };

/** A shared schema under its `$id`. */
export type SharedSchema<Schema> = Schema extends { readonly $id: infer Id extends string }
  ? string extends Id
    ? unknown
    : { [I in Id]: Schema }
  : unknown;
