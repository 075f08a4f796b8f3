/** The type of an object: its properties, which of them are required, and the type of undeclared properties. */

import type { View } from './input-output-views.ts';
import type { ItemOf, List } from './lists.ts';
import type { AnyLocation } from './schema-location.ts';
import type { Infer, InferUnion } from './schema-type.ts';
import type { NamedPart, RestBeside, UnevaluatedIn } from './unevaluated.ts';

type RequiredKeyword = { readonly required: readonly string[] };
export type ObjectKeywords = { readonly properties: unknown } | RequiredKeyword;
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
export type WithRest<Value, Rest, Schema, V extends View, All = Value> = unknown extends Value
  ? Schema extends { readonly type: 'object' }
    ? OpenObject<unknown, Rest, V>
    : Value
  : Value extends object
    ? Value extends List
      ? Value
      : OpenObject<NamedPart<Value>, RestBeside<Value, Rest, All>, V>
    : Value;
