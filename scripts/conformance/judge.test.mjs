// Proves that the ratchet finds each kind of unexpected result, and accepts everything else.
import { expect, test } from 'vitest';
import { filesInDoubt, judge } from './judge.mjs';

const outcome = (name, status, file = 'a.js') => ({ file, test: name, status, error: undefined });
const entry = (name, file = 'a.js') => ({ file, test: name });
const none = { stopped: [], stale: [], gained: [], onPurpose: [], open: [] };
const nothingListed = { onPurpose: [], open: [] };

test('a run where everything passes has nothing to say', () => {
  expect(judge([outcome('one', 'pass')], nothingListed)).toEqual(none);
});

for (const status of ['fail', 'missing']) {
  test(`a test on no list with the outcome ${status} has stopped passing`, () => {
    const lost = outcome('one', status);
    expect(judge([lost, outcome('two', 'pass')], nothingListed)).toEqual({ ...none, stopped: [lost] });
  });

  test(`a test listed as failing on purpose may have the outcome ${status}`, () => {
    const onPurpose = [entry('one')];
    expect(judge([outcome('one', status)], { onPurpose, open: [] })).toEqual({ ...none, onPurpose });
  });

  test(`an open test may have the outcome ${status}`, () => {
    const open = [entry('one')];
    expect(judge([outcome('one', status)], { onPurpose: [], open })).toEqual({ ...none, open });
  });
}

test('a test of the same name in another file is another test', () => {
  const lost = outcome('one', 'fail', 'b.js');
  const onPurpose = [entry('one')];
  expect(judge([outcome('one', 'fail'), lost], { onPurpose, open: [] }).stopped).toEqual([lost]);
});

test('a reason is stale when its test passes, and when there is no such test', () => {
  const onPurpose = [entry('one'), entry('gone')];
  expect(judge([outcome('one', 'pass')], { onPurpose, open: [] })).toEqual({ ...none, stale: onPurpose });
});

test('a reason is not stale where the suite leaves its test out', () => {
  expect(judge([outcome('one', 'skip')], { onPurpose: [entry('one')], open: [] })).toEqual(none);
});

test('an open test that passes is gained', () => {
  const open = [entry('one')];
  expect(judge([outcome('one', 'pass')], { onPurpose: [], open })).toEqual({ ...none, gained: open });
});

test('a file with several lost tests is in doubt once', () => {
  const stopped = [
    outcome('one', 'fail', 'b.js'),
    outcome('two', 'fail', 'b.js'),
    outcome('three', 'missing'),
  ];
  expect(filesInDoubt({ stopped })).toEqual(['a.js', 'b.js']);
});

for (const [count, doubtful] of [
  [20, 20],
  [21, 0],
]) {
  test(`of ${count} files with lost tests ${doubtful} are in doubt`, () => {
    const stopped = Array.from({ length: count }, (_, index) => outcome('one', 'fail', `${index}.js`));
    expect(filesInDoubt({ stopped })).toHaveLength(doubtful);
  });
}

test('an open test that got a reason is no longer open', () => {
  const both = { onPurpose: [entry('one')], open: [entry('one')] };
  expect(judge([outcome('one', 'fail')], both)).toEqual({ ...none, onPurpose: both.onPurpose });
});
