// Proves that the output names each test that someone must look at.
import { expect, test } from 'vitest';
import { describeVerdict } from './verdict.mjs';

const none = { stopped: [], stale: [], gained: [], onPurpose: [], open: [] };
const sums = { whole: { passed: 3, reachable: 5 }, ratchet: { passed: 2, reachable: 2 } };
const entry = { file: 'test/a.test.js', test: 'one' };

test('a run without surprises is one line', () => {
  expect(describeVerdict({ ...none, onPurpose: [entry], open: [entry] }, sums)).toEqual([
    'conformance: 3 of 5 reachable tests pass; 2 of 2 in the files of the ratchet; ' +
      '1 fail on purpose, 1 are open, 0 stopped passing',
  ]);
});

test('a test that stopped passing is named with the first line of its error', () => {
  const stopped = [{ ...entry, status: 'fail', error: 'expected 1\nactual 2' }];
  expect(describeVerdict({ ...none, stopped }, sums)[0]).toBe(
    'STOPPED PASSING: test/a.test.js: one (expected 1)',
  );
});

test('tests that never reported share the line of their file', () => {
  const stopped = ['one', 'two'].map((name) => ({ file: 'test/a.test.js', test: name, status: 'missing' }));
  expect(describeVerdict({ ...none, stopped }, sums)[0]).toBe(
    'STOPPED PASSING: test/a.test.js: 2 never reported: one | two',
  );
});

test('a stale reason and a gained test are named', () => {
  const [stale, gained] = describeVerdict({ ...none, stale: [entry], gained: [entry] }, sums);
  expect(stale).toMatch(/^STALE REASON in .*on-purpose\.json: test\/a\.test\.js: one$/);
  expect(gained).toMatch(/^passes now, .*: test\/a\.test\.js: one$/);
});
