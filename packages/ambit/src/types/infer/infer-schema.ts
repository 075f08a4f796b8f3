/**
 * Infers types from JSON Schema (draft 7 and draft 2020-12) in several views: what a client sends, what a handler gets, what a handler
 * replies. If a type cannot express a schema, it is `unknown` here; the validation at run time is still exact.
 */
import type { UploadedFile } from '../multipart.ts';
import type { Infer, ItemOf, List, ObjectOf } from './infer-value.ts';

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

export interface View {
  side: 'input' | 'output';
  /** The types that depend on no other keyword. */
  scalars: Scalars;
  /** The types of strings that have a format. */
  formats: object;
  /** The type of strings of the format `binary`, if they are files; `never` if they are strings. */
  file: unknown;
  /** Keywords for which `type` alone is not enough. */
  special: string;
  /** `'object'` if a schema with `properties` and without `type` is an object; otherwise `never`. */
  untyped: unknown;
  /** What `nullable` without `type` adds: `null` where values are serialized, nothing where they are validated. */
  untypedNull: null;
  /** The type that an optional member may have in addition: `undefined` if writing it leaves the member out. */
  absent: undefined;
  /** Whether values have passed through JSON, so that types of other libraries and `~unsafe` are what is left of them. */
  isFromJson: boolean;
}

/** A handler's view of a body: JSON, coerced, with defaults filled in. It may be any value that its schema accepts. */
interface OutputView {
  side: 'output';
  scalars: ParsedScalars;
  formats: object;
  file: never;
  special: CompositeKeyword;
  untyped: never;
  untypedNull: never;
  absent: never;
  isFromJson: false;
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
interface InputView {
  side: 'input';
  scalars: ParsedScalars;
  formats: object;
  file: never;
  special: CompositeKeyword;
  untyped: 'object';
  untypedNull: never;
  absent: undefined;
  isFromJson: false;
}

/** A handler's view of a reply: what the serializer turns into JSON. */
interface ReplyView {
  side: 'input';
  scalars: Scalars;
  formats: FormatValues;
  file: never;
  special: CompositeKeyword | 'format';
  untyped: 'object';
  untypedNull: null;
  absent: undefined;
  isFromJson: false;
}

/** A view of the body of a form, in which strings of the format `binary` are files. */
type FormView<V extends View> = V['side'] extends 'output' ? FormOutputView : FormInputView;

interface FormOutputView extends Omit<OutputView, 'file' | 'special'> {
  file: UploadedFile;
  special: CompositeKeyword | 'format';
}

interface FormInputView extends Omit<InputView, 'file' | 'special'> {
  file: Blob;
  special: CompositeKeyword | 'format';
}

export interface Scalars {
  string: string;
  number: number;
  integer: number | bigint;
  boolean: boolean;
  null: null;
}
interface ParsedScalars extends Scalars {
  integer: number;
}
interface FormatValues {
  'date-time': string | Date;
  date: string | Date;
  time: string | Date;
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

/** JSON Schema with `type`: the most common case, which one condition recognizes. */
type TypedSchema = {
  readonly type: string | readonly string[];
  readonly '~standard'?: never;
  readonly static?: never;
};

/** Any Standard Schema object (https://standardschema.dev). Only its types are used here. */
export type StandardSchema = { readonly '~standard': unknown };

/** The input and output types of a Standard Schema object; `unknown` if it has no types. */
type StandardTypes<Schema extends StandardSchema> = Schema['~standard'] extends {
  readonly types?: infer Types | undefined;
}
  ? Types extends { readonly input: unknown; readonly output: unknown }
    ? Types
    : UnknownTypes
  : UnknownTypes;

interface UnknownTypes {
  readonly input: unknown;
  readonly output: unknown;
}

/** A schema of TypeBox up to 0.34, which has its type in a member. Schemas of later versions are read as JSON Schema. */
type TypeBoxSchema = { readonly static: unknown; readonly params: readonly unknown[] };

/** The type of a TypeBox schema, as `Static` of that library has it. */
type TypeBoxType<Schema extends TypeBoxSchema> = (Schema & { readonly params: [] })['static'];

/** `{ content: { [media type]: { schema } } }`: one schema for each media type; for a stream, `itemSchema`. */
export type ContentSchemas<Schema> = {
  readonly content: {
    readonly [mediaType: string]: { readonly schema?: Schema; readonly itemSchema?: unknown };
  };
};

/**
 * Keywords that make an object JSON Schema. The list for run time is in `short-form.ts` of json-schema. `~unsafe` is internal, for types only.
 */
type FormKeyword =
  | ('$id' | '$schema' | '$ref' | '$async' | '$comment' | '$defs' | 'definitions' | '~unsafe')
  | ('type' | 'enum' | 'const' | 'default' | 'allOf' | 'anyOf' | 'oneOf' | 'not' | 'if' | 'then' | 'else')
  | ('properties' | 'patternProperties' | 'additionalProperties' | 'propertyNames' | 'dependencies')
  | ('items' | 'additionalItems' | 'contains' | '$merge' | '$patch' | 'errorMessage')
  | ('$anchor' | '$dynamicAnchor' | '$dynamicRef' | '$vocabulary' | 'prefixItems')
  | ('dependentSchemas' | 'dependentRequired' | 'unevaluatedItems' | 'unevaluatedProperties');

/** Keywords whose value is never an object. If it is one, the name is a property of the short form. */
type PlainKeyword =
  | ('title' | 'description' | 'examples' | 'readOnly' | 'writeOnly' | 'nullable' | 'format' | 'pattern')
  | (
      | 'minimum'
      | 'maximum'
      | 'exclusiveMinimum'
      | 'exclusiveMaximum'
      | 'multipleOf'
      | 'minLength'
      | 'maxLength'
    )
  | ('minItems' | 'maxItems' | 'uniqueItems' | 'minProperties' | 'maxProperties' | 'required')
  | ('contentMediaType' | 'contentEncoding' | 'minContains' | 'maxContains');

/** The names in an object that are keywords. */
type KeywordsIn<Schema> =
  | (keyof Schema & FormKeyword)
  | {
      [Name in keyof Schema & PlainKeyword]: Schema[Name] extends boolean ? Name : never;
    }[keyof Schema & PlainKeyword];

/**
 * The properties in a short form, which lists them at the top level, without any keyword (specification 3.3); `never` for any other form.
 * The empty object is not a short form: it is the schema that accepts every value.
 */
type ShortFormOf<Schema> = { is: Schema; value: Schema[keyof Schema] } extends {
  is: object;
  value: object | boolean;
}
  ? keyof Schema & PropertyKey extends never
    ? never
    : string extends keyof Schema
      ? never
      : KeywordsIn<Schema> & PropertyKey extends never
        ? Schema
        : never
  : never;

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

/**
 * The document to which a reference leads: this one, one inside it, or a shared one (specification 4.5). What cannot be resolved is `unknown`,
 * never an error.
 */
export type ReferencedDocument<Ref extends string, Root, Shared> = Ref extends `#${string}`
  ? Root
  : Ref extends `${infer Id}#${string}`
    ? DocumentOf<Id, Root, Shared>
    : DocumentOf<Ref, Root, Shared>;

/** The schema that a reference names inside its document: all of it, `#/pointer`, or the one whose `$id` is `#name`. */
export type ReferencedSchema<Ref extends string, Document> = Ref extends `${string}#${infer Fragment}`
  ? Fragment extends ''
    ? Document
    : Fragment extends `/${infer Pointer}`
      ? AtPointer<Document, Pointer>
      : Named<Document, `#${Fragment}`>
  : Document;

type DocumentOf<Id, Root, Shared> = Id extends keyof Shared
  ? Shared[Id]
  : Root extends { readonly $id: Id }
    ? Root
    : Named<Root, Id>;

type AtPointer<Schema, Pointer extends string> = Pointer extends `${infer Step}/${infer Rest}`
  ? AtPointer<Member<Schema, Step>, Rest>
  : Member<Schema, Pointer>;

/** A step of a pointer: the name of a member, or the position in a list. */
type Member<Schema, Step extends string> = Step extends keyof Schema
  ? Schema[Step]
  : Unescaped<Step> extends infer Name extends keyof Schema
    ? Schema[Name]
    : unknown;

/** `~1` is a slash in a name, and then `~0` a tilde (RFC 6901, 4). */
type Unescaped<Step extends string> = Replaced<Replaced<Step, '~1', '/'>, '~0', '~'>;
type Replaced<
  Text extends string,
  Mark extends string,
  By extends string,
> = Text extends `${infer Head}${Mark}${infer Rest}` ? `${Head}${By}${Replaced<Rest, Mark, By>}` : Text;

/** The schema with that `$id` among the definitions and properties of a document. */
type Named<Root, Id> = NamedIn<
  SchemasIn<Root, 'definitions'> & SchemasIn<Root, '$defs'> & SchemasIn<Root, 'properties'>,
  Id
>;

type SchemasIn<Root, Keyword extends string> = Root extends { readonly [K in Keyword]: infer Schemas }
  ? Schemas
  : unknown;

/** A schema with that `$id`, or with the `$anchor` that a fragment names. */
type Marked<Id> =
  | { readonly $id: Id }
  | (Id extends `#${infer Anchor}` ? { readonly $anchor: Anchor } : never);

/** Also finds a schema by the name of its definition, because types of TypeBox do not contain the `$id` of a definition. */
type NamedIn<Schemas, Id> = {
  [Name in keyof Schemas]: Schemas[Name] extends Marked<Id> ? Schemas[Name] : never;
}[keyof Schemas] extends infer NamedSchema
  ? [NamedSchema] extends [never]
    ? Id extends keyof Schemas
      ? Schemas[Id]
      : unknown
    : NamedSchema
  : never;

/** The location of a schema: its document, and the shared schemas that are visible. */
export interface SchemaLocation<Root, Shared, FillsDefaults extends boolean = true> {
  root: Root;
  shared: Shared;
  /** Whether Ajv fills in defaults here. It does not do so inside `anyOf`, `oneOf`, `if` and `not`. */
  fillsDefaults: FillsDefaults;
}

export interface AnyLocation {
  root: unknown;
  shared: unknown;
  fillsDefaults: boolean;
}

export type InBranch<At extends AnyLocation> = SchemaLocation<At['root'], At['shared'], false>;

/** A schema that applies to the same value. Its type is only read if it is needed. */
export interface AppliedSchema<Schema> {
  schema: Schema;
}

/** The `type` of the schemas that apply to the same value: their own, or that of a schema in their `allOf` or `$ref`. */
export type TypeOfApplied<Applied, At extends AnyLocation> =
  Applied extends AppliedSchema<infer Schema> ? TypeIn<Schema, At, never> : never;

type TypeIn<Schema, At extends AnyLocation, Followed> = Schema extends { readonly type: infer Type }
  ? Type
  :
      | (Schema extends { readonly allOf: infer Branches } ? TypeIn<ItemOf<Branches>, At, Followed> : never)
      | (Schema extends { readonly $ref: infer Ref extends string }
          ? Ref extends Followed
            ? never
            : TypeAt<ReferencedDocument<Ref, At['root'], At['shared']>, Ref, At, Followed>
          : never);

type TypeAt<Document, Ref extends string, At extends AnyLocation, Followed> = TypeIn<
  ReferencedSchema<Ref, Document>,
  SchemaLocation<Document, At['shared']>,
  Followed | Ref
>;
