/** How a route is called from outside: what it is given, and what comes back by status. For `inject` and for clients. */
import type { ContextTypes, EntriesOf, RouteEntry } from './context-types.ts';
import type { InferFields, InferFormInput, InferInput, InferOutput } from './infer-schema/infer-schema.ts';
import type { StandardSchema } from './infer-schema/schema-form.ts';
import type { TypedForm } from './multipart.ts';
import type { ParamNames, ParamsOf } from './path-params.ts';
import type { AnyStatus, Empty, LowerCaseNames, StatusOf, StatusOnlyOf } from './route-types.ts';

/** The routes of an application, by its type: `RoutesOf<typeof app>`. */
export type RoutesOf<App> = App extends { readonly '~types'?: infer Types extends ContextTypes }
  ? EntriesOf<Types['routes']>
  : unknown;

/** Whether routes were declared in a chain whose type tells them. */
type AreKnown<Routes> = [Routes] extends [never] ? false : unknown extends Routes ? false : true;

/** The paths that a method can request; any path, if the type does not know the routes. */
export type PathOf<Routes, Method extends string> =
  AreKnown<Routes> extends true ? KnownPath<Routes, MethodsServing<Method>> : string;
type KnownPath<Route, Method extends string> = Route extends RouteEntry
  ? Method extends Route['method']
    ? Route['path']
    : never
  : never;

/** GET routes also handle HEAD requests. */
type MethodsServing<Method extends string> = Method extends 'HEAD' ? 'HEAD' | 'GET' : Method;

/** The requested path, if it is one of the known ones. Otherwise the known paths, so that the error is only at the path. */
export type RequestedPath<Path extends string, Known> = Path extends Known ? Path : Known;

/** The route that handles the request. */
export type RouteAt<Routes, Method extends string, Path extends string> =
  AreKnown<Routes> extends true ? Found<KnownRoute<Routes, MethodsServing<Method>, Path>> : AnyRoute;
type Found<Route> = [Route] extends [never] ? AnyRoute : Route;
interface AnyRoute {
  method: string;
  path: string;
  schema: Empty;
  shared: unknown;
}
type KnownRoute<Route, Method extends string, Path extends string> = Route extends RouteEntry
  ? Method extends Route['method']
    ? Path extends Route['path']
      ? Route
      : never
    : never
  : never;

/** What a call has to bring: the parts that the route's schema asks for, and the parameters of its path. */
export type CallRequest<Route extends RouteEntry> = Part<'params', ParamsIn<Route>> &
  Part<'query', PartIn<Route, 'querystring' | 'query'>> &
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

/** Headers as the schema writes their names, or in lower case. */
type InAnyCase<Headers> = (Headers | LowerCaseNames<Headers>) &
  Partial<Headers> &
  Partial<LowerCaseNames<Headers>>;

// ------------------------------------------------------------------------------------------------------------- bodies

type BodyIn<Route extends RouteEntry> = Route['schema'] extends { readonly body: infer Body }
  ? Body extends { readonly content: infer Content extends ContentEntries }
    ? { [Media in keyof Content]: MediaBody<Media, Content[Media]['schema'], Route['shared']> }[keyof Content]
    : JsonBody<InferInput<Body, Route['shared']>>
  : { body?: unknown };
type ContentEntries = { readonly [mediaType: string]: { readonly schema?: unknown } };

/** A body that goes as JSON. Text does only where the call says so: without, it goes as text. */
type JsonBody<Type> = unknown extends Type
  ? { body?: unknown }
  : [Extract<Type, string>] extends [never]
    ? Part<'body', Type>
    :
        | { body: Extract<Type, string>; headers: NamedType<`application/${string}json${string}`> }
        | ([Exclude<Type, string>] extends [never] ? never : Part<'body', Exclude<Type, string>>);

/** A body of one media type: an object whose kind says the type, or text or bytes under a header that does. */
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

// ------------------------------------------------------------------------------------------------------------ replies

/** What comes back by a method: HEAD brings no body. */
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
 * What comes back: a status that the route declares, with the body of its schema; or a status of failure that it does not
 * declare, with a body that only the error handlers know: `Failure`, where the caller knows it too.
 */
export type CallReply<Route extends RouteEntry, Failure = unknown> = Route['schema'] extends {
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

/** These statuses have no content, whatever the schema says (RFC 9110, 6.4.1). */
type Contentless = '204' | '304';

type UndeclaredReply<Declared extends number, Failure> = [AnyStatus<4 | 5>] extends [Declared]
  ? never
  : { status: FailureBesides<Declared>; body: Failure };

/** The statuses of failure that are not declared. The name stands for the long list in what editors show. */
type FailureBesides<Declared extends number> = Exclude<AnyStatus<4 | 5>, Declared>;

/** A body as JSON brings it. Where `null` may be sent, so may be nothing. */
type ReceivedBody<Schema, Shared> = Schema extends StandardSchema
  ? OrNothing<Jsonified<InferOutput<Schema, Shared>>>
  : OrNothing<InferFields<Schema, Shared>>;
type OrNothing<Body> = null extends Body ? Body | undefined : Body;

/** A value after `JSON.stringify` and `JSON.parse`. */
export type Jsonified<Value> = Value extends { toJSON(): infer Json }
  ? Jsonified<Json>
  : Value extends string | number | boolean | null | undefined
    ? Value
    : Value extends object
      ? { [Name in keyof Value]: Jsonified<Value[Name]> }
      : unknown extends Value
        ? unknown
        : never;
