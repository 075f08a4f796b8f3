/** The checks that combine schemas: $ref, allOf, anyOf, oneOf, not, if. */
import type { Predicate } from '../shape/test.ts';
import type { CheckContext, KeywordCheck } from './keyword-check.ts';

function validateAll({ value: list, validate }: CheckContext, name: string): Predicate[] {
  return Array.isArray(list) ? list.map((schema, index) => validate(schema, name, index)) : [];
}

export const combinatorKeywords: Record<string, KeywordCheck> = {
  $ref: ({ validateReference }) => validateReference('$ref'),
  allOf(context) {
    const all = validateAll(context, 'allOf');
    return (value) => all.every((matches) => matches(value));
  },
  anyOf(context) {
    const any = validateAll(context, 'anyOf');
    return (value) => any.some((matches) => matches(value));
  },
  oneOf(context) {
    const one = validateAll(context, 'oneOf');
    return (value) => one.filter((matches) => matches(value)).length === 1;
  },
  not({ value: schema, validate }) {
    const matches = validate(schema, 'not');
    return (value) => !matches(value);
  },
  if({ value: schema, sibling, validate }) {
    const matches = validate(schema, 'if');
    const then = sibling('then') === undefined ? undefined : validate(sibling('then'), 'then');
    const otherwise = sibling('else') === undefined ? undefined : validate(sibling('else'), 'else');
    return (value) => (matches(value) ? then : otherwise)?.(value) ?? true;
  },
};
