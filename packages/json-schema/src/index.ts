/** The public surface of @ambit/json-schema. */
export { checkDocument, checkShared, maxDepth, tooDeep } from './check-document.ts';
export { checkReferences } from './check-references.ts';
export { contentKey, readSchema, type SchemaContent, unreadSchema } from './content.ts';
export { branchLists, DeclaredNames, declares } from './declared-names.ts';
export {
  type Dialect,
  declaredDialect,
  defaultDialect,
  dialectNamed,
  dialectOf,
  nearestDialect,
} from './dialect.ts';
export {
  findReference,
  followReference,
  type ReferenceTarget,
  type SchemaLocation,
  Visits,
} from './follow-reference.ts';
export {
  type AppliesTo,
  compilePattern,
  isDataKeyword,
  isNamedSchemas,
  type Keyword,
  type KeywordContent,
  type KeywordRule,
  keywords,
  parsePattern,
} from './keywords.ts';
export { decode, encodeStep, followPointer, joinPointer, stepsOf } from './pointer.ts';
export { keyword, type Part, type Reference, Registry, references } from './references.ts';
export {
  type DialectName,
  isEqual,
  isPlainObject,
  isSchemaObject,
  type JsonSchema,
  type JsonType,
  jsonTypes,
  SchemaError,
  type SchemaObject,
  type SharedSchemas,
} from './schema.ts';
export {
  expandShortForm,
  isAnnotation,
  isShortForm,
  keywordNames,
  keywordsInShortForm,
} from './short-form.ts';
export {
  isStandardSchema,
  plainSchema,
  pointerOfIssue,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  toJsonSchema,
} from './standard-schema.ts';
export { resolveUri, splitReference, uriOf } from './uri.ts';
export { mapSchema, pointerOf, type Subschema, subschemasOf, type Visited, walk } from './walk.ts';
