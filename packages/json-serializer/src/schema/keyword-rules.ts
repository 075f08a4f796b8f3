/** The valid values of each keyword of a dialect that does not contain schemas. */
import { isSchemaObject, jsonTypes } from '../json-schema.ts';
import { parsePattern } from './pattern.ts';

/** A description of the valid values, and a function that checks a value. */
export interface KeywordRule {
  readonly expected: string;
  readonly allows: (value: unknown) => boolean;
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
const pattern: KeywordRule = { expected: 'a regular expression', allows: isPattern };
export const propertyNames: KeywordRule = {
  expected: 'a list of property names, each once',
  allows: (value) => isListOf(value, (name) => typeof name === 'string'),
};
const types: KeywordRule = {
  expected: `one of ${jsonTypes.join(', ')}, or a list of them`,
  allows: (value) => isType(value) || (isListOf(value, isType) && (value as unknown[]).length > 0),
};

/** The keywords of draft 7. */
export const draft7Rules: ReadonlyMap<string, KeywordRule> = new Map([
  ...forKeywords(['$id', '$schema', '$ref', '$comment', 'title', 'description', 'format'], text),
  ...forKeywords(['contentMediaType', 'contentEncoding'], text),
  ...forKeywords(['readOnly', 'uniqueItems', 'nullable'], flag),
  ...forKeywords(['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'], number),
  ...forKeywords(['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'], count),
  ...forKeywords(['multipleOf'], factor),
  ...forKeywords(['pattern'], pattern),
  ...forKeywords(['required'], propertyNames),
  ...forKeywords(['type'], types),
  ...forKeywords(['enum'], choices),
  ...forKeywords(['examples'], list),
]);

const dependent: KeywordRule = {
  expected: 'an object with lists of property names, each once',
  allows: (value) => isSchemaObject(value) && Object.values(value).every(propertyNames.allows),
};

/** The keywords of 2020-12. */
export const draft2020Rules: ReadonlyMap<string, KeywordRule> = new Map([
  ...draft7Rules,
  ...forKeywords(['$anchor', '$dynamicAnchor', '$dynamicRef'], text),
  ...forKeywords(['minContains', 'maxContains'], count),
  ...forKeywords(['dependentRequired'], dependent),
]);

function forKeywords(keywords: readonly string[], rule: KeywordRule): [string, KeywordRule][] {
  return keywords.map((name) => [name, rule]);
}

function isType(value: unknown): boolean {
  return (jsonTypes as readonly unknown[]).includes(value);
}

function isListOf(value: unknown, allows: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(allows) && new Set(value).size === value.length;
}

export function isPattern(value: unknown): boolean {
  return parsePattern(value) !== undefined;
}
