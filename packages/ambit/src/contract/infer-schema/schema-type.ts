/**
 * The type of one schema, keyword by keyword. `V` is the view, `At` the location. `Applied` is what already applies to the same value: the
 * references that were followed, because following one of them again would be an endless circle, and the schemas around this one.
 */

import type { ArrayOf, ItemKeywords } from './array-type.ts';
import type { Scalars, View } from './input-output-views.ts';
import type { FromJson } from './jsonified.ts';
import type { ItemOf, List } from './lists.ts';
import type { ObjectKeywords, ObjectOf, WithRest } from './object-type.ts';
import type { ReferencedDocument, ReferencedSchema } from './references.ts';
import type {
  AnyLocation,
  AppliedSchema,
  InBranch,
  SchemaLocation,
  TypeOfApplied,
} from './schema-location.ts';
import type { ClosesMerged, UnevaluatedIn } from './unevaluated.ts';

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

export type InferUnion<Branch, V extends View, At extends AnyLocation, Applied> = Branch extends unknown
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
