/** The types of values that have passed through JSON. */
import type { View } from './input-output-views.ts';
import type { List } from './lists.ts';

/** The type in a view: in that of a client, a type of another library is what JSON carries of it. */
export type FromJson<Value, V extends View> = V['isFromJson'] extends true ? Jsonified<Value> : Value;

/**
 * A value after `JSON.stringify` and `JSON.parse`: a `Date` is text, and other objects with `toJSON` are what that returns. A `bigint` is
 * `never`, because it cannot be written.
 */
export type Jsonified<Value> = 0 extends 1 & Value
  ? Value
  : Value extends string | number | boolean | null | undefined
    ? Value
    : Value extends { toJSON(key: never): infer Json }
      ? Jsonified<Json>
      : Value extends object
        ? JsonObject<Value>
        : Value extends symbol
          ? undefined
          : unknown extends Value
            ? unknown
            : never;

/** The members of maps and sets are not written. Functions and symbols are left out, as `undefined` is. */
type JsonObject<Value extends object> = Value extends Uncalled
  ? undefined
  : Value extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
    ? Record<never, never>
    : Value extends ArrayBufferView
      ? { [index: string]: number }
      : Value extends List
        ? JsonList<Value>
        : { [Name in keyof Value]: Jsonified<Value[Name]> };
type Uncalled = (...args: never) => unknown;

/** What an object would leave out is `null` in a list. Members of a tuple that are optional may be missing. */
type JsonList<Value extends List> = number extends Value['length']
  ? { [Index in keyof Value]: OrNull<Jsonified<Value[Index]>> }
  : { [Index in keyof Value]: Jsonified<Value[Index]> };
type OrNull<Item> = Item extends undefined ? null : Item;
