/**
 * The type of one schema, keyword by keyword. `V` is the view, `At` the place of the schema. `Applied` is what already applies to the same
 * value: the references that were followed, so that a circle ends, and the schemas around this one.
 */
import type {
  AppliedSchema,
  InBranch,
  Place,
  PlaceIn,
  ReferencedDocument,
  ReferencedSchema,
  TypeOfApplied,
} from './infer-references.ts';
import type { FromJson } from './infer-schema.ts';

/** How one side sees values. */
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
  /** The view of the fields of a form, in which strings of the format `binary` are files. */
  form: View;
}

export interface Scalars<Integer = number | bigint> {
  string: string;
  number: number;
  integer: Integer;
  boolean: boolean;
  null: null;
}

export type Infer<Schema, V extends View, At extends Place, Applied = never> = keyof Schema &
  V['special'] extends never
  ? Schema extends { readonly type: keyof Scalars }
    ? V['scalars'][Schema['type']]
    : Schema extends { readonly type: unknown }
      ? OfType<Schema['type'], Schema, V, At>
      : OfNoType<Schema, V, At, Applied>
  : Composite<Schema, V, At, Applied>;
type OfType<Type, Schema, V extends View, At extends Place> = Type extends 'object'
  ? ObjectOf<Schema, V, At>
  : Type extends 'array'
    ? ArrayOf<Schema, V, At>
    : Type extends keyof Scalars
      ? V['scalars'][Type]
      : Type extends List
        ? OfType<ItemOf<Type>, Schema, V, At>
        : unknown;

/** A schema without `type`. Its `properties` apply to objects only: Ajv accepts any value of another type. */
type OfNoType<Schema, V extends View, At extends Place, Applied> = Schema extends ObjectKeywords
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
type Composite<Schema, V extends View, At extends Place, Applied> = Schema extends {
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
type Combined<Schema, V extends View, At extends Place, Applied> = Schema extends {
  readonly unevaluatedProperties: infer Rest;
}
  ? ClosesMerged<Schema, At, V['untyped']> extends true
    ? WithRest<Merged<Schema, V, At, Applied>, Infer<Rest, V, At>, Schema, V>
    : Merged<Schema, V, At, Applied>
  : Merged<Schema, V, At, Applied>;

/** The intersection of the types of all keywords. The condition makes editors show it instead of this type's name. */
type Merged<Schema, V extends View, At extends Place, Applied> = Schema extends unknown
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
type BaseOf<Schema, V extends View, At extends Place, Applied> = Schema extends {
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
type InferUnion<Branch, V extends View, At extends Place, Applied> = Branch extends unknown
  ? Infer<Branch, V, At, Applied>
  : never;
type AllOf<Branches, V extends View, At extends Place, Applied> = Branches extends readonly [
  infer First,
  ...infer Rest,
]
  ? Infer<First, V, At, Applied> & AllOf<Rest, V, At, Applied>
  : unknown;

/** A value matches `if` and `then`, or it matches `else`; a type cannot express that it then does not match `if`. */
type ThenOrElse<If, Schema, V extends View, At extends Place, Applied> = Schema extends {
  readonly else: infer Else;
}
  ?
      | (Infer<If, V, InBranch<At>, Applied> &
          (Schema extends { readonly then: infer Then } ? Infer<Then, V, At, Applied> : unknown))
      | Infer<Else, V, At, Applied>
  : unknown;

type Follow<Ref extends string, V extends View, At extends Place, Applied> = Ref extends Applied
  ? unknown
  : FollowInto<ReferencedDocument<Ref, At['root'], At['shared']>, Ref, V, At, Applied>;
type FollowInto<Document, Ref extends string, V extends View, At extends Place, Applied> = Infer<
  ReferencedSchema<Ref, Document>,
  V,
  PlaceIn<Document, At['shared'], At['fillsDefaults']>,
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
export type ObjectOf<Schema, V extends View, At extends Place> = Schema extends {
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
type Members<Properties, Required, V extends View, At extends Place> =
  | Required
  | keyof Properties extends keyof Properties
  ? KnownMembers<Properties, PresentIn<Properties, Required, V, At>, V, At>
  : string extends Required
    ? Members<Properties, never, V, At>
    : Members<Properties, Required & keyof Properties, V, At> & {
        [Name in Exclude<Required, keyof Properties> & string]: unknown;
      };

/** The names of the members that are always present: Ajv fills in defaults before it checks `required`. */
type PresentIn<Properties, Required, V extends View, At extends Place> =
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
type KnownMembers<Properties, Present, V extends View, At extends Place> = keyof Properties extends Present
  ? { -readonly [Name in keyof Properties]: Infer<Properties[Name], V, At> }
  : Optionality<keyof Properties, Present, V['absent']> extends infer Marks
    ? { [Name in keyof Marks]: Infer<Properties[Name & keyof Properties], V, At> | Marks[Name] }
    : never;

/** The names, required or optional, so that a mapped type copies these modifiers. */
type Optionality<Name extends PropertyKey, Present, Absent> = { [N in Name & Present]: never } & {
  [N in Exclude<Name, Present>]?: Absent;
};

/** The type of undeclared properties; `never` if the type has none. */
type Undeclared<Schema, V extends View, At extends Place> =
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
type ArrayOf<Schema, V extends View, At extends Place> = Schema extends {
  readonly prefixItems: infer Items extends List;
}
  ? TupleOf<ItemTypesOf<Items, V, At>, OlderTuple<Schema, Items>, V, At>
  : Schema extends { readonly items: infer Items }
    ? Items extends List
      ? TupleOf<ItemTypesOf<Items, V, At>, Schema, V, At>
      : ListOf<Infer<Items, V, At>, V>
    : 'unevaluatedItems' extends keyof Schema
      ? ListOf<Infer<UnevaluatedItems<Schema>, V, At>, V>
      : unknown[];
type ListOf<Item, V extends View> = V['side'] extends 'output' ? Item[] : readonly Item[];

/** Converts a tuple of draft 2020-12 to the keywords of draft 7. */
type OlderTuple<Schema, Items> = Pick<Schema, keyof Schema & ('minItems' | 'maxItems')> & {
  readonly items: Items;
  readonly additionalItems: Schema extends { readonly items: infer Rest } ? Rest : UnevaluatedItems<Schema>;
};
type ItemTypesOf<Items extends List, V extends View, At extends Place> = {
  -readonly [Index in keyof Items]: Infer<Items[Index], V, At>;
};

/** Items that `minItems` does not require are optional. It only counts if it requires all items. */
type TupleOf<ItemTypes extends List, Schema, V extends View, At extends Place> = Schema extends {
  readonly minItems: ItemTypes['length'];
}
  ? [...ItemTypes, ...RestOf<ItemTypes, Schema, V, At>]
  : [...PartlyFilled<ItemTypes, Schema, V, At>, ...RestOf<ItemTypes, Schema, V, At>];

/** Ajv fills in the defaults of items. The items before such an item are then present, too, because Ajv validates them. */
type PartlyFilled<ItemTypes extends List, Schema, V extends View, At extends Place> = [
  V['side'],
  At['fillsDefaults'],
  Schema,
] extends ['output', true, { readonly items: infer Items extends List }]
  ? Extract<Items[number], { readonly default: unknown }> extends never
    ? Partial<ItemTypes>
    : ToLastDefault<Items, ItemTypes>
  : Partial<ItemTypes>;
type RestOf<ItemTypes extends List, Schema, V extends View, At extends Place> = Schema extends
  | { readonly additionalItems: false }
  | { readonly maxItems: ItemTypes['length'] }
  ? []
  : Schema extends { readonly additionalItems: infer Items }
    ? Infer<Items, V, At>[]
    : unknown[];

export type List = readonly unknown[];

/** The union of a list's items. `Items[number]` alone makes the compiler create all members of an array type for each list. */
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

/** Keywords whose schemas apply to the same value, and may declare some of its properties and items. */
type InPlaceKeyword = '$ref' | 'allOf' | 'anyOf' | 'oneOf' | 'if' | UnreadKeyword;

/** Such keywords that the types do not support. */
type UnreadKeyword =
  | ('$dynamicRef' | '$recursiveRef')
  | ('dependentSchemas' | 'dependencies' | '$merge' | '$patch');

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
type ClosesMerged<Schema, At extends Place, Untyped> = 'object' extends
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
type HiddenIn<Schema, At extends Place, Followed> = Schema extends boolean
  ? never
  : object extends Schema
    ? true
    : keyof Schema & (OpenKeyword | UnreadKeyword | '~unsafe') extends never
      ?
          | WidenedIn<Schema>
          | HiddenInLists<Schema, At, Followed>
          | HiddenInCondition<Schema, At, Followed>
          | HiddenInTarget<Schema, At, Followed>
      : true;

/** `true` for a type or names that were widened to `string`. */
type WidenedIn<Schema> = string extends
  | keyof Schema
  | (Schema extends { readonly type: infer Type } ? (Type extends List ? ItemOf<Type> : Type) : never)
  | (Schema extends { readonly properties: infer Properties } ? keyof Properties : never)
  ? true
  : never;

type HiddenInLists<Schema, At extends Place, Followed> = {
  [Name in keyof Schema & ('allOf' | 'anyOf' | 'oneOf')]: Schema[Name] extends infer Branches extends List
    ? number extends Branches['length']
      ? true
      : HiddenIn<ItemOf<Branches>, At, Followed>
    : true;
}[keyof Schema & ('allOf' | 'anyOf' | 'oneOf')];

/** The types only support conditions that have `else`. */
type HiddenInCondition<Schema, At extends Place, Followed> = 'if' extends keyof Schema
  ? Schema extends { readonly if: infer If; readonly else: infer Else }
    ? HiddenIn<If | Else | (Schema extends { readonly then: infer Then } ? Then : never), At, Followed>
    : true
  : never;
type HiddenInTarget<Schema, At extends Place, Followed> = '$ref' extends keyof Schema
  ? Schema['$ref'] extends infer Ref extends string
    ? Ref extends Followed
      ? never
      : HiddenAt<ReferencedDocument<Ref, At['root'], At['shared']>, Ref, At, Followed>
    : true
  : never;
type HiddenAt<Document, Ref extends string, At extends Place, Followed> = HiddenIn<
  ReferencedSchema<Ref, Document>,
  PlaceIn<Document, At['shared']>,
  Followed | Ref
>;

/** The declared members of an object, without its index signature; `unknown` if there are none. */
type NamedPart<Value> = keyof Named<Value> extends never ? unknown : Named<Value>;
type Named<Value> = {
  [Name in keyof Value as string extends Name ? never : number extends Name ? never : Name]: Value[Name];
};

/** The type of undeclared properties beside one object type of a union. A value that matches several branches has the properties of all. */
type RestBeside<Value, Rest, All> = { is: Rest } extends { is: never }
  ? never
  : Rest | MembersBeside<Value, All>;
type MembersBeside<Value, All> = All extends object
  ? All extends List
    ? never
    : All[Exclude<keyof Named<All>, keyof Named<Value>> & keyof All]
  : never;
