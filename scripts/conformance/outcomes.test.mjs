// Tests that every reachable test has an outcome, whatever the runner reports.
import { expect, test } from 'vitest';
import { countTests, isFailure, listOutcomes, listPassing, mergeResults } from './outcomes.mjs';

const pass = { status: 'pass' };
const fail = { status: 'fail', error: 'no' };

test('a test without a result is missing, in a file that ran and in a file that did not', () => {
  const reachable = { 'a.js': ['one', 'two'], 'b.js': ['three'] };
  expect(listOutcomes(reachable, { 'a.js': { one: pass } })).toEqual([
    { file: 'a.js', test: 'one', status: 'pass' },
    { file: 'a.js', test: 'two', status: 'missing' },
    { file: 'b.js', test: 'three', status: 'missing' },
  ]);
});

test('a test that only Fastify can pass has no outcome', () => {
  expect(listOutcomes({ 'a.js': [] }, { 'a.js': { internal: fail } })).toEqual([]);
});

test('a failure keeps its error', () => {
  expect(listOutcomes({ 'a.js': ['one'] }, { 'a.js': { one: fail } })).toEqual([
    { file: 'a.js', test: 'one', status: 'fail', error: 'no' },
  ]);
});

for (const [status, isOne] of [
  ['fail', true],
  ['missing', true],
  ['pass', false],
  ['skip', false],
  ['todo', false],
]) {
  test(`${status} is ${isOne ? 'a' : 'no'} failure`, () => {
    expect(isFailure({ status })).toBe(isOne);
  });
}

test('in the merged results of two runs, a test passes if it passed in either', () => {
  const first = { 'a.js': { one: pass, two: fail, three: fail } };
  const second = { 'a.js': { one: fail, two: pass, three: fail } };
  expect(mergeResults(first, second)).toEqual({ 'a.js': { one: pass, two: pass, three: fail } });
});

test('a second run of some files does not change the results of the others', () => {
  const first = { 'a.js': { one: pass }, 'b.js': { two: fail } };
  expect(mergeResults(first, { 'b.js': { two: pass } })).toEqual({
    'a.js': { one: pass },
    'b.js': { two: pass },
  });
});

test('a total counts tests with a result and reachable tests, each once', () => {
  const results = { 'a.js': { one: pass, internal: fail }, 'c.js': { '<file>': pass } };
  expect(countTests({ 'a.js': ['one', 'two'], 'b.js': ['three'] }, results)).toEqual({
    'a.js': 3,
    'b.js': 1,
    'c.js': 0,
  });
});

test('only tests that passed are listed, and no file without such tests', () => {
  const results = { 'a.js': { one: pass, two: fail, '<file>': pass }, 'b.js': { three: fail } };
  expect(listPassing(results)).toEqual({ 'a.js': ['one'] });
});
