/** The routes of an application as a type, and a typed call of one: its arguments and its reply. For `inject` and for clients. */

import type { InferFormInput, InferInput, InferReceived } from '@ambit/json-schema/infer';
import type { ContextTypes } from './context-types.ts';
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
type Part<Name extends string, Type> = Empty extends Type
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

/** The response: a declared status with the body of its schema, or another error status with the body `Failure` of error handlers. */
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

/** A function type, so that tables can be intersected: routes that differ only in constraints become overloads. */
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

/** The routes in the type of an application: `RoutesOf<typeof app>`. */
export type RoutesOf<App> = App extends { readonly '~types'?: infer Types extends ContextTypes }
  ? EntriesOf<Types['routes']>
  : unknown;

/** Whether the type contains routes, because they were declared in a chain. */
type HasKnownRoutes<Routes> = [Routes] extends [never] ? false : unknown extends Routes ? false : true;

/** The paths that a method can request; any path if the type contains no routes. */
export type PathOf<Routes, Method extends string> =
  HasKnownRoutes<Routes> extends true ? KnownPath<Routes, MethodsServing<Method>> : string;
type KnownPath<Route, Method extends string> = Route extends RouteEntry
  ? Method extends Route['method']
    ? Route['path']
    : never
  : never;

/** GET routes also handle HEAD requests. */
type MethodsServing<Method extends string> = Method extends 'HEAD' ? 'HEAD' | 'GET' : Method;

/** The requested path if it is a known one. Otherwise the known paths, so that the compiler reports the error only at the path. */
export type RequestedPath<Path extends string, Known> = Path extends Known ? Path : Known;

/** The route that handles the request. */
export type RouteAt<Routes, Method extends string, Path extends string> =
  HasKnownRoutes<Routes> extends true
    ? OrAnyRoute<KnownRoute<Routes, MethodsServing<Method>, Path>>
    : AnyRoute;
type OrAnyRoute<Route> = [Route] extends [never] ? AnyRoute : Route;
type AnyRoute = RouteEntry<string, string, Empty>;
type KnownRoute<Route, Method extends string, Path extends string> = Route extends RouteEntry
  ? Method extends Route['method']
    ? Path extends Route['path']
      ? Route
      : never
    : never
  : never;
