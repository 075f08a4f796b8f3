/**
 * Infers types from JSON Schema (draft 7 and draft 2020-12): what a client sends, what a handler gets, what a handler replies. If a type
 * cannot express a schema, it is `unknown` here; the validation at run time is still exact.
 */

import type {
  FieldsView,
  FormView,
  InputView,
  OutputView,
  ReceivedView,
  ReplyView,
  View,
} from './input-output-views.ts';
import type { FromJson } from './jsonified.ts';
import type { ObjectOf } from './object-type.ts';
import type {
  ContentSchemas,
  ShortFormOf,
  StandardSchema,
  StandardTypes,
  TypeBoxSchema,
  TypeBoxType,
  TypedSchema,
} from './schema-form.ts';
import type { SchemaLocation } from './schema-location.ts';
import type { Infer } from './schema-type.ts';

/** The type of a part of a request as its handler gets it: coerced, with defaults filled in. */
export type InferOutput<Schema, Shared = unknown> = InferPart<Schema, Shared, OutputView>;

/** The type of a part of a request as a client must send it: members with a default are optional. */
export type InferInput<Schema, Shared = unknown> = InferPart<Schema, Shared, InputView>;

/** The type of the fields of a form as a client must send it. */
export type InferFormInput<Schema, Shared = unknown> = InferPart<Schema, Shared, FormView<InputView>>;

/** The type that the serializer of a response accepts: also a `Date` for a format of dates, and a `bigint` for an integer. */
export type InferReply<Schema, Shared = unknown> = InferPart<Schema, Shared, ReplyView>;

/** The type of the body of a reply as a client gets it: what JSON carries. */
export type InferReceived<Schema, Shared = unknown> = InferPart<Schema, Shared, ReceivedView>;

/** Like `InferOutput`, for values that are always objects: query, params, headers. */
export type InferFields<Schema, Shared = unknown> = InferPart<Schema, Shared, FieldsView>;

type InferPart<Schema, Shared, V extends View> = Schema extends TypedSchema
  ? Infer<Schema, V, SchemaLocation<Schema, Shared>>
  : InferForm<Schema, Shared, V>;

type InferForm<Schema, Shared, V extends View> = 0 extends 1 & Schema
  ? unknown
  : Schema extends TypeBoxSchema
    ? FromJson<TypeBoxType<Schema>, V>
    : Schema extends StandardSchema
      ? FromJson<StandardTypes<Schema>[V['side']], V>
      : Schema extends ContentSchemas<unknown>
        ? InferContent<Schema['content'], Shared, V>
        : InferUntyped<Schema, ShortFormOf<Schema>, Shared, V>;

/**
 * The type for any of the media types: of its schema, or of the items that it streams; `unknown` if no media type has a schema. In forms,
 * strings of the format `binary` are files.
 */
type InferContent<Content, Shared, V extends View> =
  Extract<Content[keyof Content], { readonly schema: unknown } | ItemSchema> extends never
    ? unknown
    : {
        [Media in keyof Content]:
          | (Content[Media] extends { readonly schema: infer Schema }
              ? MediaValue<
                  Media,
                  InferPart<Schema, Shared, Media extends 'multipart/form-data' ? FormView<V> : V>,
                  V
                >
              : never)
          | (Content[Media] extends ItemSchema<infer Schema>
              ? ItemsOf<Media, InferPart<Schema, Shared, V>, V>
              : never);
      }[keyof Content];

/** A client gets text and bytes as they are, whatever their schema says. */
type MediaValue<Media, Value, V extends View> = V['isFromJson'] extends true
  ? Media extends `${string}json${string}` | `${string}*${string}`
    ? Value
    : Media extends `text/${string}` | `${string}xml${string}`
      ? Value extends string
        ? Value
        : string
      : Blob
  : Value;

type ItemSchema<Schema = unknown> = { readonly itemSchema: Schema };

/** A handler sends items one by one. A client receives them one by one, except in JSON, which it can only parse as a whole. */
type ItemsOf<Media, Item, V extends View> = V['side'] extends 'input'
  ? AsyncIterable<Item>
  : Media extends 'application/json'
    ? Item[]
    : AsyncIterable<Item>;

type InferUntyped<Schema, Properties, Shared, V extends View> = { is: Properties } extends { is: never }
  ? Infer<Schema, V, SchemaLocation<Schema, Shared>>
  : ObjectOf<
      { readonly properties: Properties },
      V,
      SchemaLocation<{ readonly properties: Properties }, Shared>
    >;
