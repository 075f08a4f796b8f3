/** The checks of arrays: items, additionalItems, contains, lengths, uniqueItems. */
import { isEqual } from '@ambit/json-schema';
import type { Predicate } from '../shape/test.ts';
import type { KeywordCheck } from './keyword-check.ts';

export function whenArray(check: (value: readonly unknown[]) => boolean): Predicate {
  return (value) => !Array.isArray(value) || check(value);
}

export const arrayKeywords: Record<string, KeywordCheck> = {
  items({ value: items, validate }) {
    if (Array.isArray(items)) {
      const predicates = items.map((item, index) => validate(item, 'items', index));
      return whenArray((value) => value.every((item, index) => predicates[index]?.(item) ?? true));
    }
    const matches = validate(items, 'items');
    return whenArray((value) => value.every((item) => matches(item)));
  },
  additionalItems({ value: schema, sibling, validate }) {
    const items = sibling('items');
    if (!Array.isArray(items)) return undefined;
    const { length } = items;
    const matches = validate(schema, 'additionalItems');
    return whenArray((value) => value.slice(length).every((item) => matches(item)));
  },
  contains({ value: schema, validate }) {
    const matches = validate(schema, 'contains');
    return whenArray((value) => value.some((item) => matches(item)));
  },
  minItems({ value: bound }) {
    return typeof bound === 'number' ? whenArray((value) => value.length >= bound) : undefined;
  },
  maxItems({ value: bound }) {
    return typeof bound === 'number' ? whenArray((value) => value.length <= bound) : undefined;
  },
  uniqueItems({ value: isOn }) {
    if (isOn !== true) return undefined;
    return whenArray((value) =>
      value.every((item, index) => !value.slice(0, index).some((other) => isEqual(item, other))),
    );
  },
};
