/** What a handler may return for its responses, and what the compiler says of a wrong result. */
import type { InferReply } from '@ambit/json-schema/infer';
import type { Empty, PayloadOf, ResponsesOf, StatusClass } from './route-types.ts';

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
type Unserialized =
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
   * Makes `await reply` wait for the end of the response.
   * @param fulfilled Called then.
   * @param rejected Gets the error of writing it.
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

/** A payload of any declared success: types do not know which status was set. Without a declared success, of any status. */
type DeclaredResult<Responses, Shared> = InferReply<
  Responses[ResultEntryOf<keyof Responses> & keyof Responses],
  Shared
>;
type ResultEntryOf<Key> = [Key & (SuccessEntry | 'default')] extends [never]
  ? Key
  : [Key & (200 | '200' | '2xx' | '2XX')] extends [never]
    ? Key & (SuccessEntry | 'default')
    : Key & SuccessEntry;

/**
 * The type that the compiler names if the result of a handler does not fit: the status, and the properties that differ, as they are
 * returned and as the response schema expects them. No handler has its member, so the error is one line. Its signature is for handlers
 * whose body is an expression: the compiler then marks the property that is wrong.
 */
export interface WrongResult<_Status, _Returned, Expected> {
  (this: never, ...args: never): Expected;
  readonly 'a result that fits the response schema': never;
}

/** The same for a promise, in which the compiler marks no property. */
export interface WrongPromise<_Status, _Returned, _Expected> {
  (this: never, ...args: never): unknown;
  readonly 'a result that fits the response schema': never;
}

/** The type of a handler whose result does not fit. `ResultKind` is the key of the member to read, as in `ResultOf`. */
export interface WrongResultOf<Source, Schema, Shared, Result> {
  ok: MismatchOf<200, Result, PayloadOf<ResponsesOf<Source, Schema>, 200, Shared>>;
  declared: MismatchOf<
    ResultEntryOf<keyof ResponsesOf<Source, Schema>>,
    Result,
    DeclaredResult<ResponsesOf<Source, Schema>, Shared>
  >;
  unknown: unknown;
}
type MismatchOf<Status, Result, Payload> = { is: Result } extends { is: PromiseLike<unknown> }
  ? WrongPromise<Status, Difference<Awaited<Result>, Payload>, Missed<Awaited<Result>, Payload>>
  : WrongResult<Status, Difference<Awaited<Result>, Payload>, Missed<Awaited<Result>, Payload>>;
type Difference<Returned, Payload> = DifferenceInReturned<NotFitting<Returned, Payload>, Payload>;
type Missed<Returned, Payload> = DifferenceInExpected<NotFitting<Returned, Payload>, Payload>;

/** The members of a union of results that do not fit. */
type NotFitting<Returned, Payload> = Returned extends Settled<Payload> ? never : Returned;

/** The members of the returned type that differ from the expected type; the whole type if its members cannot be compared. */
type DifferenceInReturned<Returned, Expected> = Returned extends object
  ? Expected extends object
    ? Returned extends readonly unknown[]
      ? Returned
      : [Returned, Expected] extends [AsyncIterable<infer Item>, AsyncIterable<infer ExpectedItem>]
        ? AsyncIterable<DifferenceInReturned<Item, ExpectedItem>>
        : {
            [Name in keyof Returned & DifferingName<Returned, Expected>]: DifferenceInReturned<
              Returned[Name],
              Expected[Name & keyof Expected]
            >;
          }
    : Returned
  : Returned;
/** The same members, as the expected type has them. */
type DifferenceInExpected<Returned, Expected> = Returned extends object
  ? Expected extends object
    ? Returned extends readonly unknown[]
      ? Expected
      : [Returned, Expected] extends [AsyncIterable<infer Item>, AsyncIterable<infer ExpectedItem>]
        ? AsyncIterable<DifferenceInExpected<Item, ExpectedItem>>
        : {
            [Name in keyof Expected as Extract<
              Name,
              DifferingName<Returned, Expected>
            >]: Name extends keyof Returned
              ? DifferenceInExpected<Returned[Name], Expected[Name]>
              : Expected[Name];
          }
    : Expected
  : Expected;
type DifferingName<Returned, Expected> = {
  [Name in keyof Expected]-?: Name extends keyof Returned
    ? Returned[Name] extends Expected[Name]
      ? never
      : Name
    : Empty extends Pick<Expected, Name>
      ? never
      : Name;
}[keyof Expected];
