/** The checks of numbers: limits and multipleOf. */
import type { Predicate } from '../shape/test.ts';
import type { KeywordCheck } from './keyword-check.ts';
import { isMultipleOf } from './multiple-of.ts';

const limit =
  (passes: (value: number | bigint, limit: number) => boolean): KeywordCheck =>
  ({ value: bound }) => {
    if (typeof bound !== 'number') return undefined;
    return whenNumber((value) => passes(value, bound));
  };

function whenNumber(check: (value: number | bigint) => boolean): Predicate {
  return (value) => (typeof value !== 'number' && typeof value !== 'bigint') || check(value);
}

export const numberKeywords: Record<string, KeywordCheck> = {
  minimum: limit((value, bound) => value >= bound),
  maximum: limit((value, bound) => value <= bound),
  exclusiveMinimum: limit((value, bound) => value > bound),
  exclusiveMaximum: limit((value, bound) => value < bound),
  multipleOf: limit(isMultipleOf),
};
