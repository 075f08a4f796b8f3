// Proves which subjects are checked in which round.
import { expect, test } from 'vitest';
import { isDue } from './measure.mjs';

for (const [name, count, round, due] of [
  ['ambit', 1_000, 1, true],
  ['hono-chained', 200, 1, true],
  ['hono-chained', 1_000, 0, true],
  ['hono-chained', 1_000, 1, false],
]) {
  test(`${name} with ${count} routes is ${due ? '' : 'not '}checked in round ${round}`, () => {
    expect(isDue(name, count, round)).toBe(due);
  });
}
