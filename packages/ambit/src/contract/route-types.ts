/**
 * The types of a route's request and replies, inferred from its path and schema. Each type is computed where it is read, so a part that no
 * handler uses costs the compiler nothing.
 */
import type { InferFields, InferOutput } from './infer-schema/infer-schema.ts';
import type { ParamNames, ParamsOf } from './path-params.ts';
import type { RouteSchema } from './route-schema.ts';

/**
 * An object type without members, which any object matches. It stands for a schema without parts, and for options that are all optional.
 */
export type Empty = Record<never, never>;

/** The types of one route: of each part of its request, and of its replies. */
export interface RouteTypes {
  /** The type of `request.body`. */
  Body?: unknown;
  /** The type of `request.query`. */
  Querystring?: unknown;
  /** The type of `request.params`. */
  Params?: unknown;
  /** The type of `request.headers`. */
  Headers?: unknown;
  /** The type of the payload of `reply.send`. */
  Reply?: unknown;
}

/** The type of one part of a route, or the fallback if the route declares none. */
export type PartOf<Route, Part extends keyof RouteTypes, Fallback> = Route extends { [P in Part]: infer Type }
  ? Type
  : Fallback;

/** The shape of a route's `schema`. `infer-schema.ts` infers types from each part. */
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

/** Accepts a schema whose type contains little information: `object`, or an interface of the user. */
interface AnyRouteSchema {
  readonly body?: unknown;
  readonly querystring?: unknown;
  readonly query?: unknown;
  readonly params?: unknown;
  readonly headers?: unknown;
  readonly response?: unknown;
}

/**
 * The type from which a schema is inferred. An inferred schema is not compared with itself, but only with its constraint and with
 * `RouteSchema`, which every schema must match. If nothing was inferred, because the type of the schema contains too little information for
 * the constraint, every schema is accepted.
 */
export type SchemaArgument<Schema> = RouteSchemaShape extends Schema
  ? Schema | AnyRouteSchema
  : keyof Schema extends keyof RouteSchema
    ? RouteSchema
    : string extends keyof Schema
      ? RouteSchema
      : UnknownParts<Exclude<keyof Schema, keyof RouteSchema>>;

/**
 * Rejects a schema with names that a route's schema must not have; `_Names` are those names. In a literal, the compiler itself reports such
 * a name, and the closest valid one. For a schema in a variable it does not, so this interface has a member that no schema has.
 */
export interface UnknownParts<_Names> extends RouteSchema {
  readonly [onlyKnownParts]: never;
}
declare const onlyKnownParts: unique symbol;

/** The source of a route's types: its path as a literal, or the types themselves as a type argument. */
export type RouteSource = string | RouteTypes;

/** The types of the parts of a request, inferred from the schema. Each is computed when it is read. */
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

// These types are conditional, so that editors show their members instead of their names.

/** Makes required parameters of the path required, also if the schema does not. The path is parsed only if some parameter is optional. */
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

/** The response schemas of a route; `unknown` if it has none, so that anything may be sent. */
export type ResponsesOf<Source, Schema> = { is: Source } extends { is: string }
  ? // While the compiler infers the result of an inner call, a schema that it has not inferred yet is `never`.
    { is: Schema } extends { is: never }
    ? unknown
    : Schema extends { readonly response: infer Responses }
      ? Responses
      : unknown
  : Source extends { Reply: infer Payload }
    ? { default: { readonly '~unsafe': Payload } }
    : unknown;
