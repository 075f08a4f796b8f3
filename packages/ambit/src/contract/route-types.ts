/**
 * What a route's path and schema say about its request and its replies. Each type is computed where it is read: a part that no handler
 * uses costs the compiler nothing.
 */
import type { InferFields, InferOutput } from './infer-schema/infer-schema.ts';
import type { ParamNames, ParamsOf } from './path-params.ts';
import type { RouteSchema } from './route-schema.ts';

/** An object type that any object fits: a schema that says nothing, options that none of must be given. */
export type Empty = Record<never, never>;

/** The types of one route, bundled: what each part of its request holds, and what it replies. */
export interface RouteTypes {
  /** The type of `request.body`. */
  Body?: unknown;
  /** The type of `request.query`. */
  Querystring?: unknown;
  /** The type of `request.params`. */
  Params?: unknown;
  /** The type of `request.headers`. */
  Headers?: unknown;
  /** The type of what `reply.send` takes. */
  Reply?: unknown;
}

/** The type that a route gives to one part, or the fallback where it gives none. */
export type PartOf<Route, Part extends keyof RouteTypes, Fallback> = Route extends { [P in Part]: infer Type }
  ? Type
  : Fallback;

/** The shape of a route's `schema`; `infer-schema.ts` tells what each part of it means. */
export interface RouteSchemaShape {
  /** The schema of the body. */
  readonly body?: unknown;
  /** The schema of the query string. */
  readonly querystring?: unknown;
  /** The same as `querystring`. */
  readonly query?: unknown;
  /** The schema of the parameters. */
  readonly params?: unknown;
  /** The schema of the headers. */
  readonly headers?: unknown;
  /** The schemas of the replies, by status. */
  readonly response?: { readonly [status: string | number]: unknown };
  readonly [annotation: string]: unknown;
}

/** Whatever a schema is whose type says little: `object`, or an interface of the user's own. */
interface AnyRouteSchema {
  readonly body?: unknown;
  readonly querystring?: unknown;
  readonly query?: unknown;
  readonly params?: unknown;
  readonly headers?: unknown;
  readonly response?: unknown;
}

/**
 * The type from which a schema is inferred. An inferred schema is not compared with itself, but only with its constraint
 * and with `RouteSchema`, which every schema must match. If nothing was inferred, because the type of the schema says
 * too little for the constraint, every schema is accepted.
 */
export type SchemaArgument<Schema> = RouteSchemaShape extends Schema
  ? Schema | AnyRouteSchema
  : keyof Schema extends keyof RouteSchema
    ? RouteSchema
    : string extends keyof Schema
      ? RouteSchema
      : UnknownParts<Exclude<keyof Schema, keyof RouteSchema>>;

/**
 * The argument contains the names that no schema of a route may have. For a literal, the compiler itself reports such a
 * name, and the closest valid one. For a schema in a variable it does not, so this interface has a member that no schema
 * has.
 */
export interface UnknownParts<_Names> extends RouteSchema {
  readonly [onlyKnownParts]: never;
}
declare const onlyKnownParts: unique symbol;

/** What types a route: the text of its path, or the types themselves, given as a type argument. */
export type RouteSource = string | RouteTypes;

/** The parts of a request as the schema says; each is computed when it is read. */
export interface InferredRoute<Path extends string, Schema, Shared> extends RouteTypes {
  /** The type of `request.body`. */
  Body: Schema extends { readonly body: infer Body } ? InferOutput<Body, Shared> : unknown;
  /** The type of `request.query`. */
  Querystring: Schema extends { readonly querystring: infer Query } | { readonly query: infer Query }
    ? InferFields<Query, Shared>
    : unknown;
  /** The type of `request.params`. */
  Params: Schema extends { readonly params: infer Params }
    ? WithPathParams<InferFields<Params, Shared>, Path>
    : ParamsOf<Path>;
  /** The type of `request.headers`. */
  Headers: Schema extends { readonly headers: infer Headers }
    ? LowerCaseNames<InferFields<Headers, Shared>>
    : unknown;
}

// Behind their first condition the names of these types are gone: editors show the members instead.

/** A parameter that the path names is there, whether or not the schema requires it. The path is read where that matters. */
type WithPathParams<Params, Path extends string> = unknown extends Params
  ? unknown
  : undefined extends Params[keyof Params]
    ? keyof Params & ParamNames<Path> extends never
      ? Params
      : Params & { [N in keyof Params & ParamNames<Path>]: Exclude<Params[N], undefined> }
    : Params;

export type LowerCaseNames<Headers> = unknown extends Headers
  ? unknown
  : { [Name in keyof Headers as Lowercase<Name & string>]: Headers[Name] };

/** The response schemas of a route; `unknown` where it has none, and anything may be sent. */
export type ResponsesOf<Source, Schema> = { is: Source } extends { is: string }
  ? // While the compiler works out the result of an inner call, a schema it has not read yet is `never`.
    { is: Schema } extends { is: never }
    ? unknown
    : Schema extends { readonly response: infer Responses }
      ? Responses
      : unknown
  : Source extends { Reply: infer Payload }
    ? { default: { readonly '~unsafe': Payload } }
    : unknown;
