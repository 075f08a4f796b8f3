/**
 * What a route's path and schema say about its request, its reply and its handler's result. Each is worked out where it is
 * read: a part that no handler touches costs the compiler nothing.
 */
import type { Empty } from './empty.ts';
import type { InferFields, InferOutput, InferReply } from './infer-schema.ts';
import type { ParamNames, ParamsOf } from './path-params.ts';
import type { RouteTypes } from './request.ts';
import type { RouteSchema } from './route-declaration.ts';
import type { List } from './schema-lists.ts';

/** The shape of a route's `schema`; `infer-schema.ts` tells what each part of it means. */
export interface RouteSchemaShape {
  readonly body?: unknown;
  readonly querystring?: unknown;
  readonly query?: unknown;
  readonly params?: unknown;
  readonly headers?: unknown;
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
 * What a schema is inferred from. Once it is inferred, it is not compared with itself: it is held to its constraint alone, and here to what
 * every schema may say. Where nothing was inferred, because the type of the schema says too little for the constraint, any schema will do.
 */
export type GivenSchema<Schema> = RouteSchemaShape extends Schema
  ? Schema | AnyRouteSchema
  : keyof Schema extends keyof RouteSchema
    ? RouteSchema
    : string extends keyof Schema
      ? RouteSchema
      : UnknownParts<Exclude<keyof Schema, keyof RouteSchema>>;

/**
 * Names what no schema of a route has. Of a literal the compiler says so itself, and which name comes nearest; of a schema in a variable it
 * does not ask, hence the member that is missing.
 */
export interface UnknownParts<_Names> extends RouteSchema {
  readonly [onlyKnownParts]: never;
}
declare const onlyKnownParts: unique symbol;

/** What types a route: the text of its path, or the types themselves, given as a type argument. */
export type RouteSource = string | RouteTypes;

/** The types of a route before validation: parameters are text, and anything may be in the rest. */
export interface RawRoute extends RouteTypes {
  Params: ParamsOf<string>;
}

/** The parts of a request as the schema says; each is computed when it is read. */
export interface InferredRoute<Path extends string, Schema, Shared> extends RouteTypes {
  Body: Schema extends { readonly body: infer Body } ? InferOutput<Body, Shared> : unknown;
  Querystring: Schema extends { readonly querystring: infer Query } | { readonly query: infer Query }
    ? InferFields<Query, Shared>
    : unknown;
  Params: Schema extends { readonly params: infer Params }
    ? WithPathParams<InferFields<Params, Shared>, Path>
    : ParamsOf<Path>;
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

type Digit = 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9;
type ToStatus<Text> = Text extends `${infer Status extends number}` ? Status : never;

/** The statuses of a class, by the key that stands for it: `2xx`, `2XX`. */
type StatusClass = {
  [Class in 1 | 2 | 3 | 4 | 5 as `${Class}xx` | `${Class}XX`]: ToStatus<`${Class}${Digit}${Digit}`>;
};

/** The statuses that a route may reply with: those it declares, all of a class, or any under `default`. */
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

/** The statuses that an entry answers for: those of a class without the exact ones, any other under `default`. */
export type StatusOnlyOf<Key, Keys> = Key extends keyof StatusClass
  ? Exclude<StatusClass[Key], StatusOfKey<Exclude<Keys, keyof StatusClass | 'default'>>>
  : Key extends 'default'
    ? Exclude<AnyStatus<1 | 2 | 3 | 4 | 5>, StatusOfKey<Exclude<Keys, 'default'>>>
    : StatusOfKey<Key>;

/** What may be sent with a status: exact entry, then class, then `default`; `never` where none is declared. */
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

/** A parameter that takes `void` may be left out: where `null` can be sent, or anything, so can nothing. */
export type Sendable<Payload> = unknown extends Payload
  ? NonNullable<unknown> | null | undefined | void
  : null extends Payload
    ? Payload | Unserialized | MoreProperties | void
    : Payload | Unserialized | MoreProperties;

/** Nothing is of this type. In a union it lets literals have properties that no schema declares, as what is returned may. */
interface MoreProperties {
  [name: string]: unknown;
  [Symbol.toPrimitive]: never;
}

/** What no response schema is asked about: an error goes to the error handlers, the rest out as it is. */
export type Unserialized =
  | Error
  | ArrayBufferView
  | ArrayBuffer
  | Blob
  | Response
  | ReadableStream
  | NodeJS.ReadableStream;

/** A reply as the result of a handler: awaited, it is `undefined`. */
export interface Replied {
  readonly sent: boolean;
  then(fulfilled?: ((value: undefined) => void) | null, rejected?: ((error: Error) => void) | null): void;
}

/** What a handler may return, now or later: a payload, the reply it sent, or nothing. */
export type HandlerResult<Payload> =
  | Settled<Payload>
  | Promise<Settled<Payload>>
  | PromiseLike<Settled<Payload>>;
type Settled<Payload> = Payload | Unserialized | Replied | void;

/**
 * What a route's handler may return, to be read with `Known`. Nothing is to be inferred of the schema from what a handler returns: the
 * compiler would look through all branches of a conditional type for it; what stands behind an index that it does not know yet, it skips.
 */
export interface ResultOf<Source, Schema, Shared> {
  /** Asks for the very type that the reply asks for first: what almost every route declares must not cost a second. */
  ok: HandlerResult<PayloadOf<ResponsesOf<Source, Schema>, 200, Shared>>;
  declared: HandlerResult<DeclaredResult<ResponsesOf<Source, Schema>, Shared>>;
  unknown: unknown;
}

/** While the compiler works out the result of an inner call, a schema that it has not read yet is `never`. */
export type ResultKind<Schema> = { is: Schema } extends { is: never }
  ? 'unknown'
  : Schema extends { readonly response: infer Responses }
    ? KindOf<keyof Responses>
    : 'ok';

/** Where 200 is the one success, what is returned is held to it. */
type KindOf<Key> = [Key & (200 | '200')] extends [never]
  ? 'declared'
  : [Exclude<Key & SuccessEntry, 200 | '200'>] extends [never]
    ? 'ok'
    : 'declared';
type SuccessEntry = StatusClass['2xx'] | `${StatusClass['2xx']}` | '2xx' | '2XX';

/** A payload of any success, since nobody can tell which status was set before; of any status, where no success is declared. */
type DeclaredResult<Responses, Shared> = InferReply<
  Responses[ResultEntryOf<keyof Responses> & keyof Responses],
  Shared
>;
type ResultEntryOf<Key> = [Key & (SuccessEntry | 'default')] extends [never]
  ? Key
  : [Key & (200 | '200' | '2xx' | '2XX')] extends [never]
    ? Key & (SuccessEntry | 'default')
    : Key & SuccessEntry;

// ------------------------------------------------------------------------------------------------------------ mistakes

/**
 * What the compiler names where the result of a handler does not fit: the status, and of what is returned and what the response schema asks
 * for those properties that differ. No handler has the one member, which makes an error of one line. The signature is there for handlers
 * that are an expression: the mistake is marked at the property then.
 */
export interface WrongResult<_Status, _Given, Wanted> {
  (this: never, ...args: never): Wanted;
  readonly 'a result that fits the response schema': never;
}

/** The same of a promise, in which the compiler does not look for the property to mark. */
export interface WrongPromise<_Status, _Given, _Wanted> {
  (this: never, ...args: never): unknown;
  readonly 'a result that fits the response schema': never;
}

/** The type of a handler whose result does not fit, to be read with `ResultKind`, as `ResultOf` is. */
export interface RefusedResult<Source, Schema, Shared, Result> {
  ok: Refused<200, Result, PayloadOf<ResponsesOf<Source, Schema>, 200, Shared>>;
  declared: Refused<
    ResultEntryOf<keyof ResponsesOf<Source, Schema>>,
    Result,
    DeclaredResult<ResponsesOf<Source, Schema>, Shared>
  >;
  unknown: unknown;
}

type Refused<Status, Result, Payload> = { is: Result } extends { is: PromiseLike<unknown> }
  ? WrongPromise<
      Status,
      DifferenceIn<Unfit<Awaited<Result>, Payload>, Payload>,
      DifferenceAsked<Unfit<Awaited<Result>, Payload>, Payload>
    >
  : WrongResult<
      Status,
      DifferenceIn<Unfit<Awaited<Result>, Payload>, Payload>,
      DifferenceAsked<Unfit<Awaited<Result>, Payload>, Payload>
    >;

/** Of several results, those that do not fit. */
type Unfit<Given, Payload> = Given extends Settled<Payload> ? never : Given;

/** Of what is given, and of what is asked for, the members that differ: all of it, where that cannot be told. */
type DifferenceIn<Given, Asked> = Given extends object
  ? Asked extends object
    ? Given extends List
      ? Given
      : {
          [Name in keyof Given & DifferingName<Given, Asked>]: DifferenceIn<
            Given[Name],
            Asked[Name & keyof Asked]
          >;
        }
    : Given
  : Given;
type DifferenceAsked<Given, Asked> = Given extends object
  ? Asked extends object
    ? Given extends List
      ? Asked
      : {
          [Name in keyof Asked as Extract<Name, DifferingName<Given, Asked>>]: Name extends keyof Given
            ? DifferenceAsked<Given[Name], Asked[Name]>
            : Asked[Name];
        }
    : Asked
  : Asked;
type DifferingName<Given, Asked> = {
  [Name in keyof Asked]-?: Name extends keyof Given
    ? Given[Name] extends Asked[Name]
      ? never
      : Name
    : Empty extends Pick<Asked, Name>
      ? never
      : Name;
}[keyof Asked];
