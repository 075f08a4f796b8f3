/** Owns where a schema holds other schemas. */

/** What stands under a keyword that holds schemas. */
export const inner: ReadonlyMap<string, 'schema' | 'list' | 'map' | 'items' | 'dependencies'> = new Map([
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

/** Keywords whose schemas apply to the same value as the schema that holds them. */
export const inPlace: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependencies',
]);
