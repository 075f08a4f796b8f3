/** Lists the keywords of JSON Schema by what they contain, and by the dialects that define them. */

/** The dialect of a schema. */
export type Dialect = 'draft-07' | '2020-12';

/** One schema. */
const schemaKeywords: ReadonlySet<string> = new Set([
  'additionalProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]);
/** A list of schemas. */
const schemaListKeywords: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);
/** Schemas by name. */
const schemaMapKeywords: ReadonlySet<string> = new Set(['properties', 'patternProperties']);

/** Keywords whose values are copied. */
const valueKeywords: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'example',
  'examples',
  'type',
  'enum',
  'const',
  'format',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxProperties',
  'minProperties',
  'required',
  'contentMediaType',
  'contentEncoding',
  '$comment',
  'xml',
  'externalDocs',
]);

/** Keywords that only 2020-12 defines. In draft 7 they have no effect, so a document must not contain them. */
export const draft2020Keywords: ReadonlySet<string> = new Set([
  'prefixItems',
  'minContains',
  'maxContains',
  'dependentRequired',
  'dependentSchemas',
  'unevaluatedItems',
  'unevaluatedProperties',
  '$dynamicRef',
]);

/** Keywords that the document does not need: identifiers, and instructions to the validator. */
const consumedKeywords: ReadonlySet<string> = new Set([
  '$id',
  'id',
  '$schema',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$vocabulary',
  '$async',
  'nullable',
  'errorMessage',
  '~standard',
]);

/** How a keyword is converted, if this is the same in all dialects. */
export type KeywordKind = 'schema' | 'list' | 'map' | 'value' | 'consumed' | 'reference';

export const kindOfKeyword: ReadonlyMap<string, KeywordKind> = new Map<string, KeywordKind>([
  ...[...schemaKeywords].map((keyword) => [keyword, 'schema'] as const),
  ...[...schemaListKeywords].map((keyword) => [keyword, 'list'] as const),
  ...[...schemaMapKeywords].map((keyword) => [keyword, 'map'] as const),
  ...[...valueKeywords].map((keyword) => [keyword, 'value'] as const),
  ...[...consumedKeywords].map((keyword) => [keyword, 'consumed'] as const),
  ...['$ref', '$recursiveRef'].map((keyword) => [keyword, 'reference'] as const),
]);

/** Keywords whose values may look like schemas but are data: references inside them are ignored. */
export const dataKeywords: ReadonlySet<string> = new Set(['enum', 'const', 'default', 'examples', 'example']);

/** The dialect that `$schema` names; otherwise the default. */
export function dialectOf(document: unknown, defaultDialect: Dialect): Dialect {
  const { $schema } = Object(document) as { $schema?: unknown };
  if (typeof $schema !== 'string') return defaultDialect;
  if (/20(?:19-09|20-12)/.test($schema)) return '2020-12';
  return $schema.includes('json-schema.org/draft-0') ? 'draft-07' : defaultDialect;
}
