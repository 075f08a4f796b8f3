// Tests that the sum at the end of CI is never `0 failed` if something has failed, and that each failure is listed.
import { expect, test } from 'vitest';
import { countTests, listFailures, listUnstable, sumCounts } from './test-counts.mjs';

const moduleOf = (states, { moduleErrors = [], suiteErrors = [] } = {}) => ({
  errors: () => moduleErrors,
  children: {
    allSuites: () => [{ errors: () => suiteErrors }],
    allTests: () => states.map((state) => ({ result: () => ({ state }) })),
  },
});

test('passed and failed tests are counted, skipped ones are neither', () => {
  expect(countTests([moduleOf(['passed', 'failed', 'skipped']), moduleOf(['passed'])], [])).toEqual({
    passed: 2,
    failed: 1,
  });
});

test('a file that did not load, a failed suite hook and a stray error count as failures', () => {
  const modules = [
    moduleOf([], { moduleErrors: ['syntax'] }),
    moduleOf(['passed'], { suiteErrors: ['hook'] }),
  ];
  expect(countTests(modules, ['unhandled'])).toEqual({ passed: 1, failed: 3 });
});

test('each failure is listed with its location, its message and its stack', () => {
  const failedTest = {
    fullName: 'closing > a request is answered',
    result: () => ({
      state: 'failed',
      errors: [{ message: 'no', stack: 'AssertionError: no\n  at a.test.ts:3:1' }],
    }),
  };
  const testModule = {
    relativeModuleId: 'a.test.ts',
    errors: () => [{ message: 'syntax' }],
    children: {
      allSuites: () => [{ fullName: 'closing', errors: () => [{ message: 'hook' }] }],
      allTests: () => [failedTest, { fullName: 'other', result: () => ({ state: 'passed' }) }],
    },
  };
  expect(listFailures([testModule], [{ message: 'stray' }])).toEqual([
    'outside of any test\n    stray',
    'a.test.ts\n    syntax',
    'a.test.ts > closing\n    hook',
    'a.test.ts > closing > a request is answered\n    AssertionError: no\n    at a.test.ts:3:1',
  ]);
});

test('a test that passed when it was retried is listed with its failure', () => {
  const testOf = (fullName, flaky) => ({
    fullName,
    diagnostic: () => ({ flaky }),
    result: () => ({ state: 'passed', errors: flaky ? [{ message: 'no' }] : undefined }),
  });
  const testModule = {
    relativeModuleId: 'a.test.ts',
    children: { allTests: () => [testOf('unstable', true), testOf('stable', false)] },
  };
  expect(listUnstable([testModule])).toEqual(['a.test.ts > unstable\n    no']);
});

test('runs add up', () => {
  const runs = [
    { passed: 2, failed: 0 },
    { passed: 3, failed: 1 },
  ];
  expect(sumCounts(runs, true)).toEqual({ passed: 5, failed: 1 });
});

test('a failed check without a failed test counts as one failure', () => {
  expect(sumCounts([{ passed: 2, failed: 0 }], true)).toEqual({ passed: 2, failed: 1 });
});

test('no test at all counts as a failure', () => {
  expect(sumCounts([], false)).toEqual({ passed: 0, failed: 1 });
});
