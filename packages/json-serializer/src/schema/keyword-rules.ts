/** Owns the valid values of each keyword of a dialect that does not contain schemas. */
import { isSchemaObject, jsonTypes } from '../json-schema.ts';
import { parsePattern } from './pattern.ts';

/** A description of the valid values, and a function that checks a value. */
export interface KeywordRule {
  readonly must: string;
  readonly allows: (value: unknown) => boolean;
}

const text: KeywordRule = { must: 'a string', allows: (value) => typeof value === 'string' };
const flag: KeywordRule = { must: 'a boolean', allows: (value) => typeof value === 'boolean' };
const list: KeywordRule = { must: 'a list', allows: Array.isArray };
const choices: KeywordRule = {
  must: 'a list that is not empty',
  allows: (value) => Array.isArray(value) && value.length > 0,
};
const number: KeywordRule = { must: 'a number', allows: (value) => typeof value === 'number' };
const count: KeywordRule = {
  must: 'an integer >= 0',
  allows: (value) => Number.isInteger(value) && (value as number) >= 0,
};
const factor: KeywordRule = {
  must: 'a number > 0',
  allows: (value) => typeof value === 'number' && value > 0,
};
const pattern: KeywordRule = { must: 'a regular expression', allows: isPattern };
export const names: KeywordRule = {
  must: 'a list of property names, each once',
  allows: (value) => isListOf(value, (name) => typeof name === 'string'),
};
const types: KeywordRule = {
  must: `one of ${jsonTypes.join(', ')}, or a list of them`,
  allows: (value) => isType(value) || (isListOf(value, isType) && (value as unknown[]).length > 0),
};

/** The keywords of draft 7. */
export const keywordRules: ReadonlyMap<string, KeywordRule> = new Map([
  ...each(['$id', '$schema', '$ref', '$comment', 'title', 'description', 'format'], text),
  ...each(['contentMediaType', 'contentEncoding'], text),
  ...each(['readOnly', 'uniqueItems', 'nullable'], flag),
  ...each(['maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum'], number),
  ...each(['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties'], count),
  ...each(['multipleOf'], factor),
  ...each(['pattern'], pattern),
  ...each(['required'], names),
  ...each(['type'], types),
  ...each(['enum'], choices),
  ...each(['examples'], list),
]);

const dependent: KeywordRule = {
  must: 'an object with lists of property names, each once',
  allows: (value) => isSchemaObject(value) && Object.values(value).every(names.allows),
};

/** The keywords of 2020-12. */
export const laterRules: ReadonlyMap<string, KeywordRule> = new Map([
  ...keywordRules,
  ...each(['$anchor', '$dynamicAnchor', '$dynamicRef'], text),
  ...each(['minContains', 'maxContains'], count),
  ...each(['dependentRequired'], dependent),
]);

function each(keywords: readonly string[], rule: KeywordRule): [string, KeywordRule][] {
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
