/** How a route is called from outside: what it is given, and what comes back by status. For `inject` and for clients. */
import type { ContextTypes, EntriesOf, RouteEntry } from './context-types.ts';
import type { Empty } from './empty.ts';
import type { InferInput, InferOutput } from './infer-schema.ts';
import type { ParamNames, ParamsOf } from './path-params.ts';
import type { StatusOf } from './route-types.ts';
import type { StandardSchema } from './schema-form.ts';

/** The routes of an application, by its type: `RoutesOf<typeof app>`. */
export type RoutesOf<App> = App extends { readonly '~types'?: infer Types extends ContextTypes }
  ? EntriesOf<Types['routes']>
  : unknown;

/** Whether routes were declared in a chain whose type tells them. */
type AreKnown<Routes> = [Routes] extends [never] ? false : unknown extends Routes ? false : true;

/** The paths that may be asked by a method; any, where nobody kept count of the routes. */
export type PathOf<Routes, Method extends string> =
  AreKnown<Routes> extends true ? KnownPath<Routes, Method> : string;
type KnownPath<Route, Method extends string> = Route extends RouteEntry
  ? Method extends Route['method']
    ? Route['path']
    : never
  : never;

/** The route that answers. */
export type RouteAt<Routes, Method extends string, Path extends string> =
  AreKnown<Routes> extends true
    ? KnownRoute<Routes, Method, Path>
    : { method: Method; path: string; schema: Empty; shared: unknown };
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
  Part<'body', PartIn<Route, 'body'>> &
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
    : { [Name in keyof ParamsOf<Route['path']>]: ParamsOf<Route['path']>[Name] | number };

type HeadersIn<Route extends RouteEntry> = Route['schema'] extends { readonly headers: infer Headers }
  ? InferInput<Headers, Route['shared']> & OtherHeaders
  : OtherHeaders;
interface OtherHeaders {
  [name: string]: unknown;
}

/**
 * What comes back: a status that the route declares, with the body of its schema; or a status of failure that it does not
 * declare, with a body that only the error handlers know.
 */
export type CallReply<Route extends RouteEntry> = Route['schema'] extends {
  readonly response: infer Responses;
}
  ? DeclaredReply<Responses, Route['shared']> | UndeclaredReply<StatusOf<Responses>>
  : { status: number; body: unknown };

type DeclaredReply<Responses, Shared> = {
  [Key in keyof Responses]: {
    status: StatusOf<Pick<Responses, Key>>;
    body: ReceivedBody<Responses[Key], Shared>;
  };
}[keyof Responses];

type UndeclaredReply<Declared extends number> =
  Exclude<StatusOf<{ '4xx': unknown; '5xx': unknown }>, Declared> extends infer Status
    ? [Status] extends [never]
      ? never
      : { status: Status; body: unknown }
    : never;

/** A body as JSON brings it. */
type ReceivedBody<Schema, Shared> = Schema extends StandardSchema
  ? Jsonified<InferOutput<Schema, Shared>>
  : InferOutput<Schema, Shared>;

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
