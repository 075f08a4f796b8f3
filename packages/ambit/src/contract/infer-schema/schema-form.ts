/** Tells at the type level in which form a route gives a schema: JSON Schema, the short form, or another library's object. */

/** JSON Schema that says its type: the common case, told apart by one look. */
export type TypedSchema = {
  readonly type: string | readonly string[];
  readonly '~standard'?: never;
  readonly static?: never;
};

/** Any Standard Schema object (https://standardschema.dev), of which only the types count here. */
export type StandardSchema = { readonly '~standard': unknown };

/** What a Standard Schema object takes and makes; `unknown` when it carries no types. */
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

/** TypeBox up to 0.34 computes the type in a member. Later versions are read as the JSON Schema that they are. */
export type TypeBoxSchema = { readonly static: unknown; readonly params: readonly unknown[] };

/** The type of a TypeBox schema, as `Static` of that library has it. */
export type TypeBoxType<Schema extends TypeBoxSchema> = (Schema & { readonly params: [] })['static'];

/** `{ content: { [media type]: { schema } } }`: one schema a media type; of a stream, `itemSchema`. */
export type ContentSchemas<Schema> = {
  readonly content: {
    readonly [mediaType: string]: { readonly schema?: Schema; readonly itemSchema?: unknown };
  };
};

/** Keywords that say what form a schema has. The list for run time is in `schemas/json-schema.ts`; `~unsafe` is ours, for types only. */
type FormKeyword =
  | ('$id' | '$schema' | '$ref' | '$async' | '$comment' | '$defs' | 'definitions' | '~unsafe')
  | ('type' | 'enum' | 'const' | 'default' | 'allOf' | 'anyOf' | 'oneOf' | 'not' | 'if' | 'then' | 'else')
  | ('properties' | 'patternProperties' | 'additionalProperties' | 'propertyNames' | 'dependencies')
  | ('items' | 'additionalItems' | 'contains' | '$merge' | '$patch' | 'errorMessage')
  | ('$anchor' | '$dynamicAnchor' | '$dynamicRef' | '$vocabulary' | 'prefixItems')
  | ('dependentSchemas' | 'dependentRequired' | 'unevaluatedItems' | 'unevaluatedProperties');

/** Keywords that never hold an object: one that does is a parameter. */
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

/** The names in an object that are keywords there. */
type KeywordsIn<Schema> =
  | (keyof Schema & FormKeyword)
  | {
      [Name in keyof Schema & PlainKeyword]: Schema[Name] extends boolean ? Name : never;
    }[keyof Schema & PlainKeyword];

/**
 * The properties that a short form lists at the top level, without any keyword (specification 3.3); `never` for anything else. The
 * empty object is the schema that accepts everything.
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
