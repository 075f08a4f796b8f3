import { expect, test } from 'vitest';
import { randomFrom } from '../../bench/random.mjs';
import { estimateSlope } from './report.mjs';

const line = (slope, noise) => Array.from({ length: 100 }, (_, x) => [x, 40 + slope * x + noise(x)]);

test('the slope of a constant is 0, and so are both bounds', () => {
  expect(estimateSlope(line(0, () => 0))).toEqual({ slope: 0, low: 0, high: 0 });
});

test('the slope of a line is found in spite of outliers', () => {
  const { slope } = estimateSlope(line(0.5, (x) => (x % 10 === 0 ? 1_000 : 0)));
  expect(slope).toBeCloseTo(0.5, 1);
});

test('the interval of noise contains 0, and that of a leak under the same noise does not', () => {
  const random = randomFrom(7);
  const noise = () => random() - 0.5;
  const flat = estimateSlope(line(0, noise));
  expect(flat.low).toBeLessThan(0);
  expect(flat.high).toBeGreaterThan(0);
  expect(estimateSlope(line(0.01, noise)).low).toBeGreaterThan(0);
});
