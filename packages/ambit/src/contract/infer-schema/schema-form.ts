/** Determines at the type level the form of a schema: JSON Schema, the short form, or another library's object. */

/** JSON Schema with `type`: the most common case, which one condition recognizes. */
export type TypedSchema = {
  readonly type: string | readonly string[];
  readonly '~standard'?: never;
  readonly static?: never;
};

/** Any Standard Schema object (https://standardschema.dev). Only its types are used here. */
export type StandardSchema = { readonly '~standard': unknown };

/** The input and output types of a Standard Schema object; `unknown` if it has no types. */
export type StandardTypes<Schema extends StandardSchema> = Schema['~standard'] extends {
  readonly types?: infer Types | undefined;
}
  ? Types extends { readonly input: unknown; readonly output: unknown }
    ? Types
    : UnknownTypes
  : UnknownTypes;

interface UnknownTypes {
  readonly input: unknown;
  readonly output: unknown;
}

/** A schema of TypeBox up to 0.34, which has its type in a member. Schemas of later versions are read as JSON Schema. */
export type TypeBoxSchema = { readonly static: unknown; readonly params: readonly unknown[] };

/** The type of a TypeBox schema, as `Static` of that library has it. */
export type TypeBoxType<Schema extends TypeBoxSchema> = (Schema & { readonly params: [] })['static'];

/** `{ content: { [media type]: { schema } } }`: one schema for each media type; for a stream, `itemSchema`. */
export type ContentSchemas<Schema> = {
  readonly content: {
    readonly [mediaType: string]: { readonly schema?: Schema; readonly itemSchema?: unknown };
  };
};

/**
 * Keywords that make an object JSON Schema. The list for run time is in `schemas/json-schema.ts`. `~unsafe` is internal, for types only.
 */
type FormKeyword =
  | ('$id' | '$schema' | '$ref' | '$async' | '$comment' | '$defs' | 'definitions' | '~unsafe')
  | ('type' | 'enum' | 'const' | 'default' | 'allOf' | 'anyOf' | 'oneOf' | 'not' | 'if' | 'then' | 'else')
  | ('properties' | 'patternProperties' | 'additionalProperties' | 'propertyNames' | 'dependencies')
  | ('items' | 'additionalItems' | 'contains' | '$merge' | '$patch' | 'errorMessage')
  | ('$anchor' | '$dynamicAnchor' | '$dynamicRef' | '$vocabulary' | 'prefixItems')
  | ('dependentSchemas' | 'dependentRequired' | 'unevaluatedItems' | 'unevaluatedProperties');

/** Keywords whose value is never an object. If it is one, the name is a property of the short form. */
type PlainKeyword =
  | ('title' | 'description' | 'examples' | 'readOnly' | 'writeOnly' | 'nullable' | 'format' | 'pattern')
  | (
      | 'minimum'
      | 'maximum'
      | 'exclusiveMinimum'
      | 'exclusiveMaximum'
      | 'multipleOf'
      | 'minLength'
      | 'maxLength'
    )
  | ('minItems' | 'maxItems' | 'uniqueItems' | 'minProperties' | 'maxProperties' | 'required')
  | ('contentMediaType' | 'contentEncoding' | 'minContains' | 'maxContains');

/** The names in an object that are keywords. */
type KeywordsIn<Schema> =
  | (keyof Schema & FormKeyword)
  | {
      [Name in keyof Schema & PlainKeyword]: Schema[Name] extends boolean ? Name : never;
    }[keyof Schema & PlainKeyword];

/**
 * The properties in a short form, which lists them at the top level, without any keyword (specification 3.3); `never` for any other form.
 * The empty object is not a short form: it is the schema that accepts every value.
 */
export type ShortFormOf<Schema> = { is: Schema; value: Schema[keyof Schema] } extends {
  is: object;
  value: object | boolean;
}
  ? keyof Schema & PropertyKey extends never
    ? never
    : string extends keyof Schema
      ? never
      : KeywordsIn<Schema> & PropertyKey extends never
        ? Schema
        : never
  : never;
