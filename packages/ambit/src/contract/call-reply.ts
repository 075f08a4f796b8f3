/** The type of the response to a call of a route, by status. */

import type { InferReceived } from './infer-schema/infer-schema.ts';
import type { RouteAt } from './known-routes.ts';
import type { AnyStatus, StatusOf, StatusOnlyOf } from './response-types.ts';
import type { RouteEntry } from './route-table.ts';

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
