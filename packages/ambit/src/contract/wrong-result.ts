/** The types that the compiler shows in its error if the result of a handler does not fit the response schemas of its route. */
import type { DeclaredResult, ResultEntryOf, Settled } from './handler-result.ts';
import type { List } from './infer-schema/lists.ts';
import type { PayloadOf } from './response-types.ts';
import type { Empty, ResponsesOf } from './route-types.ts';

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
  ? WrongPromise<
      Status,
      DifferenceInReturned<NotFitting<Awaited<Result>, Payload>, Payload>,
      DifferenceInExpected<NotFitting<Awaited<Result>, Payload>, Payload>
    >
  : WrongResult<
      Status,
      DifferenceInReturned<NotFitting<Awaited<Result>, Payload>, Payload>,
      DifferenceInExpected<NotFitting<Awaited<Result>, Payload>, Payload>
    >;

/** The members of a union of results that do not fit. */
type NotFitting<Returned, Payload> = Returned extends Settled<Payload> ? never : Returned;

/** The members of the returned type that differ from the expected type; the whole type if its members cannot be compared. */
type DifferenceInReturned<Returned, Expected> = Returned extends object
  ? Expected extends object
    ? Returned extends List
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
    ? Returned extends List
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
