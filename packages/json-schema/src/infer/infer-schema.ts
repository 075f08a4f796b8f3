/**
 * Infers types from JSON Schema (draft 7 and draft 2020-12) in several views: what a client sends, what a handler gets, what a handler
 * replies. If a type cannot express a schema, it is `unknown` here; the validation at run time is still exact.
 */
import type { PlaceIn } from './infer-references.ts';
import type { Infer, List, ObjectOf, Scalars, View } from './infer-value.ts';

/** The type of a part of a request as its handler gets it: coerced, with defaults filled in. `Upload` is the type of the files in forms. */
export type InferOutput<Schema, Shared = unknown, Upload = Blob> = InferView<
  Schema,
  Shared,
  OutputView<Upload>
>;

/** The type of a part of a request as a client must send it: members with a default are optional. */
export type InferInput<Schema, Shared = unknown> = InferView<Schema, Shared, InputView>;

/** The type of the fields of a form as a client must send it. */
export type InferFormInput<Schema, Shared = unknown> = InferView<Schema, Shared, InputView['form']>;

/** The type that the serializer of a response accepts: also a `Date` for a format of dates, and a `bigint` for an integer. */
export type InferReply<Schema, Shared = unknown> = InferView<Schema, Shared, ReplyView>;

/** The type of the body of a reply as a client gets it: what JSON carries. */
export type InferReceived<Schema, Shared = unknown> = InferView<Schema, Shared, ReceivedView>;

/** Like `InferOutput`, for values that are always objects: query, params, headers. */
export type InferFields<Schema, Shared = unknown> = InferView<Schema, Shared, FieldsView>;

/** The type of a schema in a view. JSON Schema with `type` is the most common case, which one condition recognizes. */
type InferView<Schema, Shared, V extends View> = Schema extends TypedSchema
  ? Infer<Schema, V, PlaceIn<Schema, Shared>>
  : InferForm<Schema, Shared, V>;
type TypedSchema = {
  readonly type: string | readonly string[];
  readonly '~standard'?: never;
  readonly static?: never;
};
type InferForm<Schema, Shared, V extends View> = 0 extends 1 & Schema
  ? unknown
  : Schema extends TypeBoxSchema
    ? FromJson<(Schema & { readonly params: [] })['static'], V>
    : Schema extends { readonly '~standard': infer Standard }
      ? FromJson<StandardTypes<Standard>[V['side']], V>
      : Schema extends ContentSchemas
        ? InferContent<Schema['content'], Shared, V>
        : IsShortForm<Schema> extends true
          ? ObjectOf<{ readonly properties: Schema }, V, PlaceIn<{ readonly properties: Schema }, Shared>>
          : Infer<Schema, V, PlaceIn<Schema, Shared>>;

/** A handler's view of a body: JSON, coerced, with defaults filled in. It may be any value that its schema accepts. */
interface OutputView<Upload = Blob, File = never, Format extends string = never> extends View {
  side: 'output';
  scalars: Scalars<number>;
  file: File;
  special: CompositeKeyword | Format;
  untyped: never;
  untypedNull: never;
  absent: never;
  isFromJson: false;
  form: OutputView<Upload, Upload, 'format'>;
}

/** A handler's view of the parts that are always objects. */
interface FieldsView extends Omit<OutputView, 'untyped'> {
  untyped: 'object';
}

/** A client's view of a reply: the serializer writes objects, and JSON has no dates. */
interface ReceivedView extends Omit<FieldsView, 'isFromJson' | 'untypedNull'> {
  untypedNull: null;
  isFromJson: true;
}

/** A client's view of a request. */
interface InputView<File = never, Format extends string = never> extends View {
  side: 'input';
  scalars: Scalars<number>;
  file: File;
  special: CompositeKeyword | Format;
  untyped: 'object';
  untypedNull: never;
  isFromJson: false;
  form: InputView<Blob, 'format'>;
}

/** A handler's view of a reply: what the serializer turns into JSON. */
interface ReplyView extends View {
  side: 'input';
  formats: { [Format in 'date-time' | 'date' | 'time']: string | Date };
  file: never;
  special: CompositeKeyword | 'format';
  untyped: 'object';
  isFromJson: false;
  form: InputView<Blob, 'format'>;
}

type CompositeKeyword =
  | '$ref'
  | 'enum'
  | 'const'
  | 'anyOf'
  | 'oneOf'
  | 'allOf'
  | 'if'
  | 'nullable'
  | '~unsafe';

/** The input and output types of a Standard Schema (https://standardschema.dev); `unknown` if it has no types. */
type StandardTypes<Standard> = Standard extends { readonly types?: infer Types | undefined }
  ? Types extends AnyTypes
    ? Types
    : AnyTypes
  : AnyTypes;
type AnyTypes = { readonly input: unknown; readonly output: unknown };

/** A schema of TypeBox up to 0.34, which has its type in a member. Schemas of later versions are read as JSON Schema. */
type TypeBoxSchema = { readonly static: unknown; readonly params: readonly unknown[] };
type ContentSchemas = {
  readonly content: {
    readonly [mediaType: string]: { readonly schema?: unknown; readonly itemSchema?: unknown };
  };
};

/**
 * The type for any of the media types in `{ content: { [media type]: { schema } } }`: of its schema, or of the items that it streams, whose
 * schema is `itemSchema`; `unknown` if no media type has a schema.
 */
type InferContent<Content, Shared, V extends View> =
  Extract<
    Content[keyof Content],
    { readonly schema: unknown } | { readonly itemSchema: unknown }
  > extends never
    ? unknown
    : {
        [Media in keyof Content]:
          | (Content[Media] extends { readonly schema: infer Schema }
              ? MediaValue<
                  Media,
                  InferView<Schema, Shared, Media extends 'multipart/form-data' ? V['form'] : V>,
                  V
                >
              : never)
          | (Content[Media] extends { readonly itemSchema: infer Schema }
              ? ItemsOf<Media, InferView<Schema, Shared, V>, V>
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

/** A handler sends items one by one. A client receives them one by one, except in JSON, which it can only parse as a whole. */
type ItemsOf<Media, Item, V extends View> = V['side'] extends 'input'
  ? AsyncIterable<Item>
  : Media extends 'application/json'
    ? Item[]
    : AsyncIterable<Item>;

/** Whether a schema lists its properties at its top level, without any keyword. The empty object does not: it accepts every value. */
type IsShortForm<Schema> = [Schema, Schema[keyof Schema]] extends [object, object | boolean]
  ? keyof Schema & PropertyKey extends never
    ? false
    : string extends keyof Schema
      ? false
      : KeywordsIn<Schema> & PropertyKey extends never
        ? true
        : false
  : false;

/** The names in an object that are keywords. A name of `PlainKeyword` with an object is a property. */
type KeywordsIn<Schema> =
  | (keyof Schema & FormKeyword)
  | {
      [Name in keyof Schema & PlainKeyword]: Schema[Name] extends boolean ? Name : never;
    }[keyof Schema & PlainKeyword];

/** Keywords that make an object JSON Schema. The list for run time is in `short-form.ts`. `~unsafe` is for types only. */
type FormKeyword =
  | ('$id' | '$schema' | '$ref' | '$async' | '$comment' | '$defs' | 'definitions' | '~unsafe')
  | ('type' | 'enum' | 'const' | 'default' | 'allOf' | 'anyOf' | 'oneOf' | 'not' | 'if' | 'then' | 'else')
  | ('properties' | 'patternProperties' | 'additionalProperties' | 'propertyNames' | 'dependencies')
  | ('items' | 'additionalItems' | 'contains' | '$merge' | '$patch' | 'errorMessage')
  | ('$anchor' | '$dynamicAnchor' | '$dynamicRef' | '$vocabulary' | 'prefixItems')
  | ('dependentSchemas' | 'dependentRequired' | 'unevaluatedItems' | 'unevaluatedProperties');

/** Keywords whose value is never an object. */
type PlainKeyword =
  | ('title' | 'description' | 'examples' | 'readOnly' | 'writeOnly' | 'nullable' | 'format' | 'pattern')
  | ('minimum' | 'maximum' | 'exclusiveMinimum' | 'exclusiveMaximum' | 'multipleOf' | 'required')
  | ('minLength' | 'maxLength' | 'minItems' | 'maxItems' | 'uniqueItems' | 'minProperties' | 'maxProperties')
  | ('contentMediaType' | 'contentEncoding' | 'minContains' | 'maxContains');

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
type JsonObject<Value extends object> = Value extends (...args: never) => unknown
  ? undefined
  : Value extends ReadonlyMap<unknown, unknown> | ReadonlySet<unknown>
    ? Record<never, never>
    : Value extends ArrayBufferView
      ? { [index: string]: number }
      : Value extends List
        ? JsonList<Value>
        : { [Name in keyof Value]: Jsonified<Value[Name]> };

/** What an object would leave out is `null` in a list. Members of a tuple that are optional may be missing. */
type JsonList<Value extends List> = number extends Value['length']
  ? { [Index in keyof Value]: OrNull<Jsonified<Value[Index]>> }
  : { [Index in keyof Value]: Jsonified<Value[Index]> };
type OrNull<Item> = Item extends undefined ? null : Item;
