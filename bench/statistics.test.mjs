// Proves how figures become ratios, and that the order of measurements does not favour any subject.
import { describe, expect, test } from 'vitest';
import { compareRounds, measureInTurns, median, orderOfRound, quantile } from './statistics.mjs';

test('the median is the middle value, or lies between the middle two', () => {
  expect(median([30, 10, 20])).toBe(20);
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('a quantile is a measured value: the nearest rank', () => {
  const values = Array.from({ length: 200 }, (_, i) => 200 - i);
  expect([quantile(values, 0.99), quantile(values, 0.5), quantile(values, 1)]).toEqual([198, 100, 200]);
});

test('ratios are those of each round, so that a slow round of both subjects has no effect, and the quartiles are ratios, too', () => {
  const subject = [50, 10, 40, 20, 30, 60, 80, 700];
  const baseline = [10, 10, 10, 10, 10, 10, 10, 100];
  expect(compareRounds(subject, baseline)).toEqual({ median: 4.5, min: 1, lower: 2, upper: 6, max: 8 });
});

test('the figures of each round are collected, and what failed is not measured again', async () => {
  const subjects = [{ figures: {} }, { figures: {} }];
  await measureInTurns(subjects, 2, async (place, round) =>
    place === 1 ? { failure: 'overflows' } : { ms: round },
  );
  expect(subjects).toEqual([{ figures: { ms: [0, 1] } }, { figures: {}, failure: 'overflows' }]);
});

describe.each([1, 2, 3, 4, 8, 11])('%i in turn', (count) => {
  const cycle = count % 2 === 1 ? 2 * count : count;
  const rounds = Array.from({ length: cycle }, (_, round) => orderOfRound(count, round));
  const all = Array.from({ length: count }, (_, i) => i);

  test('each runs once in each round, and has each place equally often', () => {
    for (const round of rounds) expect(round.toSorted((a, b) => a - b)).toEqual(all);
    for (const place of all) expect(new Set(rounds.map((round) => round[place])).size).toBe(count);
  });

  test('each follows each other one equally often', () => {
    const pairs = rounds.flatMap((round) => round.slice(1).map((subject, i) => `${round[i]} ${subject}`));
    expect(new Set(pairs).size).toBe(count * (count - 1));
    expect(pairs).toHaveLength((count - 1) * cycle);
  });
});
