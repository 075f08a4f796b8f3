// Proves that the order of measurements does not favour any subject.
import { describe, expect, test } from 'vitest';
import { orderOfTurn } from './turns.mjs';

describe.each([1, 2, 3, 4, 8, 11])('%i in turn', (count) => {
  const cycle = count % 2 === 1 ? 2 * count : count;
  const turns = Array.from({ length: cycle }, (_, turn) => orderOfTurn(count, turn));
  const subjects = Array.from({ length: count }, (_, i) => i);

  test('each subject runs once in each turn', () => {
    for (const turn of turns) expect(turn.toSorted((a, b) => a - b)).toEqual(subjects);
  });

  test('each subject has each position equally often', () => {
    for (const place of subjects) {
      const placeCounts = tally(turns.map((turn) => turn[place]));
      expect(placeCounts).toEqual(new Map(subjects.map((subject) => [subject, cycle / count])));
    }
  });

  test('each subject follows each other one equally often', () => {
    const pairs = tally(turns.flatMap((turn) => turn.slice(1).map((subject, i) => `${turn[i]} ${subject}`)));
    expect(pairs.size).toBe(count * (count - 1));
    expect(new Set(pairs.values()).size).toBeLessThanOrEqual(1);
  });

  test('the cycle repeats', () => {
    expect(orderOfTurn(count, 2 * count)).toEqual(turns[0]);
  });
});

function tally(/** @type {unknown[]} */ items) {
  const counts = new Map();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return new Map([...counts].sort());
}
