// Proves which subjects are checked in which round.
import { expect, test } from 'vitest';
import { isMeasured } from './measure.mjs';

for (const [name, count, round, expected] of [
  ['ambit', 1_000, 1, true],
  ['hono-chained', 200, 1, true],
  ['hono-chained', 1_000, 0, true],
  ['hono-chained', 1_000, 1, false],
]) {
  test(`${name} with ${count} routes is ${expected ? '' : 'not '}checked in round ${round}`, () => {
    expect(isMeasured(name, count, round)).toBe(expected);
  });
}
