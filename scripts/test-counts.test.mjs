// Proves that the sum at the end of CI never says `0 failed` if something has failed.
import { expect, test } from 'vitest';
import { countTests, sumCounts } from './test-counts.mjs';

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
