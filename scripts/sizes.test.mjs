// Proves that the limits of a package are checked at each limit and one past it.
import { expect, test } from 'vitest';
import { findTooLarge } from './sizes.mjs';

const source = (/** @type {number} */ lines) => 'line\n'.repeat(lines);
const check = (sources) =>
  findTooLarge('some', new Map(Object.entries(sources)), { some: { files: 2, lines: 600 } });

test('a package at its limits passes', () => {
  expect(check({ 'a.ts': source(500), 'b.ts': source(100) })).toEqual([]);
});

test('one more line, file, or line of a file fails', () => {
  expect(check({ 'a.ts': source(500), 'b.ts': source(101) })).toEqual([
    'size: 601 lines, of at most 600 (scripts/sizes.mjs)',
  ]);
  expect(check({ 'a.ts': source(50), 'b.ts': source(50), 'c.ts': source(50) })).toEqual([
    'size: 3 files, of at most 2 (scripts/sizes.mjs)',
  ]);
  expect(check({ 'a.ts': source(501) })).toEqual(['a.ts: size: 501 lines, of at most 500']);
});

test('a file under 50 lines needs a reason', () => {
  expect(check({ 'a.ts': source(49), 'b.ts': source(50) })).toEqual([
    'a.ts: size: 49 lines: a file under 50 needs a reason (scripts/sizes.mjs)',
  ]);
});

test('a reason of a file that is gone or has grown fails', () => {
  const allowed = { 'http-engine': { files: 9, lines: 900 } };
  const sources = new Map([
    ['index.ts', source(8)],
    ['reasons.ts', source(50)],
  ]);
  expect(findTooLarge('http-engine', sources, allowed)).toEqual([
    'http-engine/src/reasons.ts: size: not a short file, so it needs no reason in scripts/sizes.mjs',
  ]);
});

test('tests are not counted', () => {
  expect(
    check({ 'a.ts': source(50), 'a.test.ts': source(900), 'a.test-d.ts': source(900), 'b.ts': source(50) }),
  ).toEqual([]);
});

test('a package without limits fails', () => {
  expect(findTooLarge('other', new Map([['a.ts', source(50)]]), {})).toEqual([
    'size: the package other has no limits in scripts/sizes.mjs',
  ]);
});
