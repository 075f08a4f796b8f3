/** A typed call of a route: its arguments and its reply. */
import type { InferFormInput, InferInput, InferReceived } from './infer/infer-schema.ts';
import type { RouteAt, RouteEntry } from './known-routes.ts';
import type { TypedForm } from './multipart.ts';
import type {
  AnyStatus,
  Empty,
  LowerCaseNames,
  ParamNames,
  ParamsOf,
  StatusOf,
  StatusOnlyOf,
} from './route-types.ts';

/** The request of a call: the parts that the route's schema requires, and the parameters of its path. */
export type CallRequest<Route extends RouteEntry> = Part<'params', ParamsIn<Route>> &
  Part<'query', QueryOf<PartIn<Route, 'querystring' | 'query'>>> &
  BodyIn<Route> &
  Part<'headers', HeadersIn<Route>>;

export type CallArguments<Request> = Empty extends Request ? [request?: Request] : [request: Request];

type Part<Name extends string, Type> = unknown extends Type
  ? { [N in Name]?: unknown }
  : Empty extends Type
    ? { [N in Name]?: Type }
    : undefined extends Type
      ? { [N in Name]?: Type }
      : { [N in Name]: Type };

type PartIn<Route extends RouteEntry, Name extends string> = Route['schema'] extends infer Schema
  ? { [N in Name & keyof Schema]: InferInput<Schema[N], Route['shared']> }[Name &
      keyof Schema] extends infer Type
    ? [Type] extends [never]
      ? unknown
      : Type
    : never
  : never;

/** What a query can carry: values that have a text, and lists of them. `null` is left out, so only members that may be left out accept it. */
type QueryOf<Query> = unknown extends Query
  ? unknown
  : Query extends object
    ? {
        [Name in keyof Query]: undefined extends Query[Name]
          ? QueryValue<Query[Name]> | null
          : QueryValue<Query[Name]>;
      }
    : Query;

type QueryValue<Value> = unknown extends Value
  ? unknown
  : Value extends string | number | boolean | bigint | undefined
    ? Value
    : Value extends readonly (infer Item)[]
      ? readonly QueryItem<Item>[]
      : QueryItem<Value>;

/** An object has a text if it has `toJSON`, as a `Date` has. */
type QueryItem<Value> = unknown extends Value
  ? unknown
  : Value extends string | number | boolean | bigint | undefined | { toJSON(key: never): unknown }
    ? Value
    : never;

type ParamsIn<Route extends RouteEntry> = string extends Route['path']
  ? { [name: string]: unknown }
  : Route['schema'] extends { readonly params: infer Params }
    ? InferInput<Params, Route['shared']> & { [Name in ParamNames<Route['path']>]: unknown }
    : { [Name in ParamNames<Route['path']>]: string | number } & {
        [Name in Exclude<keyof ParamsOf<Route['path']>, ParamNames<Route['path']>>]?:
          | string
          | number
          | undefined;
      };

type HeadersIn<Route extends RouteEntry> = Route['schema'] extends { readonly headers: infer Headers }
  ? InAnyCase<InferInput<Headers, Route['shared']>> & OtherHeaders
  : OtherHeaders;
interface OtherHeaders {
  [name: string]: unknown;
}

/** Headers with their names as in the schema, or in lower case. */
type InAnyCase<Headers> = (Headers | LowerCaseNames<Headers>) &
  Partial<Headers> &
  Partial<LowerCaseNames<Headers>>;

type BodyIn<Route extends RouteEntry> = Route['schema'] extends { readonly body: infer Body }
  ? Body extends { readonly content: infer Content extends ContentEntries }
    ? { [Media in keyof Content]: MediaBody<Media, Content[Media]['schema'], Route['shared']> }[keyof Content]
    : JsonBody<InferInput<Body, Route['shared']>>
  : { body?: unknown };
type ContentEntries = { readonly [mediaType: string]: { readonly schema?: unknown } };

/** A body that is sent as JSON. A string is only sent as JSON if the headers say so; otherwise it is sent as text. */
type JsonBody<Type> = unknown extends Type
  ? { body?: unknown }
  : [Extract<Type, string>] extends [never]
    ? Part<'body', Type>
    :
        | { body: Extract<Type, string>; headers: NamedType<`application/${string}json${string}`> }
        | ([Exclude<Type, string>] extends [never] ? never : Part<'body', Exclude<Type, string>>);

/** A body of one media type: an object whose class determines the media type, or text or bytes with a header that names it. */
type MediaBody<Media, Schema, Shared> = Media extends 'application/json'
  ? JsonBody<InferInput<Schema, Shared>>
  : Media extends `${string}json`
    ? { body: InferInput<Schema, Shared>; headers: NamedType<Media> }
    :
        | { body: FormBody<Media, Schema, Shared> }
        | {
            body: string | Blob | ArrayBuffer | ArrayBufferView | ReadableStream;
            headers: NamedType<Media extends `${string}/*` ? string : Media>;
          };

type FormBody<Media, Schema, Shared> = Media extends 'multipart/form-data'
  ? TypedForm<InferFormInput<Schema, Shared>>
  : Media extends keyof TypedForms
    ? TypedForms[Media]
    : never;
interface TypedForms {
  'application/x-www-form-urlencoded': URLSearchParams;
  'text/plain': string;
}
type NamedType<Media> = { 'content-type': Media } | { 'Content-Type': Media };

/** The response to a method: a response to HEAD has no body. */
export type ReplyAt<
  Routes,
  Method extends string,
  Path extends string,
  Failure = unknown,
> = Method extends 'HEAD'
  ? WithoutBody<CallReply<RouteAt<Routes, Method, Path>, Failure>>
  : CallReply<RouteAt<Routes, Method, Path>, Failure>;
type WithoutBody<Reply> = Reply extends { status: infer Status }
  ? { status: Status; body: undefined }
  : never;

/**
 * The response: a status that the route declares, with the body of its schema; or an error status that it does not declare, with the body
 * that the error handlers send. `Failure` is the type of that body, if the caller knows it.
 */
type CallReply<Route extends RouteEntry, Failure = unknown> = Route['schema'] extends {
  readonly response: infer Responses;
}
  ? DeclaredReply<Responses, Route['shared']> | UndeclaredReply<StatusOf<Responses>, Failure>
  : { status: number; body: unknown };

type DeclaredReply<Responses, Shared> = Responses extends object
  ? {
      [Key in keyof Responses]: {
        status: StatusOnlyOf<Key, keyof Responses>;
        body: `${Key & (string | number)}` extends Contentless
          ? undefined
          : ReceivedBody<Responses[Key], Shared>;
      };
    }[keyof Responses]
  : never;

/** The statuses whose responses have no content, also if a schema declares one (RFC 9110, 6.4.1). */
type Contentless = '204' | '304';

type UndeclaredReply<Declared extends number, Failure> = [AnyStatus<4 | 5>] extends [Declared]
  ? never
  : { status: FailureBesides<Declared>; body: Failure };

/** The error statuses that are not declared. Editors show the name of this type instead of the long list. */
type FailureBesides<Declared extends number> = Exclude<AnyStatus<4 | 5>, Declared>;

/** A body that was parsed from JSON. If `null` may be sent, the body may also be empty. */
type ReceivedBody<Schema, Shared> = OrNothing<InferReceived<Schema, Shared>>;
type OrNothing<Body> = null extends Body ? Body | undefined : Body;
