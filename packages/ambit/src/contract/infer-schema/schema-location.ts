/** Where a schema stands, and what is known of its value there: types only. */
import type { ItemOf } from './lists.ts';
import type { ReferencedDocument, ReferencedSchema } from './references.ts';

/** Where a schema stands: in which document, and among which shared schemas. */
export interface SchemaLocation<Root, Shared, Fills extends boolean = true> {
  root: Root;
  shared: Shared;
  /** Whether Ajv fills in defaults here: it does not below `anyOf`, `oneOf`, `if` and `not`. */
  fills: Fills;
}

export interface AnyLocation {
  root: unknown;
  shared: unknown;
  fills: boolean;
}

export type InBranch<At extends AnyLocation> = SchemaLocation<At['root'], At['shared'], false>;

/** A schema that holds for the same value. What it says is asked only where it counts. */
export interface Within<Schema> {
  within: Schema;
}

/** `'object'` where one of the schemas around says that it is about objects: itself, or by one of those that hold besides. */
export type TypeAround<Around, At extends AnyLocation> =
  Around extends Within<infer Schema> ? TypeIn<Schema, At, never> : never;

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
