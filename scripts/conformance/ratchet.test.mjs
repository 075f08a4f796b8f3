// Tests that every reachable test has an outcome, whatever the runner reports, and that each kind of unexpected result is found.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkRatchet, listOutcomes, mergeResults } from './ratchet.mjs';

const pass = { status: 'pass' };
const fail = { status: 'fail', error: 'no' };
const outcome = (name, status, file = 'a.js') => ({ file, test: name, status, error: undefined });

test('a test without a result is missing, in a file that ran and in a file that did not', () => {
  const reachable = { 'a.js': { tests: ['one', 'two'] }, 'b.js': { tests: ['three'] } };
  expect(listOutcomes(reachable, { 'a.js': { one: pass, internal: fail } }, {})).toEqual([
    outcome('one', 'pass'),
    outcome('two', 'missing'),
    outcome('three', 'missing', 'b.js'),
  ]);
});

test('of a file whose tests are only counted, all but the others must pass, and as many as there were', () => {
  const reachable = { 'a.js': { count: 3, others: ['internal'] } };
  const results = { 'a.js': { one: pass, two: fail, internal: fail, '<file>': pass } };
  expect(listOutcomes(reachable, results, {})).toEqual([
    outcome('one', 'pass'),
    { ...outcome('two', 'fail'), error: 'no' },
    outcome('a test', 'missing'),
  ]);
  expect(listOutcomes(reachable, {}, { 'a.js': { two: 'reason' } })[0]).toEqual(outcome('two', 'missing'));
});

test('in the merged results of two runs, a test passes if it passed in either', () => {
  const first = { 'a.js': { one: pass, two: fail, three: fail }, 'b.js': { four: fail } };
  const second = { 'a.js': { one: fail, two: pass, three: fail } };
  expect(mergeResults(first, second)).toEqual({ ...first, 'a.js': { one: pass, two: pass, three: fail } });
});

test.each(['fail', 'missing'])(
  'a test with the outcome %s is a regression, unless it is listed',
  (status) => {
    const lost = outcome('one', status);
    const outcomes = [lost, outcome('two', 'pass'), outcome('three', 'skip'), outcome('four', 'todo')];
    expect(checkRatchet(outcomes, {})).toEqual({ regressed: [lost], stale: [] });
    expect(checkRatchet(outcomes, { 'b.js': { one: 'reason' } }).regressed).toEqual([lost]);
    expect(checkRatchet(outcomes, { 'a.js': { one: 'reason' } })).toEqual({ regressed: [], stale: [] });
  },
);

test('a reason is stale when its test passes or does not exist, but not when the suite skips it', () => {
  const failing = { 'a.js': { one: 'reason', gone: 'reason', two: 'reason' } };
  const { stale } = checkRatchet([outcome('one', 'pass'), outcome('two', 'skip')], failing);
  expect(stale.map((it) => it.test)).toEqual(['one', 'gone']);
});

test('every test that may fail has a reason of one line', () => {
  const entries = JSON.parse(readFileSync(new URL('failing.json', import.meta.url), 'utf8'));
  for (const [file, tests] of Object.entries(entries)) {
    expect(file).toMatch(/^test\/.+\.test\.m?js$/);
    for (const reason of Object.values(tests)) expect(reason).toMatch(/^[A-Z].{30,300}\.$/);
  }
});
