// Tests the report about type checking: figures, ratios within a style, growth, and subjects that could not be checked.
import { expect, test } from 'vitest';
import { subjects } from '../types/subjects.mjs';
import { compareTypes } from './comparisons.mjs';
import { writeTypes } from './types.mjs';

const samples = (/** @type {number[]} */ ...seconds) => ({
  checkSeconds: seconds,
  totalSeconds: seconds,
  instantiations: seconds.map(() => 1000),
  memoryMb: seconds.map(() => 100),
});
const deep = { ...samples(), failure: 'TS2589: Type instantiation is excessively deep.' };
const results = {
  ...Object.fromEntries(
    Object.keys(subjects).map((name) => [name, { 200: samples(2, 2), 1000: samples(8, 8) }]),
  ),
  ambit: { 200: samples(1, 1), 1000: samples(4, 6) },
  'hono-chained': { 200: samples(1, 1), 1000: deep },
};
const page = writeTypes(results).join('\n\n');

test('each subject has its figures, and the ratio of Ambit to it', () => {
  expect(page).toContain('| 1,000 | Fastify, TypeBox | 8.00 | 8.00 | 1,000 | 100 | 0.625 (0.500–0.750) |');
  expect(page).toContain('| 1,000 | Elysia, chained | 8.00 | 8.00 | 1,000 | 100 | 1.000 (1.000–1.000) |');
});

test('growth is listed for subjects that could be checked with both numbers of routes', () => {
  expect(page).toContain('| Ambit | 5.0 (4.0–6.0) |');
  expect(page).toContain('| Hono, Zod, chained |  |');
});

test('a subject that could not be checked has its reason, and no comparison', () => {
  expect(page).toContain(
    '- Hono, Zod, chained, 1,000 routes: TS2589: Type instantiation is excessively deep.',
  );
  const compared = compareTypes(results).filter(({ baseline }) => baseline === 'Hono, Zod, chained');
  expect(compared.map(({ what }) => what)).toEqual(['200 typed routes: check time']);
});
