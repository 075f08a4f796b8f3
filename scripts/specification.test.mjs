// Tests that the test of each rule of the specification exists, and that sources cite only rules that exist.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { readCitations, readRules, readTitles } from './specification.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (/** @type {string} */ path) => readFileSync(`${root}${path}`, 'utf8');

/** The paths of the files of packages that match a pattern, from the root of the repository. */
const listFiles = (/** @type {RegExp} */ pattern) =>
  readdirSync(`${root}packages`, { recursive: true })
    .map((path) => `packages/${String(path).replaceAll('\\', '/')}`)
    .filter((path) => pattern.test(path) && !path.includes('/node_modules/'));

const rules = readRules(read('docs/specification.md'));
const titlesOf = (/** @type {string} */ file) => readTitles(read(`packages/ambit/test/spec/${file}.test.ts`));

test('the page has rules with unique numbers in ascending order', () => {
  expect(rules.length).toBeGreaterThan(60);
  const numbers = rules.map(({ number }) => number.split('.').map(Number));
  const sorted = numbers.toSorted(([a, b], [c, d]) => a - c || b - d);
  expect(numbers).toEqual(sorted);
  expect(new Set(rules.map(({ number }) => number)).size).toBe(rules.length);
});

for (const { number, file, title } of rules) {
  test(`rule ${number} names a test that exists`, () => {
    expect([...titlesOf(file)]).toContain(title);
  });
}

test('every file of the specification’s tests is named by a rule', () => {
  const files = listFiles(/^packages\/ambit\/test\/spec\/[^/]+\.test\.ts$/);
  const named = new Set(rules.map(({ file }) => `packages/ambit/test/spec/${file}.test.ts`));
  expect(files.filter((file) => !named.has(file))).toEqual([]);
});

test('sources cite only rules that exist', () => {
  const known = new Set(rules.map(({ number }) => number));
  const sources = listFiles(/^packages\/[^/]+\/src\/.+\.ts$/);
  const wrong = sources.flatMap((path) =>
    readCitations(read(path))
      .filter((number) => !known.has(number))
      .map((number) => `${path}: ${number}`),
  );
  expect(wrong).toEqual([]);
});

test('no title of a test begins with a number', () => {
  const files = listFiles(/^packages\/[^/]+\/(?:src|test)\/.+\.test\.ts$/);
  const numbered = files.flatMap((path) =>
    [...readTitles(read(path))]
      .filter((title) => /^\d+\.\d+ /.test(title))
      .map((title) => `${path}: ${title}`),
  );
  expect(numbered).toEqual([]);
});

test('a citation can contain several rules', () => {
  expect(readCitations('/** As the specification 3.3, 6.1 says. */')).toEqual(['3.3', '6.1']);
});
