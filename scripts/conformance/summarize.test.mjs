// Tests the sums of the report.
import { expect, test } from 'vitest';
import { summarize, summarizeByArea } from './summarize.mjs';

const totals = { 'test/hooks.test.js': 3, 'test/route.1.test.js': 2, 'test/content-type.test.js': 4 };
const outcomes = [
  { file: 'test/hooks.test.js', status: 'pass' },
  { file: 'test/hooks.test.js', status: 'fail' },
  { file: 'test/hooks.test.js', status: 'missing' },
  { file: 'test/route.1.test.js', status: 'pass' },
  { file: 'test/route.1.test.js', status: 'skip' },
];

test('a sum counts passed tests, reachable tests and all tests', () => {
  expect(summarize(outcomes, totals)).toEqual({ files: 3, passed: 2, reachable: 5, total: 9 });
});

test('a sum over some files does not count the others', () => {
  const sum = summarize(outcomes, totals, (file) => file.includes('route'));
  expect(sum).toEqual({ files: 1, passed: 1, reachable: 2, total: 2 });
});

test('each area with a file has a row, even if none of its tests is reachable', () => {
  expect(summarizeByArea(outcomes, totals)).toEqual([
    { area: 'Bodies and media types', files: 1, passed: 0, reachable: 0, total: 4 },
    { area: 'Hooks', files: 1, passed: 1, reachable: 3, total: 3 },
    { area: 'Routing', files: 1, passed: 1, reachable: 2, total: 2 },
  ]);
});
