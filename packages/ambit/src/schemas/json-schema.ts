/** Functions for JSON Schema that validation and serialization share: about subschemas, references and header names. */
import { isObject, isPlainObject } from '../shared/plain-object.ts';

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
 * Copies a schema, and replaces each direct subschema by what `map` returns for it. Values that are not schemas, such as those of
 * `enum` and `default`, stay.
 */
export function mapSubschemas(schema: unknown, map: (subschema: unknown) => unknown): unknown {
  if (!isPlainObject(schema)) return schema;
  const mapped: Record<string, unknown> = { ...schema };
  for (const [keyword, value] of Object.entries(schema)) {
    if (Array.isArray(value)) {
      if (schemaLists.has(keyword) || keyword === 'items' || keyword === 'prefixItems')
        mapped[keyword] = value.map(map);
    } else if (subschemas.has(keyword) || keyword === 'propertyNames') mapped[keyword] = map(value);
    else if (isObject(value) && (namedSubschemas.has(keyword) || propertySubschemas.has(keyword)))
      mapped[keyword] = Object.fromEntries(Object.entries(value).map(([name, sub]) => [name, map(sub)]));
  }
  return mapped;
}
const propertySubschemas = new Set(['properties', 'dependentSchemas', 'dependencies']);

/**
 * Copies a headers schema with every header name in lower case, as node delivers them. Field names are case
 * insensitive (RFC 9110, 5.1). Patterns cannot be converted, and stay as they are.
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

/** Finds the first `$ref` to another document: its target cannot be rewritten together with the schema. */
export function findExternalReference(schema: unknown): string | undefined {
  return findReference(schema, (reference) => !reference.startsWith('#'));
}

/** Finds the first `$ref` inside a `propertyNames` subschema that refers to its own document. */
export function findReferenceInNames(schema: unknown): string | undefined {
  return findReference(schema, (reference, isInNames) => isInNames && reference.startsWith('#'));
}

/** Finds the first `$ref` that matches, anywhere in the schema. */
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
