// Proves that the limits of a package are checked at each limit and one past it.
import { expect, test } from 'vitest';
import { findTooLarge } from './sizes.mjs';

/** Checks a package with one file for each number of lines; tests are not counted. */
const check = (lengths, name = 'some', allowed = { some: { files: 2, lines: 600 } }) => {
  const sources = lengths.map((lines, i) => [`${'abc'[i]}.ts`, 'line\n'.repeat(lines)]);
  return findTooLarge(name, new Map([...sources, ['a.test.ts', 'line\n'.repeat(900)]]), allowed);
};
const where = '(scripts/sizes.mjs)';

test.each([
  [[500, 100], []],
  [[500, 101], [`size: 601 lines, of at most 600 ${where}`]],
  [[50, 50, 50], [`size: 3 files, of at most 2 ${where}`]],
  [[501], ['a.ts: size: 501 lines, of at most 500']],
  [[49, 50], [`a.ts: size: 49 lines: a file under 50 needs a reason ${where}`]],
])('files of %j lines have the problems %j', (lengths, problems) => {
  expect(check(lengths)).toEqual(problems);
});

test('a reason of a file that is gone or has grown, and a package without limits, fail', () => {
  const sources = new Map([
    ['index.ts', 'line\n'.repeat(8)],
    ['reasons.ts', 'line\n'.repeat(50)],
  ]);
  expect(findTooLarge('http-engine', sources, { 'http-engine': { files: 9, lines: 900 } })).toEqual([
    'http-engine/src/reasons.ts: size: not a short file, so it needs no reason (scripts/sizes.mjs)',
  ]);
  expect(check([50], 'other')).toEqual(['size: the package other has no limits (scripts/sizes.mjs)']);
});
