/** The keywords in which a schema contains other schemas. */

/** What a keyword contains. `items` of draft 7 contains one schema or a list. */
export type KeywordContent = 'schema' | 'list' | 'map' | 'items' | 'dependencies';

/** The keywords of draft 7. */
export const draft7Subschemas: ReadonlyMap<string, KeywordContent> = new Map<string, KeywordContent>([
  ['additionalItems', 'schema'],
  ['additionalProperties', 'schema'],
  ['contains', 'schema'],
  ['propertyNames', 'schema'],
  ['not', 'schema'],
  ['if', 'schema'],
  ['then', 'schema'],
  ['else', 'schema'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['definitions', 'map'],
  ['properties', 'map'],
  ['patternProperties', 'map'],
  ['items', 'items'],
  ['dependencies', 'dependencies'],
]);

/** The keywords of 2020-12. Some keywords of draft 7 are still supported. */
export const draft2020Subschemas: ReadonlyMap<string, KeywordContent> = new Map<string, KeywordContent>([
  ...[...draft7Subschemas].filter(([name]) => name !== 'additionalItems'),
  ['items', 'schema'],
  ['prefixItems', 'list'],
  ['$defs', 'map'],
  ['dependentSchemas', 'map'],
  ['unevaluatedItems', 'schema'],
  ['unevaluatedProperties', 'schema'],
  ['contentSchema', 'schema'],
]);

/** Keywords of draft 7 whose schemas apply to the same value as the schema that contains them. */
export const draft7InPlace: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependencies',
]);

export const draft2020InPlace: ReadonlySet<string> = new Set([...draft7InPlace, 'dependentSchemas']);
