import { expect, test } from 'vitest';
import { findDifference } from './output-file.ts';

for (const [left, right, difference] of [
  [{ a: 1, b: [2] }, { b: [2], a: 1 }, undefined],
  [{ a: { b: 1 } }, { a: { b: 2 } }, 'a.b is 1 in the file and 2 in the application'],
  [{ a: 1 }, { a: 1, b: 2 }, 'b is missing in the file'],
  [{ a: 1, b: 2 }, { a: 1 }, 'b is missing in the application'],
  [[1, 2], [1], '1 is missing in the application'],
  [{ a: [] }, { a: {} }, 'a is [] in the file and {} in the application'],
  [null, {}, 'the document is null in the file and {} in the application'],
  [{ a: 'x'.repeat(100) }, { a: '' }, `a is "${'x'.repeat(56)}... in the file and "" in the application`],
] as const) {
  test(`${JSON.stringify(left).slice(0, 30)} and ${JSON.stringify(right)}: ${difference?.slice(0, 40)}`, () => {
    expect(findDifference(left, right)).toBe(difference);
  });
}
