/**
 * The types of `unevaluatedProperties` and `unevaluatedItems` (draft 2020-12), which apply to what no other schema of the value declares.
 */
import type { ItemOf, List } from './lists.ts';
import type { ReferencedDocument, ReferencedSchema } from './references.ts';
import type { AnyLocation, SchemaLocation } from './schema-location.ts';

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
export type UnevaluatedIn<Schema> = Schema extends { readonly unevaluatedProperties: infer Rest }
  ? keyof Schema & (InPlaceKeyword | 'additionalProperties') extends never
    ? { is: Rest } extends { is: true }
      ? never
      : 'unevaluatedProperties'
    : never
  : never;

/** The schema of the items that no other keyword declares; `true` if the types cannot determine it. */
export type UnevaluatedItems<Schema> = Schema extends { readonly unevaluatedItems: infer Rest }
  ? keyof Schema & InPlaceKeyword extends never
    ? Rest
    : true
  : true;

/** Whether `unevaluatedProperties` applies to an object whose type shows everything that its in-place applicators declare. */
export type ClosesMerged<Schema, At extends AnyLocation, Untyped> = 'object' extends
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
type OpenKeyword = 'additionalProperties' | 'patternProperties' | 'unevaluatedProperties';

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
export type NamedPart<Value> =
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
export type RestBeside<Value, Rest, All> = { is: Rest } extends { is: never }
  ? never
  : Rest | MembersBeside<Value, All>;

type MembersBeside<Value, All> = All extends object
  ? All extends List
    ? never
    : All[Exclude<NamesIn<All>, NamesIn<Value>> & keyof All]
  : never;
