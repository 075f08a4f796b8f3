/** The location of a schema, and the schemas that apply to the same value. Types only. */
import type { ItemOf } from './lists.ts';
import type { ReferencedDocument, ReferencedSchema } from './references.ts';

/** The location of a schema: its document, and the shared schemas that are visible. */
export interface SchemaLocation<Root, Shared, FillsDefaults extends boolean = true> {
  root: Root;
  shared: Shared;
  /** Whether Ajv fills in defaults here. It does not do so inside `anyOf`, `oneOf`, `if` and `not`. */
  fillsDefaults: FillsDefaults;
}

export interface AnyLocation {
  root: unknown;
  shared: unknown;
  fillsDefaults: boolean;
}

export type InBranch<At extends AnyLocation> = SchemaLocation<At['root'], At['shared'], false>;

/** A schema that applies to the same value. Its type is only read if it is needed. */
export interface AppliedSchema<Schema> {
  schema: Schema;
}

/** The `type` of the schemas that apply to the same value: their own, or that of a schema in their `allOf` or `$ref`. */
export type TypeOfApplied<Applied, At extends AnyLocation> =
  Applied extends AppliedSchema<infer Schema> ? TypeIn<Schema, At, never> : never;

type TypeIn<Schema, At extends AnyLocation, Followed> = Schema extends { readonly type: infer Type }
  ? Type
  :
      | (Schema extends { readonly allOf: infer Branches } ? TypeIn<ItemOf<Branches>, At, Followed> : never)
      | (Schema extends { readonly $ref: infer Ref extends string }
          ? Ref extends Followed
            ? never
            : TypeAt<ReferencedDocument<Ref, At['root'], At['shared']>, Ref, At, Followed>
          : never);

type TypeAt<Document, Ref extends string, At extends AnyLocation, Followed> = TypeIn<
  ReferencedSchema<Ref, Document>,
  SchemaLocation<Document, At['shared']>,
  Followed | Ref
>;
