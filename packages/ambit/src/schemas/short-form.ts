/** The short form of a schema: an object that lists properties at its top level. Tells it from a full schema, and expands it (specification 3.3). */
import type { JsonSchema } from '../contract/compiler.ts';
import { isPlainObject } from '../shared/plain-object.ts';

/** Keywords that make a schema a full one, whatever their value. */
const formKeywords: ReadonlySet<string> = new Set([
  ...['$id', '$schema', '$ref', '$async', '$comment', '$defs', 'definitions'],
  ...['type', 'enum', 'const', 'default', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'dependencies'],
  ...['items', 'additionalItems', 'contains'],
  // Of draft 2020-12.
  ...[
    '$anchor',
    '$dynamicAnchor',
    '$dynamicRef',
    '$vocabulary',
    'prefixItems',
    'dependentSchemas',
    'dependentRequired',
  ],
  ...['unevaluatedItems', 'unevaluatedProperties'],
  // Of the plugins that the specification names.
  ...['$merge', '$patch', 'errorMessage'],
]);

/** Keywords whose value is never an object: if it is one, it is a parameter with that name, such as `title`. */
const plainKeywords: ReadonlySet<string> = new Set([
  ...['title', 'description', 'examples', 'readOnly', 'writeOnly', 'nullable', 'format'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  ...['minLength', 'maxLength', 'pattern', 'contentMediaType', 'contentEncoding'],
  ...[
    'minContains',
    'maxContains',
    'minItems',
    'maxItems',
    'uniqueItems',
    'minProperties',
    'maxProperties',
    'required',
  ],
]);

/** The keywords of JSON Schema, to find the nearest name of a misspelled one. */
export const keywordNames: readonly string[] = [...formKeywords, ...plainKeywords];

/**
 * True for the short form of specification 3.3: an object that lists its parameters at the top level, without any keyword
 * of JSON Schema. The empty object is the schema that accepts everything.
 */
export function isShortForm(schema: unknown): schema is Record<string, JsonSchema | boolean> {
  if (!isPlainObject(schema)) return false;
  const names = Object.keys(schema);
  if (names.length === 0 || Object.getOwnPropertySymbols(schema).length > 0) return false;
  return names.every((name) => !formKeywords.has(name) && isParameter(name, schema[name]));
}

/** A schema of another library may be a plain object whose only member is `~standard`. */
function isParameter(name: string, value: unknown): boolean {
  if (name === '~standard') return false;
  return isPlainObject(value) || (typeof value === 'boolean' && !plainKeywords.has(name));
}

/** Names that OpenAPI allows in schemas besides the keywords. */
const annotations = /^(?:example|xml|externalDocs|deprecated|x-.*)$/;

/**
 * The keywords in an object that was probably meant as a short form: it contains only schemas, and some of its names are keywords. As a
 * full schema, it does not declare its other names.
 */
export function keywordsInShortForm(schema: unknown): readonly string[] {
  if (!isPlainObject(schema) || 'properties' in schema) return [];
  const names = Object.keys(schema).filter((name) => !annotations.test(name));
  if (!names.every((name) => isParameter(name, schema[name]))) return [];
  const keywords = names.filter((name) => formKeywords.has(name));
  return keywords.length === names.length ? [] : keywords;
}

/** The schema in full: `{ type: 'object', properties }` for the short form, anything else as it is. */
export function expandShortForm<T>(schema: T): T | { type: 'object'; properties: T } {
  return isShortForm(schema) ? { type: 'object', properties: schema } : schema;
}
