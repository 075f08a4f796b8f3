/** What a handler may send and return, by the response schemas of its route. */
import type { InferReply } from './infer-schema/infer-schema.ts';
import type { PayloadOf, StatusClass } from './response-types.ts';
import type { ResponsesOf } from './route-types.ts';

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
  /** Whether the response has ended, or the reply was hijacked. */
  readonly sent: boolean;
  /**
   * Makes `await reply` wait until the response has ended.
   *
   * @param fulfilled Called when the response has ended.
   * @param rejected Called with the error if the response could not be written.
   */
  then(fulfilled?: ((value: undefined) => void) | null, rejected?: ((error: Error) => void) | null): void;
}

/** What a handler may return, now or later: a payload, the reply it sent, or nothing. */
export type HandlerResult<Payload> =
  | Settled<Payload>
  | Promise<Settled<Payload>>
  | PromiseLike<Settled<Payload>>;
export type Settled<Payload> = Payload | Unserialized | Replied | void;

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

/** If 200 is the only declared success, a returned value must match its schema. */
type KindOf<Key> = [Key & (200 | '200')] extends [never]
  ? 'declared'
  : [Exclude<Key & SuccessEntry, 200 | '200'>] extends [never]
    ? 'ok'
    : 'declared';
type SuccessEntry = StatusClass['2xx'] | `${StatusClass['2xx']}` | '2xx' | '2XX';

/**
 * A payload of any declared success, because types do not know which status was set before. If no success is declared,
 * a payload of any status.
 */
export type DeclaredResult<Responses, Shared> = InferReply<
  Responses[ResultEntryOf<keyof Responses> & keyof Responses],
  Shared
>;
export type ResultEntryOf<Key> = [Key & (SuccessEntry | 'default')] extends [never]
  ? Key
  : [Key & (200 | '200' | '2xx' | '2XX')] extends [never]
    ? Key & (SuccessEntry | 'default')
    : Key & SuccessEntry;
