/** The public surface of @ambit/json-schema. */
export { checkDocument, checkShared, maxDepth, tooDeep } from './check-document.ts';
export { checkReferences } from './check-references.ts';
export {
  type Dialect,
  declaredDialect,
  defaultDialect,
  dialectNamed,
  dialectOf,
  nearestDialect,
} from './dialect.ts';
export {
  type AppliesTo,
  isDataKeyword,
  isNamedSchemas,
  type Keyword,
  type KeywordContent,
  type KeywordRule,
  keywords,
} from './keywords.ts';
export { compilePattern, parsePattern } from './pattern.ts';
export { decode, encodeStep, followPointer, joinPointer, stepsOf } from './pointer.ts';
export { keyword, type Part, type Reference, Registry, references } from './references.ts';
export {
  type DialectName,
  isEqual,
  isSchemaObject,
  type JsonSchema,
  type JsonType,
  jsonTypes,
  SchemaError,
  type SchemaObject,
  type SharedSchemas,
} from './schema.ts';
export { resolveUri, splitReference, uriOf } from './uri.ts';
export { mapSchema, pointerOf, type Subschema, subschemasOf, type Visited, walk } from './walk.ts';
