/**
 * The type of one schema, keyword by keyword. `V` is the view, `At` the place. `Around` is what is known of the value since the last
 * property or item: the references that were followed, since one of them again is a circle without a value in it, and the schemas that
 * hold besides.
 */

import type { ArrayOf, ItemKeywords } from './array-type.ts';
import type { Scalars, View } from './input-output-views.ts';
import type { ItemOf, List } from './lists.ts';
import type { ObjectKeywords, ObjectOf, WithRest } from './object-type.ts';
import type { ReferencedDocument, ReferencedSchema } from './references.ts';
import type { AnyLocation, InBranch, SchemaLocation, TypeAround, Within } from './schema-location.ts';
import type { ClosesMerged, UnevaluatedIn } from './unevaluated.ts';

export type Infer<Schema, V extends View, At extends AnyLocation, Around = never> = keyof Schema &
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
        ? InferUnion<ItemOf<Branches>, V, InBranch<At>, Around>
        : unknown) &
      (Schema extends { readonly oneOf: infer Branches }
        ? InferUnion<ItemOf<Branches>, V, InBranch<At>, Around>
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

export type InferUnion<Branch, V extends View, At extends AnyLocation, Around> = Branch extends unknown
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
