/**
 * Types from JSON Schema (draft 7 and draft 2020-12): what a client sends, what a handler sees, what a handler replies. Types only. Whatever
 * the type level cannot express is `unknown` here, and still exact at run time.
 */

import type { ItemOf, List, ToLastDefault } from './lists.ts';
import type { ReferencedDocument, ReferencedSchema } from './references.ts';
import type {
  ContentSchemas,
  ShortFormOf,
  StandardSchema,
  StandardTypes,
  TypeBoxSchema,
  TypeBoxType,
  TypedSchema,
} from './schema-form.ts';
import type { AnyLocation, InBranch, SchemaLocation, TypeAround, Within } from './schema-location.ts';
import type { ClosesMerged, NamedPart, RestBeside, UnevaluatedIn, UnevaluatedItems } from './unevaluated.ts';
import type { FieldsView, FormView, InputView, OutputView, ReplyView, Scalars, View } from './views.ts';

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

// ----------------------------------------------------------------------------------------------------------- the walk
// `V` is the view, `At` the place. `Around` is what is known of the value since the last property or item: the references that
// were followed, since one of them again is a circle without a value in it, and the schemas that hold besides.

type Infer<Schema, V extends View, At extends AnyLocation, Around = never> = keyof Schema &
  V['special'] extends never
  ? Schema extends { readonly type: keyof Scalars }
    ? V['scalars'][Schema['type']]
    : Schema extends { readonly type: unknown }
      ? OfType<Schema['type'], Schema, V, At>
      : OfNoType<Schema, V, At, Around>
  : Composite<Schema, V, At, Around>;

type OfType<Type, Schema, V extends View, At extends AnyLocation> = Type extends 'object'
  ? ObjectOf<Schema, V, At>
  : Type extends 'array'
    ? ArrayOf<Schema, V, At>
    : Type extends keyof Scalars
      ? V['scalars'][Type]
      : Type extends List
        ? OfType<ItemOf<Type>, Schema, V, At>
        : unknown;

/** Ajv lets every other type through where no `type` is given: what properties it lists, is known of objects alone. */
type OfNoType<Schema, V extends View, At extends AnyLocation, Around> = Schema extends ObjectKeywords
  ? 'object' extends V['untyped'] | TypeAround<Around, At>
    ? ObjectOf<Schema, V, At>
    : unknown
  : Schema extends ItemKeywords
    ? 'object' extends V['untyped']
      ? ArrayOf<Schema, V, At>
      : unknown
    : Schema extends false
      ? never
      : unknown;

// ---------------------------------------------------------------------------------------------------------- composites

type Composite<Schema, V extends View, At extends AnyLocation, Around> = Schema extends {
  readonly enum: infer Values;
}
  ? ItemOf<Values>
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends { readonly '~unsafe': infer Type }
      ? Type
      : Schema extends { readonly nullable: true }
        ? Combined<Schema, V, At, Around | Within<Schema>> | null
        : Combined<Schema, V, At, Around | Within<Schema>>;

/** `unevaluatedProperties` applies when all that the other keywords say is known. */
type Combined<Schema, V extends View, At extends AnyLocation, Around> = Schema extends {
  readonly unevaluatedProperties: infer Rest;
}
  ? ClosesMerged<Schema, At, V['untyped']> extends true
    ? WithRest<Merged<Schema, V, At, Around>, Infer<Rest, V, At>, Schema, V>
    : Merged<Schema, V, At, Around>
  : Merged<Schema, V, At, Around>;

/** All keywords hold at once: the intersection of what each says. Behind a condition, so that editors show it and not this name. */
type Merged<Schema, V extends View, At extends AnyLocation, Around> = Schema extends unknown
  ? BaseOf<Schema, V, At, Around> &
      (Schema extends { readonly $ref: infer Ref extends string } ? Follow<Ref, V, At, Around> : unknown) &
      (Schema extends { readonly anyOf: infer Branches }
        ? OneOf<ItemOf<Branches>, V, InBranch<At>, Around>
        : unknown) &
      (Schema extends { readonly oneOf: infer Branches }
        ? OneOf<ItemOf<Branches>, V, InBranch<At>, Around>
        : unknown) &
      (Schema extends { readonly allOf: infer Branches } ? AllOf<Branches, V, At, Around> : unknown) &
      (Schema extends { readonly if: infer If } ? ThenOrElse<If, Schema, V, At, Around> : unknown)
  : never;

/** What `type` and its companions say. A bare `type: 'object'` leaves it to the other keywords to say what object. */
type BaseOf<Schema, V extends View, At extends AnyLocation, Around> = Schema extends {
  readonly type: infer Type;
}
  ? Schema extends BareObject
    ? UnevaluatedIn<Schema> extends never
      ? unknown
      : ObjectOf<Schema, V, At>
    : Schema extends { readonly format: 'binary' }
      ? BinaryOf<Type, V>
      : OfType<Type, Schema, V, At> | FormattedText<Schema, V['formats']>
  : OfNoType<Schema, V, At, Around>;

type BinaryOf<Type, V extends View> =
  | ([V['file']] extends [never] ? V['scalars']['string'] : V['file'])
  | (Type extends List ? ('null' extends ItemOf<Type> ? null : never) : never);

type BareObject = { readonly type: 'object' } & {
  readonly [K in 'properties' | 'required' | 'additionalProperties' | 'patternProperties']?: never;
};

type FormattedText<Schema, Formats> = Schema extends { readonly format: infer Format extends keyof Formats }
  ? Formats[Format]
  : never;

type OneOf<Branch, V extends View, At extends AnyLocation, Around> = Branch extends unknown
  ? Infer<Branch, V, At, Around>
  : never;

type AllOf<Branches, V extends View, At extends AnyLocation, Around> = Branches extends readonly [
  infer First,
  ...infer Rest,
]
  ? Infer<First, V, At, Around> & AllOf<Rest, V, At, Around>
  : unknown;

/**
 * A value passes `if` and `then`, or it passes `else`. That it then fails `if`, no type can say. Defaults are filled in below both, not
 * below `if`.
 */
type ThenOrElse<If, Schema, V extends View, At extends AnyLocation, Around> = Schema extends {
  readonly else: infer Else;
}
  ? IfThen<If, Schema, V, At, Around> | Infer<Else, V, At, Around>
  : unknown;

type IfThen<If, Schema, V extends View, At extends AnyLocation, Around> = Schema extends {
  readonly then: infer Then;
}
  ? Infer<If, V, InBranch<At>, Around> & Infer<Then, V, At, Around>
  : Infer<If, V, InBranch<At>, Around>;

type Follow<Ref extends string, V extends View, At extends AnyLocation, Around> = Ref extends Around
  ? unknown
  : FollowInto<ReferencedDocument<Ref, At['root'], At['shared']>, Ref, V, At, Around>;

type FollowInto<Document, Ref extends string, V extends View, At extends AnyLocation, Around> = Infer<
  ReferencedSchema<Ref, Document>,
  V,
  SchemaLocation<Document, At['shared'], At['fills']>,
  Around | Ref
>;

// -------------------------------------------------------------------------------------------------------------- arrays

type ItemKeywords = { readonly items: unknown } | { readonly prefixItems: unknown };

type ArrayOf<Schema, V extends View, At extends AnyLocation> = Schema extends {
  readonly prefixItems: infer Items extends List;
}
  ? TupleOf<EachOf<Items, V, At>, OlderTuple<Schema, Items>, V, At>
  : Schema extends { readonly items: infer Items }
    ? Items extends List
      ? TupleOf<EachOf<Items, V, At>, Schema, V, At>
      : V['side'] extends 'output'
        ? Infer<Items, V, At>[]
        : readonly Infer<Items, V, At>[]
    : 'unevaluatedItems' extends keyof Schema
      ? V['side'] extends 'output'
        ? Infer<UnevaluatedItems<Schema>, V, At>[]
        : readonly Infer<UnevaluatedItems<Schema>, V, At>[]
      : unknown[];

/** A tuple of draft 2020-12 in the keywords of draft 7. */
type OlderTuple<Schema, Items> = Pick<Schema, keyof Schema & ('minItems' | 'maxItems')> & {
  readonly items: Items;
} & (Schema extends { readonly items: infer Rest }
    ? { readonly additionalItems: Rest }
    : { readonly additionalItems: UnevaluatedItems<Schema> });

type EachOf<Items extends List, V extends View, At extends AnyLocation> = {
  -readonly [Index in keyof Items]: Infer<Items[Index], V, At>;
};

/** What `minItems` does not ask for may be absent. Only "all of them" is worked out: less than that counts as none. */
type TupleOf<Each extends List, Schema, V extends View, At extends AnyLocation> = Schema extends {
  readonly minItems: Each['length'];
}
  ? [...Each, ...RestOf<Each, Schema, V, At>]
  : [...PartlyFilled<Each, Schema, V, At>, ...RestOf<Each, Schema, V, At>];

/** Ajv fills in the defaults of items: then those before are there, too, since it validates them. */
type PartlyFilled<
  Each extends List,
  Schema,
  V extends View,
  At extends AnyLocation,
> = V['side'] extends 'output'
  ? At['fills'] extends true
    ? Schema extends { readonly items: infer Items extends List }
      ? Extract<Items[number], { readonly default: unknown }> extends never
        ? Partial<Each>
        : ToLastDefault<Items, Each>
      : Partial<Each>
    : Partial<Each>
  : Partial<Each>;

type RestOf<Each extends List, Schema, V extends View, At extends AnyLocation> = Schema extends
  | { readonly additionalItems: false }
  | { readonly maxItems: Each['length'] }
  ? []
  : Schema extends { readonly additionalItems: infer Items }
    ? Infer<Items, V, At>[]
    : unknown[];

// ------------------------------------------------------------------------------------------------------------- objects

type NamedMembers = { readonly required: readonly string[] };
type ObjectKeywords = { readonly properties: unknown } | NamedMembers;
type OpenKeyword = 'additionalProperties' | 'patternProperties' | 'unevaluatedProperties';
/** Those of these keywords that say something of undeclared properties. */
type OpenIn<Schema> = (keyof Schema & ('additionalProperties' | 'patternProperties')) | UnevaluatedIn<Schema>;

/** Undeclared properties are not part of the type, because reading one is usually a mistake. */
type ObjectOf<Schema, V extends View, At extends AnyLocation> = Schema extends {
  readonly properties: unknown;
}
  ? keyof Schema & OpenKeyword extends never
    ? Members<Schema['properties'], RequiredIn<Schema>, V, At>
    : OpenObject<Members<Schema['properties'], RequiredIn<Schema>, V, At>, Undeclared<Schema, V, At>, V>
  : OpenIn<Schema> extends never
    ? Schema extends NamedMembers
      ? MembersNamed<Schema>
      : V['side'] extends 'output'
        ? { [name: string]: unknown }
        : object
    : OpenObject<MembersNamed<Schema>, Undeclared<Schema, V, At>, V>;

/** The members that are required, and that no `properties` tell more of. */
type MembersNamed<Schema> = Schema extends NamedMembers
  ? { [Name in RequiredIn<Schema> & string as string extends Name ? never : Name]: unknown }
  : unknown;

type RequiredIn<Schema> = Schema extends { readonly required: unknown } ? ItemOf<Schema['required']> : never;

/** A list that was widened to `string[]` says nothing of any one property. Whether all are listed is asked at once, not name by name. */
type Members<Properties, Required, V extends View, At extends AnyLocation> =
  | Required
  | keyof Properties extends keyof Properties
  ? KnownMembers<Properties, PresentIn<Properties, Required, V, At>, V, At>
  : string extends Required
    ? Members<Properties, never, V, At>
    : Members<Properties, Required & keyof Properties, V, At> & {
        [Name in Exclude<Required, keyof Properties> & string]: unknown;
      };

/** Names of the members that are there: Ajv fills in defaults before it looks for what is required. */
type PresentIn<Properties, Required, V extends View, At extends AnyLocation> =
  Extract<Properties[keyof Properties], { readonly default: unknown }> extends never
    ? Required
    : At['fills'] extends false
      ? Required
      : V['side'] extends 'output'
        ? Required | DefaultedIn<Properties>
        : Exclude<Required, DefaultedIn<Properties>>;

type DefaultedIn<Properties> = {
  [Name in keyof Properties]: 'default' extends keyof Properties[Name] ? Name : never;
}[keyof Properties];

/** Conditions keep the names of these types out of what editors show. */
type KnownMembers<
  Properties,
  Present,
  V extends View,
  At extends AnyLocation,
> = keyof Properties extends Present
  ? { -readonly [Name in keyof Properties]: Infer<Properties[Name], V, At> }
  : Optionality<keyof Properties, Present, V['absent']> extends infer Marks
    ? { [Name in keyof Marks]: Infer<Properties[Name & keyof Properties], V, At> | Marks[Name] }
    : never;

/** The names with their modifiers, for a mapped type to take over. */
type Optionality<Name extends PropertyKey, Present, Absent> = { [N in Name & Present]: never } & {
  [N in Exclude<Name, Present>]?: Absent;
};

/** The type of properties that are not declared; `never` where there are none. */
type Undeclared<Schema, V extends View, At extends AnyLocation> =
  | (Schema extends { readonly patternProperties: infer Patterns }
      ? OneOf<Patterns[keyof Patterns], V, At, never>
      : never)
  | (Schema extends { readonly additionalProperties: infer Rest }
      ? Infer<Rest, V, At>
      : UnevaluatedIn<Schema> extends never
        ? Schema extends { readonly '~kind': 'Record' }
          ? never
          : OpenIn<Schema> extends never
            ? never
            : unknown
        : Infer<Schema[keyof Schema & 'unevaluatedProperties'], V, At>);

/** In a value that is written down, the declared members must fit the index signature too. */
type OpenObject<Closed, Rest, V extends View> = { is: Rest } extends { is: never }
  ? unknown extends Closed
    ? { [name: string]: never }
    : Closed
  : V['side'] extends 'output'
    ? Closed & { [name: string]: Rest }
    : Closed & { [name: string]: Rest | Closed[keyof Closed] };

/** What several schemas say of an object, and what `unevaluatedProperties` says of the properties that none of them declares. */
type WithRest<Value, Rest, Schema, V extends View, All = Value> = unknown extends Value
  ? Schema extends { readonly type: 'object' }
    ? OpenObject<unknown, Rest, V>
    : Value
  : Value extends object
    ? Value extends List
      ? Value
      : OpenObject<NamedPart<Value>, RestBeside<Value, Rest, All>, V>
    : Value;
