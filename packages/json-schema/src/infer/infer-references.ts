/** Where a schema stands, and to which schema a reference leads from there. */
import type { ItemOf } from './infer-value.ts';

/** Where a schema stands: its document, and the shared schemas that are visible. */
export interface Place {
  root: unknown;
  shared: unknown;
  /** Whether Ajv fills in defaults here. It does not do so inside `anyOf`, `oneOf`, `if` and `not`. */
  fillsDefaults: boolean;
}

export interface PlaceIn<Root, Shared, FillsDefaults extends boolean = true> {
  root: Root;
  shared: Shared;
  fillsDefaults: FillsDefaults;
}

export type InBranch<At extends Place> = PlaceIn<At['root'], At['shared'], false>;

/** The document to which a reference leads: this one, one inside it, or a shared one. `unknown` if there is none, never an error. */
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

/** A schema with that `$id`, or with the `$anchor` that a fragment names. */
type Marked<Id> =
  | { readonly $id: Id }
  | (Id extends `#${infer Anchor}` ? { readonly $anchor: Anchor } : never);

/** A schema that applies to the same value. Its type is only read if it is needed. */
export interface AppliedSchema<Schema> {
  schema: Schema;
}

/** The `type` of the schemas that apply to the same value: their own, or that of a schema in their `allOf` or `$ref`. */
export type TypeOfApplied<Applied, At extends Place> =
  Applied extends AppliedSchema<infer Schema> ? TypeIn<Schema, At, never> : never;
type TypeIn<Schema, At extends Place, Followed> = Schema extends { readonly type: infer Type }
  ? Type
  :
      | (Schema extends { readonly allOf: infer Branches } ? TypeIn<ItemOf<Branches>, At, Followed> : never)
      | (Schema extends { readonly $ref: infer Ref extends string }
          ? Ref extends Followed
            ? never
            : TypeAt<ReferencedDocument<Ref, At['root'], At['shared']>, Ref, At, Followed>
          : never);
type TypeAt<Document, Ref extends string, At extends Place, Followed> = TypeIn<
  ReferencedSchema<Ref, Document>,
  PlaceIn<Document, At['shared']>,
  Followed | Ref
>;
