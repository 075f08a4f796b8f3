/** What the compiler reports where the result of a handler does not fit the response schemas of its route. */
import type { DeclaredResult, ResultEntryOf, Settled } from './handler-result.ts';
import type { List } from './infer-schema/lists.ts';
import type { PayloadOf } from './response-types.ts';
import type { Empty, ResponsesOf } from './route-types.ts';

/**
 * What the compiler names where the result of a handler does not fit: the status, and of what is returned and what the response schema asks
 * for those properties that differ. No handler has the one member, which makes an error of one line. The signature is there for handlers
 * that are an expression: the mistake is marked at the property then.
 */
export interface WrongResult<_Status, _Given, Wanted> {
  (this: never, ...args: never): Wanted;
  readonly 'a result that fits the response schema': never;
}

/** The same of a promise, in which the compiler does not look for the property to mark. */
export interface WrongPromise<_Status, _Given, _Wanted> {
  (this: never, ...args: never): unknown;
  readonly 'a result that fits the response schema': never;
}

/** The type of a handler whose result does not fit, to be read with `ResultKind`, as `ResultOf` is. */
export interface RefusedResult<Source, Schema, Shared, Result> {
  ok: Refused<200, Result, PayloadOf<ResponsesOf<Source, Schema>, 200, Shared>>;
  declared: Refused<
    ResultEntryOf<keyof ResponsesOf<Source, Schema>>,
    Result,
    DeclaredResult<ResponsesOf<Source, Schema>, Shared>
  >;
  unknown: unknown;
}

type Refused<Status, Result, Payload> = { is: Result } extends { is: PromiseLike<unknown> }
  ? WrongPromise<
      Status,
      DifferenceIn<Unfit<Awaited<Result>, Payload>, Payload>,
      DifferenceAsked<Unfit<Awaited<Result>, Payload>, Payload>
    >
  : WrongResult<
      Status,
      DifferenceIn<Unfit<Awaited<Result>, Payload>, Payload>,
      DifferenceAsked<Unfit<Awaited<Result>, Payload>, Payload>
    >;

/** Of several results, those that do not fit. */
type Unfit<Given, Payload> = Given extends Settled<Payload> ? never : Given;

/** Of what is given, and of what is asked for, the members that differ: all of it, where that cannot be told. */
type DifferenceIn<Given, Asked> = Given extends object
  ? Asked extends object
    ? Given extends List
      ? Given
      : [Given, Asked] extends [AsyncIterable<infer Item>, AsyncIterable<infer Wanted>]
        ? AsyncIterable<DifferenceIn<Item, Wanted>>
        : {
            [Name in keyof Given & DifferingName<Given, Asked>]: DifferenceIn<
              Given[Name],
              Asked[Name & keyof Asked]
            >;
          }
    : Given
  : Given;
type DifferenceAsked<Given, Asked> = Given extends object
  ? Asked extends object
    ? Given extends List
      ? Asked
      : [Given, Asked] extends [AsyncIterable<infer Item>, AsyncIterable<infer Wanted>]
        ? AsyncIterable<DifferenceAsked<Item, Wanted>>
        : {
            [Name in keyof Asked as Extract<Name, DifferingName<Given, Asked>>]: Name extends keyof Given
              ? DifferenceAsked<Given[Name], Asked[Name]>
              : Asked[Name];
          }
    : Asked
  : Asked;
type DifferingName<Given, Asked> = {
  [Name in keyof Asked]-?: Name extends keyof Given
    ? Given[Name] extends Asked[Name]
      ? never
      : Name
    : Empty extends Pick<Asked, Name>
      ? never
      : Name;
}[keyof Asked];
