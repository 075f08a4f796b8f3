// Tests that the output names each test that needs attention.
import { expect, test } from 'vitest';
import { describeResult } from './describe-result.mjs';

const none = { regressed: [], stale: [], gained: [], onPurpose: [], open: [] };
const sums = { whole: { passed: 3, reachable: 5 }, ratchet: { passed: 2, reachable: 2 } };
const entry = { file: 'test/a.test.js', test: 'one' };

test('a run without unexpected results is described in one line', () => {
  expect(describeResult({ ...none, onPurpose: [entry], open: [entry] }, sums)).toEqual([
    'conformance: 3 of 5 reachable tests pass; 2 of 2 in the required files; ' +
      '1 fail on purpose, 1 are open, 0 stopped passing',
  ]);
});

test('a test that stopped passing is named with the first line of its error', () => {
  const regressed = [{ ...entry, status: 'fail', error: 'expected 1\nactual 2' }];
  expect(describeResult({ ...none, regressed }, sums)[0]).toBe(
    'STOPPED PASSING: test/a.test.js: one (expected 1)',
  );
});

test('tests without a result are listed in one line for their file', () => {
  const regressed = ['one', 'two'].map((name) => ({ file: 'test/a.test.js', test: name, status: 'missing' }));
  expect(describeResult({ ...none, regressed }, sums)[0]).toBe(
    'STOPPED PASSING: test/a.test.js: 2 never reported: one | two',
  );
});

test('a stale reason and a gained test are named', () => {
  const [stale, gained] = describeResult({ ...none, stale: [entry], gained: [entry] }, sums);
  expect(stale).toMatch(/^STALE REASON in .*on-purpose\.json: test\/a\.test\.js: one$/);
  expect(gained).toMatch(/^passes now, .*: test\/a\.test\.js: one$/);
});
