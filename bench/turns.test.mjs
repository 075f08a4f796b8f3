// Proves that the order of measuring favours no subject.
import { describe, expect, test } from 'vitest';
import { orderOfTurn } from './turns.mjs';

describe.each([1, 2, 3, 4, 8, 11])('%i in turn', (count) => {
  const cycle = count % 2 === 1 ? 2 * count : count;
  const turns = Array.from({ length: cycle }, (_, turn) => orderOfTurn(count, turn));
  const everyone = Array.from({ length: count }, (_, i) => i);

  test('each runs once in each turn', () => {
    for (const turn of turns) expect(turn.toSorted((a, b) => a - b)).toEqual(everyone);
  });

  test('each has each place equally often', () => {
    for (const place of everyone) {
      const seen = tally(turns.map((turn) => turn[place]));
      expect(seen).toEqual(new Map(everyone.map((who) => [who, cycle / count])));
    }
  });

  test('each follows each other equally often', () => {
    const pairs = tally(turns.flatMap((turn) => turn.slice(1).map((who, i) => `${turn[i]} ${who}`)));
    expect(pairs.size).toBe(count * (count - 1));
    expect(new Set(pairs.values()).size).toBeLessThanOrEqual(1);
  });

  test('the cycle begins anew', () => {
    expect(orderOfTurn(count, 2 * count)).toEqual(turns[0]);
  });
});

function tally(/** @type {unknown[]} */ items) {
  const counts = new Map();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return new Map([...counts].sort());
}
