/** The checks of objects: properties and their names, numbers, presence and dependencies. */

import { compilePattern, isSchemaObject, joinPointer } from '@ambit/json-schema';
import type { Predicate } from '../shape/test.ts';
import type { CheckContext, KeywordCheck } from './keyword-check.ts';

type Dictionary = Record<string, unknown>;

export function whenObject(check: (value: Dictionary) => boolean): Predicate {
  return (value) =>
    typeof value !== 'object' || value === null || Array.isArray(value) || check(value as Dictionary);
}

/** The value of a property for validation, which ignores inherited properties. */
export function readProperty(value: Dictionary, name: string): unknown {
  return name in Object.prototype && !Object.hasOwn(value, name) ? undefined : value[name];
}

function validateEach({ value: map, validate }: CheckContext, name: string): [string, Predicate][] {
  if (!isSchemaObject(map)) return [];
  return Object.entries(map).map(([key, schema]) => [key, validate(schema, name, key)]);
}

function readPatterns({ sibling, part }: CheckContext): RegExp[] {
  const place = joinPointer(part.pointer, 'patternProperties');
  return Object.keys(sibling('patternProperties') ?? {}).map((source) => compilePattern(source, place));
}

const count =
  (passes: (count: number, bound: number) => boolean): KeywordCheck =>
  ({ value: bound }) =>
    typeof bound === 'number' ? whenObject((value) => passes(Object.keys(value).length, bound)) : undefined;

export const objectKeywords: Record<string, KeywordCheck> = {
  properties(context) {
    const entries = validateEach(context, 'properties');
    return whenObject((value) =>
      entries.every(([name, matches]) => {
        const property = readProperty(value, name);
        return property === undefined || matches(property);
      }),
    );
  },
  required({ value }) {
    if (!Array.isArray(value)) return undefined;
    const names: string[] = [...value];
    return whenObject((object) => names.every((name) => readProperty(object, name) !== undefined));
  },
  patternProperties(context) {
    const patterns = readPatterns(context);
    const predicates = validateEach(context, 'patternProperties').map(([, matches]) => matches);
    return whenObject((value) =>
      Object.keys(value).every((key) =>
        patterns.every((pattern, index) => !pattern.test(key) || predicates[index]!(value[key])),
      ),
    );
  },
  additionalProperties(context) {
    const declared = new Set(Object.keys(context.sibling('properties') ?? {}));
    const patterns = readPatterns(context);
    const matches = context.validate(context.value, 'additionalProperties');
    const isDeclared = (key: string) => declared.has(key) || patterns.some((pattern) => pattern.test(key));
    return whenObject((value) => Object.keys(value).every((key) => isDeclared(key) || matches(value[key])));
  },
  propertyNames({ value: schema, validate }) {
    const matches = validate(schema, 'propertyNames');
    return whenObject((value) => Object.keys(value).every(matches));
  },
  dependencies(context) {
    const { value: map, validate } = context;
    if (!isSchemaObject(map)) return undefined;
    const entries = Object.entries(map).map(([name, dependency]): [string, Predicate] => {
      if (!Array.isArray(dependency)) return [name, validate(dependency, 'dependencies', name)];
      const others: string[] = [...dependency];
      return [name, whenObject((value) => others.every((other) => readProperty(value, other) !== undefined))];
    });
    return whenObject((value) =>
      entries.every(([name, matches]) => readProperty(value, name) === undefined || matches(value)),
    );
  },
  minProperties: count((length, bound) => length >= bound),
  maxProperties: count((length, bound) => length <= bound),
};
