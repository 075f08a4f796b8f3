/** The type of an object: its properties, which of them are present, and what undeclared ones can be. */

import type { View } from './input-output-views.ts';
import type { ItemOf, List } from './lists.ts';
import type { AnyLocation } from './schema-location.ts';
import type { Infer, InferUnion } from './schema-type.ts';
import type { NamedPart, RestBeside, UnevaluatedIn } from './unevaluated.ts';

type NamedMembers = { readonly required: readonly string[] };
export type ObjectKeywords = { readonly properties: unknown } | NamedMembers;
type OpenKeyword = 'additionalProperties' | 'patternProperties' | 'unevaluatedProperties';
/** Those of these keywords that say something of undeclared properties. */
type OpenIn<Schema> = (keyof Schema & ('additionalProperties' | 'patternProperties')) | UnevaluatedIn<Schema>;

/** Undeclared properties are not part of the type, because reading one is usually a mistake. */
export type ObjectOf<Schema, V extends View, At extends AnyLocation> = Schema extends {
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
      ? InferUnion<Patterns[keyof Patterns], V, At, never>
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
export type WithRest<Value, Rest, Schema, V extends View, All = Value> = unknown extends Value
  ? Schema extends { readonly type: 'object' }
    ? OpenObject<unknown, Rest, V>
    : Value
  : Value extends object
    ? Value extends List
      ? Value
      : OpenObject<NamedPart<Value>, RestBeside<Value, Rest, All>, V>
    : Value;
