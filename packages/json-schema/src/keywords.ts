/** One table of the keywords: what each contains, to which value its schemas apply, and which values are valid. Also reads patterns. */
import { type DialectName, isSchemaObject, jsonTypes, SchemaError } from './schema.ts';

/** The schemas in a keyword. `items` of draft 7 is one schema or a list; `dependencies` also contains lists of names. */
export type KeywordContent = 'schema' | 'list' | 'map' | 'items' | 'dependencies';

/**
 * The value that the schemas in a keyword apply to, seen from the value of the schema around them: the same value, its
 * properties or items, the names of its properties, the content of a string. `nothing`: they apply where a reference leads to them.
 */
export type AppliesTo = 'same' | 'properties' | 'items' | 'names' | 'content' | 'nothing';

/** A description of the valid values of a keyword, and a function that checks a value. */
export interface KeywordRule {
  /** For messages: `a string`. */
  readonly expected: string;
  /** Whether a value is valid. */
  readonly allows: (value: unknown) => boolean;
}

/** What is known of a keyword. */
export interface Keyword {
  /** Absent for a keyword without schemas. */
  readonly contains?: KeywordContent;
  /** Present if it contains schemas. */
  readonly appliesTo?: AppliesTo;
  /** Whether its value is data: what looks like a schema or a reference inside it is none. */
  readonly isData?: true;
  /** Absent if the value is not checked, or only the schemas in it. */
  readonly rule?: KeywordRule;
  /** The only dialect that defines it. */
  readonly only?: DialectName;
}

const text: KeywordRule = { expected: 'a string', allows: (value) => typeof value === 'string' };
const flag: KeywordRule = { expected: 'a boolean', allows: (value) => typeof value === 'boolean' };
const list: KeywordRule = { expected: 'a list', allows: Array.isArray };
const choices: KeywordRule = {
  expected: 'a list that is not empty',
  allows: (value) => Array.isArray(value) && value.length > 0,
};
const number: KeywordRule = { expected: 'a number', allows: (value) => typeof value === 'number' };
const count: KeywordRule = {
  expected: 'an integer >= 0',
  allows: (value) => Number.isInteger(value) && (value as number) >= 0,
};
const factor: KeywordRule = {
  expected: 'a number > 0',
  allows: (value) => typeof value === 'number' && value > 0,
};
const pattern: KeywordRule = {
  expected: 'a regular expression',
  allows: (value) => parsePattern(value) !== undefined,
};
/** The valid values of `required`, and of a list in `dependencies`. */
export const propertyNames: KeywordRule = {
  expected: 'a list of property names, each once',
  allows: (value) => isListOf(value, (name) => typeof name === 'string'),
};
const dependent: KeywordRule = {
  expected: 'an object with lists of property names, each once',
  allows: (value) => isSchemaObject(value) && Object.values(value).every(propertyNames.allows),
};
const types: KeywordRule = {
  expected: `one of ${jsonTypes.join(', ')}, or a list of them`,
  allows: (value) => isType(value) || (isListOf(value, isType) && (value as unknown[]).length > 0),
};

function isType(value: unknown): boolean {
  return (jsonTypes as readonly unknown[]).includes(value);
}

function isListOf(value: unknown, allows: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(allows) && new Set(value).size === value.length;
}

const only7 = { only: 'draft-07' } as const;
const only2020 = { only: '2020-12' } as const;

/** The keywords of both dialects, and OpenAPI's `nullable` and `example`. */
export const keywords: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  // Names and references.
  ['$id', { rule: text }],
  ['$schema', { rule: text }],
  ['$ref', { rule: text }],
  ['$anchor', { rule: text, ...only2020 }],
  ['$dynamicAnchor', { rule: text, ...only2020 }],
  ['$dynamicRef', { rule: text, ...only2020 }],
  ['$defs', { contains: 'map', appliesTo: 'nothing', ...only2020 }],
  ['definitions', { contains: 'map', appliesTo: 'nothing' }],
  // What describes a value.
  ['$comment', { rule: text }],
  ['title', { rule: text }],
  ['description', { rule: text }],
  ['default', { isData: true }],
  ['example', { isData: true }],
  ['examples', { isData: true, rule: list }],
  ['readOnly', { rule: flag }],
  ['writeOnly', {}],
  ['deprecated', {}],
  // Schemas for the same value.
  ['allOf', { contains: 'list', appliesTo: 'same' }],
  ['anyOf', { contains: 'list', appliesTo: 'same' }],
  ['oneOf', { contains: 'list', appliesTo: 'same' }],
  ['not', { contains: 'schema', appliesTo: 'same' }],
  ['if', { contains: 'schema', appliesTo: 'same' }],
  ['then', { contains: 'schema', appliesTo: 'same' }],
  ['else', { contains: 'schema', appliesTo: 'same' }],
  ['dependencies', { contains: 'dependencies', appliesTo: 'same' }],
  ['dependentSchemas', { contains: 'map', appliesTo: 'same', ...only2020 }],
  // Values of any type.
  ['type', { rule: types }],
  ['nullable', { rule: flag }],
  ['enum', { isData: true, rule: choices }],
  ['const', { isData: true }],
  // Objects.
  ['properties', { contains: 'map', appliesTo: 'properties' }],
  ['patternProperties', { contains: 'map', appliesTo: 'properties' }],
  ['additionalProperties', { contains: 'schema', appliesTo: 'properties' }],
  ['unevaluatedProperties', { contains: 'schema', appliesTo: 'properties', ...only2020 }],
  ['propertyNames', { contains: 'schema', appliesTo: 'names' }],
  ['required', { rule: propertyNames }],
  ['dependentRequired', { rule: dependent, ...only2020 }],
  ['maxProperties', { rule: count }],
  ['minProperties', { rule: count }],
  // Lists.
  ['items', { contains: 'items', appliesTo: 'items' }],
  ['prefixItems', { contains: 'list', appliesTo: 'items', ...only2020 }],
  ['additionalItems', { contains: 'schema', appliesTo: 'items', ...only7 }],
  ['unevaluatedItems', { contains: 'schema', appliesTo: 'items', ...only2020 }],
  ['contains', { contains: 'schema', appliesTo: 'items' }],
  ['maxContains', { rule: count, ...only2020 }],
  ['minContains', { rule: count, ...only2020 }],
  ['maxItems', { rule: count }],
  ['minItems', { rule: count }],
  ['uniqueItems', { rule: flag }],
  // Strings.
  ['maxLength', { rule: count }],
  ['minLength', { rule: count }],
  ['pattern', { rule: pattern }],
  ['format', { rule: text }],
  ['contentMediaType', { rule: text }],
  ['contentEncoding', { rule: text }],
  ['contentSchema', { contains: 'schema', appliesTo: 'content', ...only2020 }],
  // Numbers.
  ['maximum', { rule: number }],
  ['exclusiveMaximum', { rule: number }],
  ['minimum', { rule: number }],
  ['exclusiveMinimum', { rule: number }],
  ['multipleOf', { rule: factor }],
]);

/**
 * Whether the value of a keyword is data, even if it looks like a schema.
 *
 * @param name The keyword.
 */
export function isDataKeyword(name: string): boolean {
  return keywords.get(name)?.isData === true;
}

/**
 * Whether the value of a keyword is an object of schemas, by names that the author of the schema chooses.
 *
 * @param name The keyword.
 */
export function isNamedSchemas(name: string): boolean {
  const contains = keywords.get(name)?.contains;
  return contains === 'map' || contains === 'dependencies';
}

/**
 * Compiles a pattern in Unicode mode, as Ajv does: a character beyond U+FFFF is one character. Patterns that are only
 * valid without this mode, such as `\-`, are compiled without it. Undefined for an invalid regular expression.
 *
 * @param source The text of the pattern.
 */
export function parsePattern(source: unknown): RegExp | undefined {
  if (typeof source !== 'string') return undefined;
  return tryPattern(source, 'u') ?? tryPattern(source, '');
}

/**
 * Compiles a pattern as `parsePattern` does.
 *
 * @param source The text of the pattern.
 * @param schemaPath Where it is in the schema.
 * @throws {SchemaError} for an invalid regular expression.
 */
export function compilePattern(source: string, schemaPath: string): RegExp {
  const pattern = parsePattern(source);
  if (pattern === undefined) throw new SchemaError(`"${source}" is not a regular expression`, schemaPath);
  return pattern;
}

function tryPattern(source: string, flags: string): RegExp | undefined {
  try {
    return new RegExp(source, flags);
  } catch {
    return undefined;
  }
}
