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

const text = rule('a string', (value) => typeof value === 'string');
const flag = rule('a boolean', (value) => typeof value === 'boolean');
const list = rule('a list', Array.isArray);
const choices = rule('a list that is not empty', (value) => Array.isArray(value) && value.length > 0);
const number = rule('a number', (value) => typeof value === 'number');
const count = rule('an integer >= 0', (value) => Number.isInteger(value) && (value as number) >= 0);
const factor = rule('a number > 0', (value) => typeof value === 'number' && value > 0);
const pattern = rule('a regular expression', (value) => parsePattern(value) !== undefined);
const types = rule(
  `one of ${jsonTypes.join(', ')}, or a list of them`,
  (value) => isType(value) || (isListOf(value, isType) && (value as unknown[]).length > 0),
);
/** The valid values of `required`, and of a list in `dependencies`. */
const propertyNames = rule('a list of property names, each once', (value) =>
  isListOf(value, (name) => typeof name === 'string'),
);
const dependent = rule(
  'an object with lists of property names, each once',
  (value) => isSchemaObject(value) && Object.values(value).every(propertyNames.allows),
);

function rule(expected: string, allows: (value: unknown) => boolean): KeywordRule {
  return { expected, allows };
}

function isType(value: unknown): boolean {
  return (jsonTypes as readonly unknown[]).includes(value);
}

function isListOf(value: unknown, allows: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(allows) && new Set(value).size === value.length;
}

/** The keywords of both dialects, and OpenAPI's `nullable` and `example`. */
export const keywords: ReadonlyMap<string, Keyword> = new Map([
  ...rows({ rule: text }, '$id', '$schema', '$ref', '$comment', 'title', 'description'),
  ...rows({ rule: text }, 'format', 'contentMediaType', 'contentEncoding'),
  ...rows({ rule: text, only: '2020-12' }, '$anchor', '$dynamicAnchor', '$dynamicRef'),
  ...rows({ rule: flag }, 'readOnly', 'nullable', 'uniqueItems'),
  ...rows({ rule: types }, 'type'),
  ...rows({ rule: pattern }, 'pattern'),
  ...rows({ rule: number }, 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'),
  ...rows({ rule: factor }, 'multipleOf'),
  ...rows(
    { rule: count },
    'maxLength',
    'minLength',
    'maxItems',
    'minItems',
    'maxProperties',
    'minProperties',
  ),
  ...rows({ rule: count, only: '2020-12' }, 'maxContains', 'minContains'),
  ...rows({ rule: propertyNames }, 'required'),
  ...rows({ rule: dependent, only: '2020-12' }, 'dependentRequired'),
  ...rows({}, 'writeOnly', 'deprecated'),
  ...rows({ isData: true }, 'default', 'const', 'example'),
  ...rows({ isData: true, rule: list }, 'examples'),
  ...rows({ isData: true, rule: choices }, 'enum'),

  ...rows({ contains: 'list', appliesTo: 'same' }, 'allOf', 'anyOf', 'oneOf'),
  ...rows({ contains: 'schema', appliesTo: 'same' }, 'not', 'if', 'then', 'else'),
  ...rows({ contains: 'dependencies', appliesTo: 'same' }, 'dependencies'),
  ...rows({ contains: 'map', appliesTo: 'same', only: '2020-12' }, 'dependentSchemas'),
  ...rows({ contains: 'map', appliesTo: 'properties' }, 'properties', 'patternProperties'),
  ...rows({ contains: 'schema', appliesTo: 'properties' }, 'additionalProperties'),
  ...rows({ contains: 'schema', appliesTo: 'properties', only: '2020-12' }, 'unevaluatedProperties'),
  ...rows({ contains: 'schema', appliesTo: 'names' }, 'propertyNames'),
  ...rows({ contains: 'items', appliesTo: 'items' }, 'items'),
  ...rows({ contains: 'schema', appliesTo: 'items' }, 'contains'),
  ...rows({ contains: 'schema', appliesTo: 'items', only: 'draft-07' }, 'additionalItems'),
  ...rows({ contains: 'schema', appliesTo: 'items', only: '2020-12' }, 'unevaluatedItems'),
  ...rows({ contains: 'list', appliesTo: 'items', only: '2020-12' }, 'prefixItems'),
  ...rows({ contains: 'schema', appliesTo: 'content', only: '2020-12' }, 'contentSchema'),
  ...rows({ contains: 'map', appliesTo: 'nothing' }, 'definitions'),
  ...rows({ contains: 'map', appliesTo: 'nothing', only: '2020-12' }, '$defs'),
]);

function rows(keyword: Keyword, ...names: string[]): [string, Keyword][] {
  return names.map((name) => [name, keyword]);
}

/** Whether the value of a keyword is data, even if it looks like a schema. @param name The keyword. */
export function isDataKeyword(name: string): boolean {
  return keywords.get(name)?.isData === true;
}

/** Whether the value of a keyword is an object of schemas, by names that the author of the schema chooses. @param name The keyword. */
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
  for (const flags of ['u', '']) {
    try {
      return new RegExp(source, flags);
    } catch {}
  }
  return undefined;
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
