// Tests that the sum at the end of CI is never `0 failed` if something has failed, and that each failure is listed.
import { expect, test } from 'vitest';
import { describeRun, sumCounts } from './test-counts.mjs';

/** A test file with its tests, each `[name, state, errors, flaky]`. */
const moduleOf = (tests, moduleErrors = [], suiteErrors = []) => ({
  relativeModuleId: 'a.test.ts',
  errors: () => moduleErrors,
  children: {
    allSuites: () => [{ fullName: 'closing', errors: () => suiteErrors }],
    allTests: () =>
      tests.map(([fullName, state, errors, flaky]) => ({
        fullName,
        result: () => ({ state, errors }),
        diagnostic: () => ({ flaky }),
      })),
  },
});

test('passed tests are counted, skipped ones are not', () => {
  const modules = [
    moduleOf([
      ['one', 'passed'],
      ['two', 'skipped'],
    ]),
    moduleOf([['three', 'passed']]),
  ];
  expect(describeRun(modules, [])).toEqual({ passed: 2, failures: [], unstable: [] });
});

test('a failed test or hook, a file that did not load and a stray error are failures, each with its location and its error', () => {
  const stack = 'AssertionError: no\n  at a.test.ts:3:1\n  at /node_modules/vitest/index.js';
  const failing = moduleOf(
    [['one', 'failed', [{ message: 'no', stack }]]],
    [{ message: 'syntax' }],
    [{ message: 'hook' }],
  );
  expect(describeRun([failing], [{ message: 'stray' }]).failures).toEqual([
    'outside of any test\n    stray',
    'a.test.ts\n    syntax',
    'a.test.ts > closing\n    hook',
    'a.test.ts > one\n    AssertionError: no\n    at a.test.ts:3:1',
  ]);
});

test('a test that passed when it was retried is listed with its failure', () => {
  const modules = [
    moduleOf([
      ['unstable', 'passed', [{ message: 'no' }], true],
      ['stable', 'passed'],
    ]),
  ];
  expect(describeRun(modules, []).unstable).toEqual(['a.test.ts > unstable\n    no']);
});

test.each([
  [
    'runs add up',
    [
      { passed: 2, failures: [] },
      { passed: 3, failures: ['one'] },
    ],
    true,
    { passed: 5, failed: 1 },
  ],
  [
    'a failed check without a failed test is a failure',
    [{ passed: 2, failures: [] }],
    true,
    { passed: 2, failed: 1 },
  ],
  ['no test at all is a failure', [], false, { passed: 0, failed: 1 }],
  ['a run without failures has none', [{ passed: 2, failures: [] }], false, { passed: 2, failed: 0 }],
])('%s', (_, runs, hasFailedCheck, sum) => {
  expect(sumCounts(runs, hasFailedCheck)).toEqual(sum);
});
