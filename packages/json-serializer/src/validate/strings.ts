/** The checks of strings: lengths, pattern, format. */

import { compilePattern, joinPointer } from '@ambit/json-schema';
import type { Predicate } from '../shape/test.ts';
import { formats } from './formats.ts';
import type { KeywordCheck } from './keyword-check.ts';

function whenString(check: (value: string) => boolean): Predicate {
  return (value) => typeof value !== 'string' || check(value);
}

/** Length in code points: a pair of surrogates counts as one. */
function countCodePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

export const stringKeywords: Record<string, KeywordCheck> = {
  minLength({ value: bound }) {
    return typeof bound === 'number' ? whenString((text) => countCodePoints(text) >= bound) : undefined;
  },
  maxLength({ value: bound }) {
    return typeof bound === 'number' ? whenString((text) => countCodePoints(text) <= bound) : undefined;
  },
  pattern({ value: source, part }) {
    const pattern = compilePattern(String(source), joinPointer(part.pointer, 'pattern'));
    return whenString((text) => pattern.test(text));
  },
  format({ value: name }) {
    // Draft 7, section 7.2 of the validation part: an unknown format passes.
    const check = formats.get(String(name));
    return check === undefined ? undefined : whenString(check);
  },
};
