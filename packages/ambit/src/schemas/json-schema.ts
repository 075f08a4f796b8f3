/** Pure helpers about JSON Schema that validation and serialization share: the short form, and header names. */
import type { JsonSchema } from '../contract/compiler.ts';
import { isObject, isPlainObject } from '../shared/plain-object.ts';

/** A deep copy. Functions and class instances are not JSON, and are kept as they are. */
export function copySchema(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(copySchema);
  if (!isPlainObject(schema)) return schema;
  const copy = { ...schema };
  for (const key of Object.keys(copy)) copy[key] = copySchema(copy[key]);
  return copy;
}

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

const schemaLists = new Set(['allOf', 'anyOf', 'oneOf']);
const subschemas = new Set([
  'not',
  'if',
  'then',
  'else',
  'items',
  'additionalItems',
  'additionalProperties',
  'contains',
  'unevaluatedItems',
  'unevaluatedProperties',
]);
const namedSubschemas = new Set(['definitions', '$defs', 'patternProperties']);

/**
 * A copy of a headers schema with every header name in lower case, as node delivers them. Field names are case
 * insensitive (RFC 9110, 5.1); patterns cannot be lowered and are left as written.
 */
export function lowerCaseHeaderNames(schema: unknown, insideNames = false): unknown {
  if (Array.isArray(schema)) return schema.map((item) => lowerCaseHeaderNames(item, insideNames));
  if (!isObject(schema)) return schema;
  const lowered: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    lowered[keyword] = lowerKeyword(keyword, value, insideNames);
  }
  return lowered;
}

const lowerText = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value);

function lowerKeyword(keyword: string, value: unknown, insideNames: boolean): unknown {
  const lowerSchema = (sub: unknown): unknown => lowerCaseHeaderNames(sub, insideNames);
  if (keyword === 'required') return Array.isArray(value) ? value.map(lowerText) : value;
  if (keyword === 'propertyNames') return lowerCaseHeaderNames(value, true);
  if (schemaLists.has(keyword) || subschemas.has(keyword)) return lowerSchema(value);
  if (insideNames && keyword === 'enum' && Array.isArray(value)) return value.map(lowerText);
  if (insideNames && keyword === 'const') return lowerText(value);
  if (!isObject(value)) return value;
  const entries = Object.entries(value);
  if (keyword === 'properties' || keyword === 'dependentSchemas') {
    return Object.fromEntries(entries.map(([name, sub]) => [name.toLowerCase(), lowerSchema(sub)]));
  }
  if (keyword === 'dependencies' || keyword === 'dependentRequired') {
    const lowerDependency = (sub: unknown): unknown =>
      Array.isArray(sub) ? sub.map(lowerText) : lowerSchema(sub);
    return Object.fromEntries(entries.map(([name, sub]) => [name.toLowerCase(), lowerDependency(sub)]));
  }
  if (namedSubschemas.has(keyword)) {
    return Object.fromEntries(entries.map(([name, sub]) => [name, lowerSchema(sub)]));
  }
  return value;
}

/** The first `$ref` that leaves its document: its target cannot be rewritten along with the schema. */
export function findExternalReference(schema: unknown): string | undefined {
  return findReference(schema, (reference) => !reference.startsWith('#'));
}

/** The first `$ref` inside a `propertyNames` subschema that stays in its document. */
export function findReferenceInNames(schema: unknown): string | undefined {
  return findReference(schema, (reference, isInNames) => isInNames && reference.startsWith('#'));
}

/** The first `$ref` that matches, wherever it stands. */
export function findReference(
  schema: unknown,
  matches: (reference: string, isInNames: boolean) => boolean,
  isInNames = false,
): string | undefined {
  if (typeof schema !== 'object' || schema === null) return undefined;
  const { $ref: reference } = schema as { $ref?: unknown };
  if (typeof reference === 'string' && matches(reference, isInNames)) return reference;
  for (const [key, value] of Object.entries(schema)) {
    const found = findReference(value, matches, isInNames || key === 'propertyNames');
    if (found !== undefined) return found;
  }
  return undefined;
}
