/** Recognizes and expands the short form of a schema: an object that lists properties at its top level (specification 3.3). */

import { isPlainObject } from '../shared/plain-object.ts';
import type { JsonSchema } from '../types/compilers.ts';

/** Keywords that mark a full schema, with any value. */
const formKeywords: ReadonlySet<string> = new Set([
  ...['$id', '$schema', '$ref', '$async', '$comment', '$defs', 'definitions'],
  ...['type', 'enum', 'const', 'default', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else'],
  ...['properties', 'patternProperties', 'additionalProperties', 'propertyNames', 'dependencies'],
  ...['items', 'additionalItems', 'contains'],
  // Keywords of draft 2020-12.
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
  // Keywords of the Ajv plugins that the specification names.
  ...['$merge', '$patch', 'errorMessage'],
]);

/** Keywords whose value is never an object. If it is one, the name is that of a parameter, such as `title`. */
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

/** The keywords of JSON Schema, for suggestions if one is misspelled. */
export const keywordNames: readonly string[] = [
  ...formKeywords,
  ...plainKeywords,
  ...['example', 'xml', 'externalDocs', 'deprecated', 'discriminator'],
];

/**
 * Whether a schema is in the short form of specification 3.3: an object that lists its parameters at the top level, without any keyword
 * of JSON Schema. The empty object is not: it is the schema that accepts everything.
 */
export function isShortForm(schema: unknown): schema is Record<string, JsonSchema | boolean> {
  if (!isPlainObject(schema)) return false;
  const names = Object.keys(schema);
  if (names.length === 0 || Object.getOwnPropertySymbols(schema).length > 0) return false;
  return names.every((name) => !formKeywords.has(name) && isParameter(name, schema[name]));
}

/** Whether a member can be a parameter of the short form. `~standard` cannot: it marks a schema of another library. */
function isParameter(name: string, value: unknown): boolean {
  if (name === '~standard') return false;
  return isPlainObject(value) || (typeof value === 'boolean' && !plainKeywords.has(name));
}

/** The words of OpenAPI that only describe a schema. */
const annotations = /^(?:example|xml|externalDocs|deprecated|x-.*)$/;

export function isAnnotation(name: string): boolean {
  return annotations.test(name);
}

/**
 * The keywords in an object that was probably meant as a short form: it contains only schemas, and some of its names are keywords. As a
 * full schema, it would not declare its other names.
 */
export function keywordsInShortForm(schema: unknown): readonly string[] {
  if (!isPlainObject(schema) || 'properties' in schema) return [];
  const names = Object.keys(schema).filter((name) => !isAnnotation(name));
  if (!names.every((name) => isParameter(name, schema[name]))) return [];
  const keywords = names.filter((name) => formKeywords.has(name));
  return keywords.length === names.length ? [] : keywords;
}

/** Returns the full form of a schema: `{ type: 'object', properties }` for the short form, anything else as it is. */
export function expandShortForm<T>(schema: T): T | { type: 'object'; properties: T } {
  return isShortForm(schema) ? { type: 'object', properties: schema } : schema;
}
