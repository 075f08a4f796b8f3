/** The types of a route's request and replies, from its path and its schema. Each is computed where it is read. */

import type { InferFields, InferOutput as InferOutputWith, InferReply } from '@ambit/json-schema/infer';
import type { UploadedFile } from './multipart.ts';
import type { RouteSchema } from './route-schema.ts';

/** An object type without members, which any object matches: a schema without parts, options that are all optional. */
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

/** Accepts a schema whose type contains little information: `object`, or an interface of the user. */
type AnyRouteSchema = {
  readonly [Part in 'body' | 'querystring' | 'query' | 'params' | 'headers' | 'response']?: unknown;
};

/** The shape of a route's `schema`. Types are inferred from each part. */
export interface RouteSchemaShape extends AnyRouteSchema {
  /** The schemas of the replies, by status. */
  readonly response?: { readonly [status: string | number]: unknown };
  readonly [annotation: string]: unknown;
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

/** The type of a part of a request as its handler gets it: coerced, with defaults filled in. */
export type InferOutput<Schema, Shared = unknown> = InferOutputWith<Schema, Shared, UploadedFile>;

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
type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type ToStatus<Text> = Text extends `${infer Status extends number}` ? Status : never;

/** The statuses of a class, by the key that stands for it: `2xx`, `2XX`. */
export type StatusClass = {
  [Class in 1 | 2 | 3 | 4 | 5 as `${Class}xx` | `${Class}XX`]: ToStatus<`${Class}${Digit}${Digit}`>;
};

/** The statuses that a route may reply with: the declared ones, all of a declared class, or any if it declares `default`. */
export type StatusOf<Responses> = unknown extends Responses ? number : StatusOfKey<keyof Responses>;
type StatusOfKey<Key> = Key extends number
  ? Key
  : Key extends keyof StatusClass
    ? StatusClass[Key]
    : Key extends 'default'
      ? number
      : ToStatus<Key>;

/** All statuses of some classes. */
export type AnyStatus<Class extends 1 | 2 | 3 | 4 | 5> = StatusClass[`${Class}xx`];

/** The statuses that one entry covers: a class covers those without an entry of their own, and `default` covers all others. */
export type StatusOnlyOf<Key, Keys> = Key extends keyof StatusClass
  ? Exclude<StatusClass[Key], StatusOfKey<Exclude<Keys, keyof StatusClass | 'default'>>>
  : Key extends 'default'
    ? Exclude<AnyStatus<1 | 2 | 3 | 4 | 5>, StatusOfKey<Exclude<Keys, 'default'>>>
    : StatusOfKey<Key>;

/** The payload for a status: from its own entry, then from its class, then from `default`; `never` if none of these is declared. */
export type PayloadOf<Responses, Status extends number, Shared> = unknown extends Responses
  ? unknown
  : InferReply<Responses[EntryOf<keyof Responses, Status> & keyof Responses], Shared>;
type EntryOf<Key, Status extends number> = number extends Status
  ? Key
  : Status extends Key
    ? Status & Key
    : Extract<Key, `${Status}`> extends infer Exact
      ? [Exact] extends [never]
        ? ClassEntryOf<Key, Status>
        : Exact
      : never;
type ClassEntryOf<Key, Status extends number> = {
  [Class in Key & keyof StatusClass]: Status extends StatusClass[Class] ? Class : never;
}[Key & keyof StatusClass] extends infer Class
  ? [Class] extends [never]
    ? Extract<Key, 'default'>
    : Class
  : never;

/** Which responses a route with a response schema may send: those that the schema declares, or any. */
export type AllowedResponses = 'declared' | 'any';

/** The type of `request.params` without a `params` schema: `{ id: string }` for the path `/users/:id`. */
export type ParamsOf<Path extends string> = string extends Path
  ? { [name: string]: string | undefined }
  : {
      [Name in NamesIn<Path> as Name extends `${infer Optional}?`
        ? Optional
        : Name]: Name extends `${string}?` ? string | undefined : string;
    };

/** The names of the required parameters of a path. */
export type ParamNames<Path extends string> = string extends Path
  ? never
  : Exclude<NamesIn<Path>, `${string}?`>;

/** The names in a path. A name ends before `/`, `-`, `.` or `(`. Two colons are one literal colon. `*` is only a parameter at the end. */
type NamesIn<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `:${infer AfterColon}`
    ? NamesIn<AfterColon>
    : NamesFrom<Before<Before<Before<Before<Rest, '/'>, '('>, '-'>, '.'>, Rest>
  : Path extends `${string}*`
    ? '*'
    : never;
type Before<Text extends string, Mark extends string> = Text extends `${infer Head}${Mark}${string}`
  ? Head
  : Text;
type NamesFrom<Name extends string, Text extends string> = Text extends `${Name}${infer Rest}`
  ? Name | NamesIn<Rest extends `(${infer Pattern}` ? AfterPattern<Pattern> : Rest>
  : never;

/** The text after the parenthesis that closes a pattern. Each parenthesis that opens inside the pattern must be closed first. */
type AfterPattern<
  Text extends string,
  Open extends readonly unknown[] = [],
> = Text extends `${infer Head})${infer Rest}`
  ? [...Open, ...OpensIn<Head>] extends [unknown, ...infer Outer]
    ? AfterPattern<Rest, Outer>
    : Rest
  : '';
type OpensIn<Text extends string> = Text extends `${string}(${infer Rest}` ? [unknown, ...OpensIn<Rest>] : [];
