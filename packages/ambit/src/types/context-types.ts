/** What declarations tell the compiler about a context. A file of its own: clients in browsers import it, without the types of Node. */

/** What the compiler knows about a context. Each declaration returns a context with more types. None of this exists at run time. */
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
 * The types of a context whose declarations are known. It has five parameters, so that the compiler evaluates each part together with the
 * declaration that extends it. The compiler evaluates deferred types recursively when they are read, and stops with an error at a hundred
 * levels. It defers the members of an object type, and an interface that is the whole body of a type alias; therefore `{ is: … }['is']`.
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

/** The types with one part extended. It is an intersection, so that the new context is assignable to the previous one. */
export type Extended<Types extends ContextTypes, Part extends keyof ContextTypes, Added> = {
  is: Declared<
    Part extends 'context' ? Types['context'] & Added : Types['context'],
    Part extends 'request' ? Types['request'] & Added : Types['request'],
    Part extends 'reply' ? Types['reply'] & Added : Types['reply'],
    Part extends 'schemas' ? Types['schemas'] & Added : Types['schemas'],
    Part extends 'routes' ? Types['routes'] & Added : Types['routes']
  >;
}['is'];

/** The types of a plugin's own context: everything that is visible there, and no routes yet. */
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

/** The types that a plugin needs in the context in which it is registered. Parts that it leaves out may be anything. */
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

/** The member that a decorator adds; nothing if the application has declared a member of that name for every context, in `Owner`. */
export type Member<Name extends PropertyKey, Value, Owner> = Name extends keyof Owner
  ? unknown
  : { [N in Name]: Value };

/** A shared schema under its `$id`. */
export type SharedSchema<Schema> = Schema extends { readonly $id: infer Id extends string }
  ? string extends Id
    ? unknown
    : { [I in Id]: Schema }
  : unknown;
