/**
 * The type of one schema, keyword by keyword. `V` is the view, `At` the location. `Applied` is what already applies to the same value: the
 * references that were followed, because following one of them again would be an endless circle, and the schemas around this one.
 */

import type {
  AnyLocation,
  AppliedSchema,
  FromJson,
  InBranch,
  ReferencedDocument,
  ReferencedSchema,
  Scalars,
  SchemaLocation,
  TypeOfApplied,
  View,
} from './infer-schema.ts';

export type Infer<Schema, V extends View, At extends AnyLocation, Applied = never> = keyof Schema &
  V['special'] extends never
  ? Schema extends { readonly type: keyof Scalars }
    ? V['scalars'][Schema['type']]
    : Schema extends { readonly type: unknown }
      ? OfType<Schema['type'], Schema, V, At>
      : OfNoType<Schema, V, At, Applied>
  : Composite<Schema, V, At, Applied>;

type OfType<Type, Schema, V extends View, At extends AnyLocation> = Type extends 'object'
  ? ObjectOf<Schema, V, At>
  : Type extends 'array'
    ? ArrayOf<Schema, V, At>
    : Type extends keyof Scalars
      ? V['scalars'][Type]
      : Type extends List
        ? OfType<ItemOf<Type>, Schema, V, At>
        : unknown;

/** A schema without `type`. Its `properties` apply to objects only: Ajv accepts any value of another type. */
type OfNoType<Schema, V extends View, At extends AnyLocation, Applied> = Schema extends ObjectKeywords
  ? 'object' extends V['untyped'] | TypeOfApplied<Applied, At>
    ? ObjectOf<Schema, V, At>
    : unknown
  : Schema extends ItemKeywords
    ? 'object' extends V['untyped']
      ? ArrayOf<Schema, V, At>
      : unknown
    : Schema extends false
      ? never
      : unknown;

type Composite<Schema, V extends View, At extends AnyLocation, Applied> = Schema extends {
  readonly enum: infer Values;
}
  ? ItemOf<Values>
  : Schema extends { readonly const: infer Value }
    ? Value
    : Schema extends { readonly '~unsafe': infer Type }
      ? FromJson<Type, V>
      : Schema extends { readonly nullable: true }
        ?
            | Combined<Schema, V, At, Applied | AppliedSchema<Schema>>
            | (Schema extends { readonly type: unknown } ? null : V['untypedNull'])
        : Combined<Schema, V, At, Applied | AppliedSchema<Schema>>;

/** `unevaluatedProperties` is added last, because it depends on all other keywords. */
type Combined<Schema, V extends View, At extends AnyLocation, Applied> = Schema extends {
  readonly unevaluatedProperties: infer Rest;
}
  ? ClosesMerged<Schema, At, V['untyped']> extends true
    ? WithRest<Merged<Schema, V, At, Applied>, Infer<Rest, V, At>, Schema, V>
    : Merged<Schema, V, At, Applied>
  : Merged<Schema, V, At, Applied>;

/**
 * All keywords apply at once, so this is the intersection of their types. The condition makes editors show it instead of this type's name.
 */
type Merged<Schema, V extends View, At extends AnyLocation, Applied> = Schema extends unknown
  ? BaseOf<Schema, V, At, Applied> &
      (Schema extends { readonly $ref: infer Ref extends string } ? Follow<Ref, V, At, Applied> : unknown) &
      (Schema extends { readonly anyOf: infer Branches }
        ? InferUnion<ItemOf<Branches>, V, InBranch<At>, Applied>
        : unknown) &
      (Schema extends { readonly oneOf: infer Branches }
        ? InferUnion<ItemOf<Branches>, V, InBranch<At>, Applied>
        : unknown) &
      (Schema extends { readonly allOf: infer Branches } ? AllOf<Branches, V, At, Applied> : unknown) &
      (Schema extends { readonly if: infer If } ? ThenOrElse<If, Schema, V, At, Applied> : unknown)
  : never;

/** The type from `type` and its related keywords. With only `type: 'object'`, the other keywords determine the type of the object. */
type BaseOf<Schema, V extends View, At extends AnyLocation, Applied> = Schema extends {
  readonly type: infer Type;
}
  ? Schema extends BareObject
    ? UnevaluatedIn<Schema> extends never
      ? unknown
      : ObjectOf<Schema, V, At>
    : Schema extends { readonly format: 'binary' }
      ? BinaryOf<Type, V>
      : OfType<Type, Schema, V, At> | FormattedText<Schema, V['formats']>
  : OfNoType<Schema, V, At, Applied>;

type BinaryOf<Type, V extends View> =
  | ([V['file']] extends [never] ? V['scalars']['string'] : V['file'])
  | (Type extends List ? ('null' extends ItemOf<Type> ? null : never) : never);

type BareObject = { readonly type: 'object' } & {
  readonly [K in 'properties' | 'required' | 'additionalProperties' | 'patternProperties']?: never;
};

type FormattedText<Schema, Formats> = Schema extends { readonly format: infer Format extends keyof Formats }
  ? Formats[Format]
  : never;

type InferUnion<Branch, V extends View, At extends AnyLocation, Applied> = Branch extends unknown
  ? Infer<Branch, V, At, Applied>
  : never;

type AllOf<Branches, V extends View, At extends AnyLocation, Applied> = Branches extends readonly [
  infer First,
  ...infer Rest,
]
  ? Infer<First, V, At, Applied> & AllOf<Rest, V, At, Applied>
  : unknown;

/**
 * A value matches `if` and `then`, or it matches `else`; a type cannot express that it then does not match `if`. Defaults are filled in
 * inside `then` and `else`, but not inside `if`.
 */
type ThenOrElse<If, Schema, V extends View, At extends AnyLocation, Applied> = Schema extends {
  readonly else: infer Else;
}
  ? IfThen<If, Schema, V, At, Applied> | Infer<Else, V, At, Applied>
  : unknown;

type IfThen<If, Schema, V extends View, At extends AnyLocation, Applied> = Schema extends {
  readonly then: infer Then;
}
  ? Infer<If, V, InBranch<At>, Applied> & Infer<Then, V, At, Applied>
  : Infer<If, V, InBranch<At>, Applied>;

type Follow<Ref extends string, V extends View, At extends AnyLocation, Applied> = Ref extends Applied
  ? unknown
  : FollowInto<ReferencedDocument<Ref, At['root'], At['shared']>, Ref, V, At, Applied>;

type FollowInto<Document, Ref extends string, V extends View, At extends AnyLocation, Applied> = Infer<
  ReferencedSchema<Ref, Document>,
  V,
  SchemaLocation<Document, At['shared'], At['fillsDefaults']>,
  Applied | Ref
>;

type RequiredKeyword = { readonly required: readonly string[] };
type ObjectKeywords = { readonly properties: unknown } | RequiredKeyword;
type OpenKeyword = 'additionalProperties' | 'patternProperties' | 'unevaluatedProperties';
/** The keywords in a schema that determine the type of undeclared properties. */
type OpenKeywordIn<Schema> =
  | (keyof Schema & ('additionalProperties' | 'patternProperties'))
  | UnevaluatedIn<Schema>;

/** Undeclared properties are not part of the type, because reading one is usually a mistake. */
export type ObjectOf<Schema, V extends View, At extends AnyLocation> = Schema extends {
  readonly properties: unknown;
}
  ? keyof Schema & OpenKeyword extends never
    ? Members<Schema['properties'], RequiredIn<Schema>, V, At>
    : OpenObject<Members<Schema['properties'], RequiredIn<Schema>, V, At>, Undeclared<Schema, V, At>, V>
  : OpenKeywordIn<Schema> extends never
    ? Schema extends RequiredKeyword
      ? RequiredMembers<Schema>
      : V['side'] extends 'output'
        ? { [name: string]: unknown }
        : object
    : OpenObject<RequiredMembers<Schema>, Undeclared<Schema, V, At>, V>;

/** The required members of a schema without `properties`. */
type RequiredMembers<Schema> = Schema extends RequiredKeyword
  ? { [Name in RequiredIn<Schema> & string as string extends Name ? never : Name]: unknown }
  : unknown;

type RequiredIn<Schema> = Schema extends { readonly required: unknown } ? ItemOf<Schema['required']> : never;

/** A list that was widened to `string[]` requires no property. The first condition covers all names at once, and not one by one. */
type Members<Properties, Required, V extends View, At extends AnyLocation> =
  | Required
  | keyof Properties extends keyof Properties
  ? KnownMembers<Properties, PresentIn<Properties, Required, V, At>, V, At>
  : string extends Required
    ? Members<Properties, never, V, At>
    : Members<Properties, Required & keyof Properties, V, At> & {
        [Name in Exclude<Required, keyof Properties> & string]: unknown;
      };

/** The names of the members that are always present: Ajv fills in defaults before it checks `required`. */
type PresentIn<Properties, Required, V extends View, At extends AnyLocation> =
  Extract<Properties[keyof Properties], { readonly default: unknown }> extends never
    ? Required
    : At['fillsDefaults'] extends false
      ? Required
      : V['side'] extends 'output'
        ? Required | DefaultedIn<Properties>
        : Exclude<Required, DefaultedIn<Properties>>;

type DefaultedIn<Properties> = {
  [Name in keyof Properties]: 'default' extends keyof Properties[Name] ? Name : never;
}[keyof Properties];

/** The members of `properties`. The conditions make editors show them instead of this type's name. */
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

/** The names, required or optional, so that a mapped type copies these modifiers. */
type Optionality<Name extends PropertyKey, Present, Absent> = { [N in Name & Present]: never } & {
  [N in Exclude<Name, Present>]?: Absent;
};

/** The type of undeclared properties; `never` if the type has none. */
type Undeclared<Schema, V extends View, At extends AnyLocation> =
  | (Schema extends { readonly patternProperties: infer Patterns }
      ? InferUnion<Patterns[keyof Patterns], V, At, never>
      : never)
  | (Schema extends { readonly additionalProperties: infer Rest }
      ? Infer<Rest, V, At>
      : UnevaluatedIn<Schema> extends never
        ? Schema extends { readonly '~kind': 'Record' }
          ? never
          : OpenKeywordIn<Schema> extends never
            ? never
            : unknown
        : Infer<Schema[keyof Schema & 'unevaluatedProperties'], V, At>);

/** Adds an index signature for the undeclared properties. In an input type, it must include the types of the declared members, too. */
type OpenObject<Closed, Rest, V extends View> = { is: Rest } extends { is: never }
  ? unknown extends Closed
    ? { [name: string]: never }
    : Closed
  : V['side'] extends 'output'
    ? Closed & { [name: string]: Rest }
    : Closed & { [name: string]: Rest | Closed[keyof Closed] };

/** Adds the type of `unevaluatedProperties` to an object type that several schemas declare together. */
type WithRest<Value, Rest, Schema, V extends View, All = Value> = unknown extends Value
  ? Schema extends { readonly type: 'object' }
    ? OpenObject<unknown, Rest, V>
    : Value
  : Value extends object
    ? Value extends List
      ? Value
      : OpenObject<NamedPart<Value>, RestBeside<Value, Rest, All>, V>
    : Value;

type ItemKeywords = { readonly items: unknown } | { readonly prefixItems: unknown };

type ArrayOf<Schema, V extends View, At extends AnyLocation> = Schema extends {
  readonly prefixItems: infer Items extends List;
}
  ? TupleOf<ItemTypesOf<Items, V, At>, OlderTuple<Schema, Items>, V, At>
  : Schema extends { readonly items: infer Items }
    ? Items extends List
      ? TupleOf<ItemTypesOf<Items, V, At>, Schema, V, At>
      : V['side'] extends 'output'
        ? Infer<Items, V, At>[]
        : readonly Infer<Items, V, At>[]
    : 'unevaluatedItems' extends keyof Schema
      ? V['side'] extends 'output'
        ? Infer<UnevaluatedItems<Schema>, V, At>[]
        : readonly Infer<UnevaluatedItems<Schema>, V, At>[]
      : unknown[];

/** Converts a tuple of draft 2020-12 to the keywords of draft 7. */
type OlderTuple<Schema, Items> = Pick<Schema, keyof Schema & ('minItems' | 'maxItems')> & {
  readonly items: Items;
} & (Schema extends { readonly items: infer Rest }
    ? { readonly additionalItems: Rest }
    : { readonly additionalItems: UnevaluatedItems<Schema> });

type ItemTypesOf<Items extends List, V extends View, At extends AnyLocation> = {
  -readonly [Index in keyof Items]: Infer<Items[Index], V, At>;
};

/** Items that `minItems` does not require are optional. It only counts if it requires all items. */
type TupleOf<ItemTypes extends List, Schema, V extends View, At extends AnyLocation> = Schema extends {
  readonly minItems: ItemTypes['length'];
}
  ? [...ItemTypes, ...RestOf<ItemTypes, Schema, V, At>]
  : [...PartlyFilled<ItemTypes, Schema, V, At>, ...RestOf<ItemTypes, Schema, V, At>];

/** Ajv fills in the defaults of items. The items before such an item are then present, too, because Ajv validates them. */
type PartlyFilled<
  ItemTypes extends List,
  Schema,
  V extends View,
  At extends AnyLocation,
> = V['side'] extends 'output'
  ? At['fillsDefaults'] extends true
    ? Schema extends { readonly items: infer Items extends List }
      ? Extract<Items[number], { readonly default: unknown }> extends never
        ? Partial<ItemTypes>
        : ToLastDefault<Items, ItemTypes>
      : Partial<ItemTypes>
    : Partial<ItemTypes>
  : Partial<ItemTypes>;

type RestOf<ItemTypes extends List, Schema, V extends View, At extends AnyLocation> = Schema extends
  | { readonly additionalItems: false }
  | { readonly maxItems: ItemTypes['length'] }
  ? []
  : Schema extends { readonly additionalItems: infer Items }
    ? Infer<Items, V, At>[]
    : unknown[];

export type List = readonly unknown[];

/**
 * The union of a list's items. `Items[number]` is the same union, but makes the compiler create all members of an array type for each list.
 * Matching short lists by their length avoids that, and saves a seventh of the check time of a route.
 */
export type ItemOf<Items> = Items extends readonly [infer A]
  ? A
  : Items extends readonly [infer A, infer B]
    ? A | B
    : Items extends readonly [infer A, infer B, infer C]
      ? A | B | C
      : Items extends readonly [infer A, infer B, infer C, infer D]
        ? A | B | C | D
        : Items extends List
          ? Items[number]
          : unknown;

/** The types of a list's items, in which the items after the last one with a default are optional. */
type ToLastDefault<
  Items extends List,
  ItemTypes extends List,
  Absent extends List = [],
> = Items extends readonly [...infer Before, infer Last]
  ? ItemTypes extends [...infer Types, infer Type]
    ? 'default' extends keyof Last
      ? [...ItemTypes, ...Partial<Absent>]
      : ToLastDefault<Before, Types, [Type, ...Absent]>
    : never
  : Partial<Absent>;

/** In-place applicators: keywords whose schemas apply to the same value, and may declare some of its properties and items. */
type InPlaceKeyword = '$ref' | 'allOf' | 'anyOf' | 'oneOf' | 'if' | UnreadKeyword;

/** Keywords that may declare properties and items of the same value, but are not supported by the types. */
type UnreadKeyword =
  | '$dynamicRef'
  | '$recursiveRef'
  | 'dependentSchemas'
  | 'dependencies'
  | '$merge'
  | '$patch';

/** `'unevaluatedProperties'` if it applies to everything that `properties` and `patternProperties` of the same schema do not declare. */
type UnevaluatedIn<Schema> = Schema extends { readonly unevaluatedProperties: infer Rest }
  ? keyof Schema & (InPlaceKeyword | 'additionalProperties') extends never
    ? { is: Rest } extends { is: true }
      ? never
      : 'unevaluatedProperties'
    : never
  : never;

/** The schema of the items that no other keyword declares; `true` if the types cannot determine it. */
type UnevaluatedItems<Schema> = Schema extends { readonly unevaluatedItems: infer Rest }
  ? keyof Schema & InPlaceKeyword extends never
    ? Rest
    : true
  : true;

/** Whether `unevaluatedProperties` applies to an object whose type shows everything that its in-place applicators declare. */
type ClosesMerged<Schema, At extends AnyLocation, Untyped> = 'object' extends
  | Untyped
  | Schema[keyof Schema & 'type']
  ? keyof Schema & InPlaceKeyword extends never
    ? false
    : { is: Schema[keyof Schema & 'unevaluatedProperties'] } extends { is: true }
      ? false
      : HiddenIn<Omit<Schema, 'unevaluatedProperties'>, At, never> extends never
        ? true
        : false
  : false;

/** `true` if a schema or one of its in-place applicators may declare properties that its type does not show; otherwise `never`. */
type HiddenIn<Schema, At extends AnyLocation, Followed> = object extends Schema
  ? true
  : Schema extends boolean
    ? never
    : keyof Schema & (OpenKeyword | UnreadKeyword | '~unsafe') extends never
      ?
          | HiddenNames<Schema>
          | HiddenInLists<Schema, At, Followed>
          | HiddenInCondition<Schema, At, Followed>
          | HiddenInTarget<Schema, At, Followed>
      : true;

/** A schema with one of these keywords declares all properties, or those that match a pattern. */

/** A type or names that were widened to `string`. */
type HiddenNames<Schema> =
  | (string extends keyof Schema ? true : never)
  | (Schema extends { readonly type: infer Type }
      ? string extends (Type extends List ? ItemOf<Type> : Type)
        ? true
        : never
      : never)
  | (Schema extends { readonly properties: infer Properties }
      ? string extends keyof Properties
        ? true
        : never
      : never);

type HiddenInLists<Schema, At extends AnyLocation, Followed> = {
  [Name in keyof Schema & ('allOf' | 'anyOf' | 'oneOf')]: Schema[Name] extends infer Branches extends List
    ? number extends Branches['length']
      ? true
      : HiddenInEach<ItemOf<Branches>, At, Followed>
    : true;
}[keyof Schema & ('allOf' | 'anyOf' | 'oneOf')];

type HiddenInEach<Branch, At extends AnyLocation, Followed> = Branch extends unknown
  ? HiddenIn<Branch, At, Followed>
  : never;

/** The types only support conditions that have `else`. */
type HiddenInCondition<Schema, At extends AnyLocation, Followed> = 'if' extends keyof Schema
  ? Schema extends { readonly if: infer If; readonly else: infer Else }
    ? HiddenIn<If, At, Followed> | HiddenIn<Else, At, Followed> | HiddenInThen<Schema, At, Followed>
    : true
  : never;

type HiddenInThen<Schema, At extends AnyLocation, Followed> = 'then' extends keyof Schema
  ? HiddenIn<Schema['then'], At, Followed>
  : never;

type HiddenInTarget<Schema, At extends AnyLocation, Followed> = '$ref' extends keyof Schema
  ? Schema['$ref'] extends infer Ref extends string
    ? Ref extends Followed
      ? never
      : HiddenAt<ReferencedDocument<Ref, At['root'], At['shared']>, Ref, At, Followed>
    : true
  : never;

type HiddenAt<Document, Ref extends string, At extends AnyLocation, Followed> = HiddenIn<
  ReferencedSchema<Ref, Document>,
  SchemaLocation<Document, At['shared']>,
  Followed | Ref
>;

/** The names of an object's members, without its index signature: the type of `type: 'object'` alone has one, but declares nothing. */
type NamesIn<Value> = keyof {
  [Name in keyof Value as string extends Name ? never : number extends Name ? never : Name]: Value[Name];
};

/** The declared members of an object; `unknown` if there are none. */
type NamedPart<Value> =
  NamesIn<Value> extends never
    ? unknown
    : string extends keyof Value
      ? {
          [Name in keyof Value as string extends Name
            ? never
            : number extends Name
              ? never
              : Name]: Value[Name];
        }
      : Value;

/**
 * The type of the undeclared properties of one object type in a union. A value may match several branches of an `anyOf`: then the
 * properties of all of them are declared.
 */
type RestBeside<Value, Rest, All> = { is: Rest } extends { is: never }
  ? never
  : Rest | MembersBeside<Value, All>;

type MembersBeside<Value, All> = All extends object
  ? All extends List
    ? never
    : All[Exclude<NamesIn<All>, NamesIn<Value>> & keyof All]
  : never;
