/** The errors of schemas and what is compiled from them. */
import { defineError, type ErrorClass, typeError } from '../shared/define-error.ts';

/** A shared schema has no `$id`. */
export const SchemaIdMissing: ErrorClass<[]> = defineError(
  'FST_ERR_SCH_MISSING_ID: Missing schema $id property',
);
/** The `$id` of a shared schema is already visible. */
export const SchemaAlreadyPresent: ErrorClass<[id: string]> = defineError(
  "FST_ERR_SCH_ALREADY_PRESENT: Schema with id '%s' already declared!",
);
/** A route has both `query` and `querystring`. */
export const SchemaDuplicated: ErrorClass<[part: string]> = defineError(
  "FST_ERR_SCH_DUPLICATE: Schema with '%s' already present!",
);
/** An entry of a `content` map has no `schema`. */
export const SchemaContentMissing: ErrorClass<[mediaType: string]> = defineError(
  "FST_ERR_SCH_CONTENT_MISSING_SCHEMA: Schema is missing for the content type '%s'",
);
/** A key of a `content` map is not a media type or range, or is the same as another one; raised by `ready()`. */
export const MediaRangeInvalid: ErrorClass<[part: string, key: string, problem: string]> = defineError(
  "AMBIT_ERR_MEDIA_RANGE_INVALID: the content of %s has the key '%s', which %s, so that its schema would never be used",
  {
    hint: 'a key is a media type such as `application/json`, or a range: `application/*`, `application/*+json`, `*/*`',
  },
);
/** `details`: the part of the route, the path in its schema, what was probably meant. `sharedId`: the `$id` of a shared schema. */
type BuildFailed = ErrorClass<
  [method: string, url: string, reason: string, details?: string, sharedId?: string]
>;

function nameSchema(purpose: string, method: string, url: string, sharedId: string | undefined): string {
  return sharedId === undefined ? `${purpose} schema for ${method}: ${url}` : `shared schema '${sharedId}'`;
}

/** A schema of a request does not compile; the `cause` has the reason. */
export const ValidationBuildFailed: BuildFailed = defineError('FST_ERR_SCH_VALIDATION_BUILD', {
  message: (method: string, url: string, reason: string, details = '', sharedId?: string) =>
    `Failed building the ${nameSchema('validation', method, url, sharedId)}, due to error ${reason}${details}`,
  fastifyMessage: (method: string, url: string, reason: string) =>
    `Failed building the validation schema for ${method}: ${url}, due to error ${reason}`,
});
/** A schema of a response does not compile; the `cause` has the reason and the `schemaPath`. */
export const SerializationBuildFailed: BuildFailed = defineError('FST_ERR_SCH_SERIALIZATION_BUILD', {
  message: (method: string, url: string, reason: string, details = '', sharedId?: string) =>
    `Failed building the ${nameSchema('serialization', method, url, sharedId)}, due to error ${reason}${details}`,
  fastifyMessage: (method: string, url: string, reason: string) =>
    `Failed building the serialization schema for ${method}: ${url}, due to error ${reason}`,
});
/** `itemSchema` is used where nothing can be streamed; this is the `cause` of `FST_ERR_SCH_SERIALIZATION_BUILD`. */
export const ItemSchemaInvalid: ErrorClass<[problem: string]> = defineError(
  'AMBIT_ERR_ITEM_SCHEMA_INVALID: %s',
);
/** A key of `response` is not a status; this is the `cause` of `FST_ERR_SCH_SERIALIZATION_BUILD`. */
export const ResponseStatusInvalid: ErrorClass<[]> = defineError(
  'FST_ERR_SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX: response schemas should be nested under a valid status code, e.g { 2xx: { type: "object" } }',
);
/** Every object has a property with this name: engines would use that property as the schema. */
export const SchemaIdReserved: ErrorClass<[id: string]> = defineError(
  "AMBIT_ERR_SCHEMA_ID_RESERVED: '%s' cannot be the $id of a schema: every JavaScript object has a property of that name",
);
/** The reference leads to a property that every object has, and not to a schema. */
export const SchemaReferenceReserved: ErrorClass<[reference: string, name: string]> = defineError(
  "AMBIT_ERR_SCHEMA_REFERENCE_RESERVED: can't resolve reference %s: there is no schema '%s', and every object has a property of that name",
);
/** A reference leads from a schema of one dialect to a shared schema of another; raised by `ready()`. */
export const SchemaDialectMismatch: ErrorClass<[dialect: string, id: string, problem: string]> = defineError(
  "AMBIT_ERR_SCHEMA_DIALECT_MISMATCH: a schema of the dialect %s refers to '%s', %s",
  { hint: 'both must be of one dialect: give them the same `$schema`, or leave it out of the shared schema' },
);
/** The validator would be nested too deeply for V8 to compile it; raised by `ready()`. */
export const SchemaTooLarge: ErrorClass<[]> = defineError(
  'AMBIT_ERR_SCHEMA_TOO_LARGE: the schema is too large to compile: it is nested too deeply, one of its lists is too long, or too many schemas refer to one another in a chain or a circle',
  {
    hint: 'split it into shared schemas that do not all refer to one another, or validate parts of it in the handler',
  },
);
/** A schema refers to itself for the same value: checking it would never end; raised by `ready()`. */
export const SchemaLoop: ErrorClass<[loop: string]> = defineError(
  'AMBIT_ERR_SCHEMA_LOOP: a schema refers to itself without a value in between: %s',
  { hint: 'let the reference describe a property or an item, or remove it' },
);
/** `compileSchemas` wrote the module for other schemas or with another version; raised by `ready()`. */
export const CompiledStale: ErrorClass<[reason: string]> = defineError(
  'AMBIT_ERR_COMPILED_STALE: the compiled schemas are stale: %s; run compileSchemas again',
  { hint: 'run `compileSchemas(app)` in the build after every change of a schema or a version' },
);
/** The process forbids code generation, and no build has compiled the schema; raised by `ready()`. */
export const CodeGenerationForbidden: ErrorClass<[part: string]> = defineError(
  'AMBIT_ERR_CODE_GENERATION_FORBIDDEN: %s must be compiled, but this process forbids code generation from strings; run compileSchemas(app) or `ambit compile` in the build, and pass the module as the option `compiled`',
);
/** The schema error formatter did not return an Error. */
export const FormatterResultInvalid: ErrorClass<[received: string]> = defineError(
  'AMBIT_ERR_SCHEMA_ERROR_FORMATTER_RESULT: the schema error formatter must return an Error, but it returned %s',
);
/** Your own validator compiler did not return a function; this is the `cause` of `FST_ERR_SCH_VALIDATION_BUILD`. */
export const ValidatorNotFunction: ErrorClass<[part: string, received: string]> = typeError(
  "AMBIT_ERR_VALIDATOR_NOT_FUNCTION: the validator compiler must return a function for '%s', but it returned %s",
);
/** Your own serializer compiler did not return a function; this is the `cause` of `FST_ERR_SCH_SERIALIZATION_BUILD`. */
export const SerializerNotFunction: ErrorClass<[status: string, received: string]> = typeError(
  "AMBIT_ERR_SERIALIZER_NOT_FUNCTION: the serializer compiler must return a function for '%s', but it returned %s",
);
/** The Standard Schema of the response rejects the payload. The payload is not sent. */
export const ResponseInvalid: ErrorClass<[problems: string]> = defineError('AMBIT_ERR_RESPONSE_INVALID: %s');
/** The Standard Schema of a response returned a promise. */
export const ResponseSchemaAsync: ErrorClass<[vendor: string]> = defineError(
  'AMBIT_ERR_RESPONSE_SCHEMA_ASYNC: a response schema must validate synchronously, but this schema of %s returned a promise',
);
/** A schema declares a file (a string of the format `binary`) where the body or the reply cannot have one. */
export const FileMisplaced: ErrorClass<[part: string, schemaPath: string]> = defineError(
  "AMBIT_ERR_FILE_MISPLACED: the schema of %s has a file (format 'binary') at %s, where there can be none",
  { hint: "declare files as properties of a body in `content: { 'multipart/form-data': { schema } }`" },
);
