// Proves the arithmetic of the benchmark's ratios and their table.
import { expect, test } from 'vitest';
import { comparePeers, formatTable } from './report.mjs';
import { compareRounds, median } from './statistics.mjs';

test('the median of an odd number of values is the middle one, in whatever order they come', () => {
  expect(median([30, 10, 20])).toBe(20);
});

test('the median of an even number of values lies between the middle two', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('ratios are taken round by round, so a slow round of both peers changes nothing', () => {
  expect(compareRounds([9, 90, 9], [10, 100, 10])).toEqual({ median: 0.9, min: 0.9, max: 0.9 });
});

test('the first peer is compared with each of the others', () => {
  const comparisons = comparePeers('get', ['a', 'b', 'c'], [sample(10), sample(20), sample(5)]);
  expect(comparisons.map(({ baseline, ratio }) => [baseline, ratio.median])).toEqual([
    ['b', 0.5],
    ['c', 2],
  ]);
});

test('the table aligns its columns and shows the ratio with three decimals', () => {
  const comparisons = comparePeers('get', ['ambit', 'fastify'], [sample(10), sample(11)]);
  expect(formatTable(comparisons)).toBe(
    [
      'scenario  compared       ratio    min    max   µs/request  busy\n',
      'get       ambit/fastify  0.909  0.909  0.909  10.0 / 11.0   95%\n',
    ].join(''),
  );
});

const sample = (/** @type {number} */ micros) => ({ cpuMicros: [micros], busy: [0.95] });
