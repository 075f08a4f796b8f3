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
  expect(check({ 'a.ts': source(1), 'b.ts': source(1), 'c.ts': source(1) })).toEqual([
    'size: 3 files, of at most 2 (scripts/sizes.mjs)',
  ]);
  expect(check({ 'a.ts': source(501) })).toEqual(['a.ts: size: 501 lines, of at most 500']);
});

test('tests are not counted', () => {
  expect(
    check({ 'a.ts': source(1), 'a.test.ts': source(900), 'a.test-d.ts': source(900), 'b.ts': source(1) }),
  ).toEqual([]);
});

test('a package without limits fails', () => {
  expect(findTooLarge('other', new Map([['a.ts', '']]), {})).toEqual([
    'size: the package other has no limits in scripts/sizes.mjs',
  ]);
});
