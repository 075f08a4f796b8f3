// Tests that every reachable test has an outcome, whatever the runner reports, and that each kind of unexpected result is found.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  checkRatchet,
  countTests,
  filesToRetry,
  listOutcomes,
  mergeResults,
  readReachable,
} from './ratchet.mjs';

const pass = { status: 'pass' };
const fail = { status: 'fail', error: 'no' };
const outcome = (name, status, file = 'a.js') => ({ file, test: name, status, error: undefined });
const entry = (name, file = 'a.js') => ({ file, test: name });
const none = { regressed: [], stale: [], gained: [], onPurpose: [], open: [] };

test('a test without a result is missing, in a file that ran and in a file that did not', () => {
  const reachable = { 'a.js': { tests: ['one', 'two'] }, 'b.js': { tests: ['three'] } };
  expect(listOutcomes(reachable, { 'a.js': { one: pass, internal: fail } }, [])).toEqual([
    outcome('one', 'pass'),
    outcome('two', 'missing'),
    outcome('three', 'missing', 'b.js'),
  ]);
});

test('of a file whose tests are only counted, all but the others must pass, and as many as there were', () => {
  const reachable = { 'a.js': { count: 3, others: ['internal'] } };
  const results = { 'a.js': { one: pass, two: fail, internal: fail, '<file>': pass } };
  expect(listOutcomes(reachable, results, [])).toEqual([
    outcome('one', 'pass'),
    { ...outcome('two', 'fail'), error: 'no' },
    outcome('a test', 'missing'),
  ]);
  expect(listOutcomes(reachable, {}, [entry('two')])[0]).toEqual(outcome('two', 'missing'));
});

test('the tests that the reference passes are counted, and the others named', () => {
  const results = {
    'a.js': { one: pass, two: fail, '<file>': pass },
    'b.js': { three: fail },
    'c.js': { four: pass },
  };
  expect(readReachable(results)).toEqual({ 'a.js': { count: 1, others: ['two'] }, 'c.js': { count: 1 } });
});

test('in the merged results of two runs, a test passes if it passed in either', () => {
  const first = { 'a.js': { one: pass, two: fail, three: fail }, 'b.js': { four: fail } };
  const second = { 'a.js': { one: fail, two: pass, three: fail } };
  expect(mergeResults(first, second)).toEqual({ ...first, 'a.js': { one: pass, two: pass, three: fail } });
});

test('a total counts tests with a result and reachable tests, each once', () => {
  const outcomes = [outcome('one', 'pass'), outcome('two', 'missing'), outcome('three', 'missing', 'b.js')];
  const results = { 'a.js': { one: pass, internal: fail }, 'c.js': { '<file>': pass } };
  expect(countTests(outcomes, results)).toEqual({ 'a.js': 3, 'b.js': 1, 'c.js': 0 });
});

test.each(['fail', 'missing'])(
  'a test with the outcome %s is a regression, unless it is listed',
  (status) => {
    const lost = outcome('one', status);
    const others = [outcome('two', 'pass'), outcome('three', 'skip'), outcome('four', 'todo')];
    const one = [entry('one')];
    const check = (onPurpose, open) => checkRatchet([lost, ...others], { onPurpose, open });
    expect(check([], [])).toEqual({ ...none, regressed: [lost] });
    expect(check([entry('one', 'b.js')], []).regressed).toEqual([lost]);
    expect(check(one, [])).toEqual({ ...none, onPurpose: one });
    expect(check([], one)).toEqual({ ...none, open: one });
    // An open test that got a reason is no longer open.
    expect(check(one, one)).toEqual({ ...none, onPurpose: one });
  },
);

test('a reason is stale when its test passes or does not exist, but not when the suite skips it', () => {
  const outcomes = [outcome('one', 'pass'), outcome('two', 'skip')];
  const onPurpose = ['one', 'gone', 'two'].map((name) => entry(name));
  expect(checkRatchet(outcomes, { onPurpose, open: [] }).stale).toEqual(onPurpose.slice(0, 2));
});

test('an open test that passes is gained', () => {
  const open = [entry('one')];
  expect(checkRatchet([outcome('one', 'pass')], { onPurpose: [], open })).toEqual({ ...none, gained: open });
});

test.each([
  [20, 20],
  [21, 0],
])('of %i files with two regressions each, %i run again', (count, retried) => {
  const files = Array.from({ length: count }, (_, index) => `${index}.js`);
  const regressed = files.flatMap((file) => [outcome('one', 'fail', file), outcome('two', 'missing', file)]);
  expect(filesToRetry({ regressed })).toHaveLength(retried);
});

test('every test that fails on purpose has a reason of one line', () => {
  const entries = JSON.parse(readFileSync(new URL('on-purpose.json', import.meta.url), 'utf8'));
  for (const [file, tests] of Object.entries(entries)) {
    expect(file).toMatch(/^test\/.+\.test\.m?js$/);
    for (const reason of Object.values(tests)) expect(reason).toMatch(/^[A-Z].{30,300}\.$/);
  }
});
