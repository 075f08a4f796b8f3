// Tests that the ratchet finds each kind of unexpected result, and accepts all other results.
import { expect, test } from 'vitest';
import { checkRatchet, filesToRetry } from './ratchet.mjs';

const outcome = (name, status, file = 'a.js') => ({ file, test: name, status, error: undefined });
const entry = (name, file = 'a.js') => ({ file, test: name });
const none = { regressed: [], stale: [], gained: [], onPurpose: [], open: [] };
const nothingListed = { onPurpose: [], open: [] };

test('a run in which all tests pass reports nothing', () => {
  expect(checkRatchet([outcome('one', 'pass')], nothingListed)).toEqual(none);
});

for (const status of ['fail', 'missing']) {
  test(`a test that is not listed and has the outcome ${status} is a regression`, () => {
    const lost = outcome('one', status);
    expect(checkRatchet([lost, outcome('two', 'pass')], nothingListed)).toEqual({
      ...none,
      regressed: [lost],
    });
  });

  test(`a test listed as failing on purpose may have the outcome ${status}`, () => {
    const onPurpose = [entry('one')];
    expect(checkRatchet([outcome('one', status)], { onPurpose, open: [] })).toEqual({ ...none, onPurpose });
  });

  test(`an open test may have the outcome ${status}`, () => {
    const open = [entry('one')];
    expect(checkRatchet([outcome('one', status)], { onPurpose: [], open })).toEqual({ ...none, open });
  });
}

test('a test of the same name in another file is another test', () => {
  const lost = outcome('one', 'fail', 'b.js');
  const onPurpose = [entry('one')];
  expect(checkRatchet([outcome('one', 'fail'), lost], { onPurpose, open: [] }).regressed).toEqual([lost]);
});

test('a reason is stale when its test passes, and when there is no such test', () => {
  const onPurpose = [entry('one'), entry('gone')];
  expect(checkRatchet([outcome('one', 'pass')], { onPurpose, open: [] })).toEqual({
    ...none,
    stale: onPurpose,
  });
});

test('a reason is not stale if the suite skips its test', () => {
  expect(checkRatchet([outcome('one', 'skip')], { onPurpose: [entry('one')], open: [] })).toEqual(none);
});

test('an open test that passes is gained', () => {
  const open = [entry('one')];
  expect(checkRatchet([outcome('one', 'pass')], { onPurpose: [], open })).toEqual({ ...none, gained: open });
});

test('a file with several regressions runs again once', () => {
  const regressed = [
    outcome('one', 'fail', 'b.js'),
    outcome('two', 'fail', 'b.js'),
    outcome('three', 'missing'),
  ];
  expect(filesToRetry({ regressed })).toEqual(['a.js', 'b.js']);
});

for (const [count, retried] of [
  [20, 20],
  [21, 0],
]) {
  test(`of ${count} files with regressions, ${retried} run again`, () => {
    const regressed = Array.from({ length: count }, (_, index) => outcome('one', 'fail', `${index}.js`));
    expect(filesToRetry({ regressed })).toHaveLength(retried);
  });
}

test('an open test that got a reason is no longer open', () => {
  const both = { onPurpose: [entry('one')], open: [entry('one')] };
  expect(checkRatchet([outcome('one', 'fail')], both)).toEqual({ ...none, onPurpose: both.onPurpose });
});
