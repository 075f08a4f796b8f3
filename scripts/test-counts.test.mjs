// Tests that the sum at the end of CI is never `0 failed` if something has failed, and that each failure is listed.
import { expect, test } from 'vitest';
import { describeRun, sumCounts } from './test-counts.mjs';

/** A test file with its tests, each `[name, state, error, flaky]`. */
const moduleOf = (tests, moduleErrors = [], suiteErrors = []) => ({
  relativeModuleId: 'a.test.ts',
  errors: () => moduleErrors,
  children: {
    allSuites: () => [{ fullName: 'closing', errors: () => suiteErrors }],
    allTests: () =>
      tests.map(([fullName, state, error, flaky]) => ({
        fullName,
        result: () => ({ state, errors: error && [error] }),
        diagnostic: () => ({ flaky }),
      })),
  },
});

test('tests that passed are counted, and what failed is listed with its location and its error: tests, hooks, files and stray errors', () => {
  const stack = 'AssertionError: no\n  at a.test.ts:3:1\n  at /node_modules/vitest/index.js';
  const tests = [
    ['one', 'failed', { message: 'no', stack }],
    ['two', 'passed'],
    ['three', 'skipped'],
    ['unstable', 'passed', { message: 'no' }, true],
  ];
  const failing = moduleOf(tests, [{ message: 'syntax' }], [{ message: 'hook' }]);
  expect(describeRun([failing, moduleOf([['four', 'passed']])], [{ message: 'stray' }])).toEqual({
    passed: 3,
    failures: [
      'outside of any test\n    stray',
      'a.test.ts\n    syntax',
      'a.test.ts > closing\n    hook',
      'a.test.ts > one\n    AssertionError: no\n    at a.test.ts:3:1',
    ],
    unstable: ['a.test.ts > unstable\n    no'],
  });
});

const good = { passed: 2, failures: [] };

test.each([
  ['runs add up', [good, { passed: 3, failures: ['one'] }], true, { passed: 5, failed: 1 }],
  ['a failed check without a failed test is a failure', [good], true, { passed: 2, failed: 1 }],
  ['no test at all is a failure', [], false, { passed: 0, failed: 1 }],
  ['a run without failures has none', [good], false, { passed: 2, failed: 0 }],
])('%s', (_, runs, hasFailedCheck, sum) => {
  expect(sumCounts(runs, hasFailedCheck)).toEqual(sum);
});
