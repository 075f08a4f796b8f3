/**
 * Types from JSON Schema (draft 7 and draft 2020-12): what a client sends, what a handler sees, what a handler replies. Types only.
 * Whatever the type level cannot express is `unknown` here, and still exact at run time.
 */

import type { FieldsView, FormView, InputView, OutputView, ReplyView, View } from './input-output-views.ts';
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

/** The type of a part of a request as its handler sees it: coerced, with defaults filled in. */
export type InferOutput<Schema, Shared = unknown> = InferPart<Schema, Shared, OutputView>;

/** The type of a part of a request as a client has to send it: what has a default may be left out. */
export type InferInput<Schema, Shared = unknown> = InferPart<Schema, Shared, InputView>;

/** The type of the fields of a form as a client has to send it. */
export type InferFormInput<Schema, Shared = unknown> = InferPart<Schema, Shared, FormView<InputView>>;

/** What the serializer of a response takes: a `Date` where the format is a date's, a `bigint` for an integer. */
export type InferReply<Schema, Shared = unknown> = InferPart<Schema, Shared, ReplyView>;

/** The same for what is an object in any case: query, params, headers, and the body of a reply. */
export type InferFields<Schema, Shared = unknown> = InferPart<Schema, Shared, FieldsView>;

type InferPart<Schema, Shared, V extends View> = Schema extends TypedSchema
  ? Infer<Schema, V, SchemaLocation<Schema, Shared>>
  : InferForm<Schema, Shared, V>;

type InferForm<Schema, Shared, V extends View> = 0 extends 1 & Schema
  ? unknown
  : Schema extends TypeBoxSchema
    ? TypeBoxType<Schema>
    : Schema extends StandardSchema
      ? StandardTypes<Schema>[V['side']]
      : Schema extends ContentSchemas<unknown>
        ? InferContent<Schema['content'], Shared, V>
        : InferUntyped<Schema, ShortFormOf<Schema>, Shared, V>;

/**
 * What one of the media types says: its schema, or the items that it streams; `unknown` if none says anything. In forms, strings of the
 * format `binary` are files.
 */
type InferContent<Content, Shared, V extends View> =
  Extract<Content[keyof Content], { readonly schema: unknown } | ItemSchema> extends never
    ? unknown
    : {
        [Media in keyof Content]:
          | (Content[Media] extends { readonly schema: infer Schema }
              ? InferPart<Schema, Shared, Media extends 'multipart/form-data' ? FormView<V> : V>
              : never)
          | (Content[Media] extends ItemSchema<infer Schema>
              ? ItemsOf<Media, InferPart<Schema, Shared, V>, V>
              : never);
      }[keyof Content];

type ItemSchema<Schema = unknown> = { readonly itemSchema: Schema };

/** A handler gives items one by one. A client gets them one by one, but for JSON, which it can only read when all have come. */
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
