/** What a call of a route brings back, by status. */

import type { InferFields, InferOutput } from './infer-schema/infer-schema.ts';
import type { StandardSchema } from './infer-schema/schema-form.ts';
import type { RouteAt } from './known-routes.ts';
import type { AnyStatus, StatusOf, StatusOnlyOf } from './response-types.ts';
import type { RouteEntry } from './route-table.ts';

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
