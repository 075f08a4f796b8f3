/** The checks of keywords that are new in 2020-12, or have another meaning there. */
import { isSchemaObject } from '@ambit/json-schema';
import type { Predicate } from '../shape/test.ts';
import { whenArray } from './arrays.ts';
import type { Evaluator } from './evaluated.ts';
import type { KeywordCheck } from './keyword-check.ts';
import { readProperty, whenObject } from './objects.ts';

/** Whether a predicate holds for everything that a schema does not cover. */
function unevaluated(evaluate: Evaluator, matches: Predicate): (value: Record<string, unknown>) => boolean {
  return (value) => {
    const found = new Set<string>();
    evaluate(value, found);
    return Object.keys(value).every((name) => found.has(name) || matches(value[name]));
  };
}

export const draft2020Keywords: Record<string, KeywordCheck> = {
  $dynamicRef: ({ validateReference }) => validateReference('$dynamicRef'),
  additionalItems: () => undefined,
  prefixItems({ value: schemas, validate }) {
    if (!Array.isArray(schemas)) return undefined;
    const predicates = schemas.map((schema, index) => validate(schema, 'prefixItems', index));
    return whenArray((value) =>
      predicates.every((matches, index) => index >= value.length || matches(value[index])),
    );
  },
  items({ value: schema, sibling, validate }) {
    const first = sibling('prefixItems');
    const from = Array.isArray(first) ? first.length : 0;
    const matches = validate(schema, 'items');
    return whenArray((value) => value.every((item, index) => index < from || matches(item)));
  },
  contains({ value: schema, sibling, validate }) {
    const least = (sibling('minContains') as number | undefined) ?? 1;
    const most = (sibling('maxContains') as number | undefined) ?? Number.POSITIVE_INFINITY;
    const matches = validate(schema, 'contains');
    return whenArray((value) => {
      const count = value.filter((item) => matches(item)).length;
      return count >= least && count <= most;
    });
  },
  unevaluatedItems: ({ value: schema, validate, evaluate }) => {
    const rest = unevaluated(evaluate('unevaluatedItems'), validate(schema, 'unevaluatedItems'));
    return whenArray((value) => rest(value as never));
  },
  unevaluatedProperties: ({ value: schema, validate, evaluate }) =>
    whenObject(unevaluated(evaluate('unevaluatedProperties'), validate(schema, 'unevaluatedProperties'))),
  dependentRequired({ value: map }) {
    if (!isSchemaObject(map)) return undefined;
    const entries = Object.entries(map).map(([name, others]) => [name, [...(others as string[])]] as const);
    return whenObject((value) =>
      entries.every(
        ([name, others]) =>
          readProperty(value, name) === undefined ||
          others.every((other) => readProperty(value, other) !== undefined),
      ),
    );
  },
  dependentSchemas({ value: map, validate }) {
    if (!isSchemaObject(map)) return undefined;
    const entries = Object.entries(map).map(
      ([name, schema]) => [name, validate(schema, 'dependentSchemas', name)] as const,
    );
    return whenObject((value) =>
      entries.every(([name, matches]) => readProperty(value, name) === undefined || matches(value)),
    );
  },
};
