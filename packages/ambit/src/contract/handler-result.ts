/** The types that a handler may send and return, from the response schemas of its route. */
import type { InferReply } from './infer-schema/infer-schema.ts';
import type { PayloadOf, StatusClass } from './response-types.ts';
import type { ResponsesOf } from './route-types.ts';

/** The parameter of `send`. It accepts `void` if `null` or anything can be sent, because such a parameter may be left out. */
export type Sendable<Payload> = unknown extends Payload
  ? NonNullable<unknown> | null | undefined | void
  : null extends Payload
    ? Payload | Unserialized | MoreProperties | void
    : Payload | Unserialized | MoreProperties;

/** No value has this type. In a union, it allows literals to have properties that no schema declares, as returned values may. */
interface MoreProperties {
  [name: string]: unknown;
  [Symbol.toPrimitive]: never;
}

/** Payloads to which no response schema applies: an error is passed to the error handlers, and the others are sent as they are. */
export type Unserialized =
  | Error
  | ArrayBufferView
  | ArrayBuffer
  | Blob
  | Response
  | ReadableStream
  | NodeJS.ReadableStream;

/** A reply as the result of a handler. Awaiting it gives `undefined`. */
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

/** The result of a handler, synchronous or as a promise: a payload, the reply that it sent, or nothing. */
export type HandlerResult<Payload> =
  | Settled<Payload>
  | Promise<Settled<Payload>>
  | PromiseLike<Settled<Payload>>;
export type Settled<Payload> = Payload | Unserialized | Replied | void;

/**
 * The results that a route's handler may return. `ResultKind` is the key of the member to read. An indexed type keeps the compiler from
 * inferring the schema from the handler's result: it would look for the schema in all branches of a conditional type, but it skips an index
 * that it does not know yet.
 */
export interface ResultOf<Source, Schema, Shared> {
  /** Uses the same type as the reply uses first, so that most routes cost the compiler no second type. */
  ok: HandlerResult<PayloadOf<ResponsesOf<Source, Schema>, 200, Shared>>;
  declared: HandlerResult<DeclaredResult<ResponsesOf<Source, Schema>, Shared>>;
  unknown: unknown;
}

/** The key for `ResultOf`. While the compiler infers the result of an inner call, a schema that it has not inferred yet is `never`. */
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
