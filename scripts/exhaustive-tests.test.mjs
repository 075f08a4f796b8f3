// Proves which tests a run of one package leaves out, and that the list names files that exist.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { exhaustive, findLeftOut, LeftOut } from './exhaustive-tests.mjs';

const file = 'packages/ambit/test/json-schema/suite.test.ts';

test.each(Object.entries(exhaustive))('%s exists, and has a reason: it %s', (path, reason) => {
  expect(existsSync(fileURLToPath(new URL(`../${path}`, import.meta.url)))).toBe(true);
  expect(reason).not.toBe('');
});

test.each([
  [['run', 'packages/ambit'], true],
  [['packages/ambit/'], true],
  [['run', './packages/ambit/test'], true],
  [['run', 'packages/ambit', 'packages/openapi', '--bail', '1'], true],
  [['run'], false],
  [['run', 'packages/openapi'], false],
  [['run', file], false],
  [['run', 'suite'], false],
  [['run', 'packages/ambit', 'json-schema/suite'], false],
  [['run', 'packages/ambit', '--project', 'packages'], false],
  [['run', 'packages/ambit', '--project=packages'], false],
  [['run', 'packages/ambit', '--coverage'], false],
])('whether `vitest %j` leaves out a file of the list: %j', (args, isLeftOut) => {
  expect(findLeftOut(args).includes(file)).toBe(isLeftOut);
});

test.each(['test', 'ci', 'nightly'])('at the level %s, nothing is left out', (TEST_LEVEL) => {
  expect(findLeftOut(['run', 'packages/ambit'], { TEST_LEVEL })).toEqual([]);
});

test('the run says how many files it has left out, and how to run them', () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  new LeftOut([]).onTestRunEnd();
  new LeftOut([file, 'other.test.ts']).onTestRunEnd();
  const lines = log.mock.calls.flat();
  log.mockRestore();
  expect(lines).toEqual([expect.stringContaining('2 files were left out')]);
  expect(lines[0]).toContain(`npx vitest run ${file}`);
});
