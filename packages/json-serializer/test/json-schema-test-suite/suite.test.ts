import { expect, test } from 'vitest';
import { remoteSchemas, type SuiteDialect, suiteGroups } from './suite.ts';

function casesOf(dialect: SuiteDialect): number {
  return suiteGroups(dialect).reduce((count, { tests }) => count + tests.length, 0);
}

test('the suite has the cases of draft 7', () => {
  expect([suiteGroups('draft-07').length, casesOf('draft-07')]).toEqual([320, 1719]);
});

test('the suite has the cases of draft 2020-12', () => {
  expect([suiteGroups('2020-12').length, casesOf('2020-12')]).toEqual([460, 2224]);
});

test('remote schemas are those of the dialect, and those without a dialect', () => {
  const uris = remoteSchemas('2020-12').map(({ uri }) => uri);
  expect(uris).toContain('http://localhost:1234/integer.json');
  expect(uris).toContain('http://localhost:1234/draft2020-12/integer.json');
  expect(uris).not.toContain('http://localhost:1234/draft7/name.json');
});
