/** Resolves a `$ref` at the type level (specification 4.5). A reference that cannot be resolved is `unknown`, never an error. */

/** The document to which a reference leads: this one, one inside it, or a shared one. */
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
