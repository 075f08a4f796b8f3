// Proves how figures become ratios, and that the order of measurements does not favour any subject.
import { expect, test } from 'vitest';
import { compareRounds, measureInTurns, median, quantile } from './statistics.mjs';

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

test('the figures of each round are collected, every second round goes back, and what failed is not measured again', async () => {
  const subjects = [{ figures: {} }, { figures: {} }, { figures: {} }];
  const order = [];
  await measureInTurns(subjects, 2, async (place, round) => {
    order.push(place);
    return place === 1 ? { failure: 'overflows' } : { ms: round };
  });
  expect(order).toEqual([0, 1, 2, 2, 0]);
  const figures = { ms: [0, 1] };
  expect(subjects).toEqual([{ figures }, { figures: {}, failure: 'overflows' }, { figures }]);
});
