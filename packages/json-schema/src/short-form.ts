/** Recognizes and expands the short form of a schema: an object that lists properties at its top level. */
import { keywords } from './keywords.ts';
import { isPlainObject, type SchemaObject } from './schema.ts';

/** Keywords that mark a full schema, with any value: all that contain schemas, or whose value may be any or is a name. */
const formKeywords: ReadonlySet<string> = new Set([
  ...[...keywords].flatMap(([name, { contains }]) =>
    contains !== undefined && name !== 'contentSchema' ? [name] : [],
  ),
  ...['$id', '$schema', '$ref', '$async', '$comment', '$anchor', '$dynamicAnchor', '$dynamicRef'],
  ...['$vocabulary', 'type', 'enum', 'const', 'default', 'dependentRequired'],
  // Keywords of the Ajv plugins that the specification names.
  ...['$merge', '$patch', 'errorMessage'],
]);

/** Keywords whose value is never an object. If it is one, the name is that of a parameter, such as `title`. */
const plainKeywords: ReadonlySet<string> = new Set(
  [...keywords].flatMap(([name, { rule }]) =>
    (rule !== undefined && !formKeywords.has(name)) || name === 'writeOnly' ? [name] : [],
  ),
);

/** The keywords of JSON Schema, for suggestions if one is misspelled. */
export const keywordNames: readonly string[] = [
  ...formKeywords,
  ...plainKeywords,
  ...['example', 'xml', 'externalDocs', 'deprecated', 'discriminator'],
];

/**
 * Whether a schema is in the short form of specification 3.3: an object that lists its parameters at the top level, without any keyword
 * of JSON Schema. The empty object is not: it is the schema that accepts everything.
 *
 * @param schema The schema.
 */
export function isShortForm(schema: unknown): schema is Record<string, SchemaObject | boolean> {
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

/** Whether a keyword of OpenAPI only describes a schema. @param name The keyword. */
export function isAnnotation(name: string): boolean {
  return /^(?:example|xml|externalDocs|deprecated|x-.*)$/.test(name);
}

/**
 * The keywords in an object that was probably meant as a short form: it contains only schemas, and some of its names are keywords. As a
 * full schema, it would not declare its other names.
 *
 * @param schema The schema.
 */
export function keywordsInShortForm(schema: unknown): readonly string[] {
  if (!isPlainObject(schema) || 'properties' in schema) return [];
  const names = Object.keys(schema).filter((name) => !isAnnotation(name));
  if (!names.every((name) => isParameter(name, schema[name]))) return [];
  const keywords = names.filter((name) => formKeywords.has(name));
  return keywords.length === names.length ? [] : keywords;
}

/**
 * Returns the full form of a schema: `{ type: 'object', properties }` for the short form, anything else as it is.
 *
 * @param schema The schema.
 */
export function expandShortForm<T>(schema: T): T | { type: 'object'; properties: T } {
  return isShortForm(schema) ? { type: 'object', properties: schema } : schema;
}
