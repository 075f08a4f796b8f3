// Tests that the runner is found in its folder, and that a missing runner is explained.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { describeMissing, peerSuiteFolder, readReachable } from './peer-suite.mjs';

let folder;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'peer-suite-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the runner is next to the repository, unless a variable sets its folder', () => {
  expect(peerSuiteFolder({})).toBe(resolve('../shared/peer-suite'));
  expect(peerSuiteFolder({ AMBIT_SHARED: '/elsewhere' })).toBe(resolve('/elsewhere/peer-suite'));
});

test('a missing file is named with its folder and the variable', () => {
  writeFileSync(join(folder, 'reachable.json'), '{}');
  expect(describeMissing(folder)).toContain(`run-suite.mjs not found in ${folder}; set AMBIT_SHARED`);
});

test('nothing is missing when both files are there', () => {
  for (const name of ['run-suite.mjs', 'reachable.json']) writeFileSync(join(folder, name), '');
  expect(describeMissing(folder)).toBeUndefined();
});

test('only tests that other implementations can pass are reachable', () => {
  const tests = { one: { status: 'pass' }, two: { status: 'skip' }, '<file>': { status: 'pass' } };
  writeFileSync(join(folder, 'reachable.json'), JSON.stringify({ files: { 'test/a.test.js': { tests } } }));
  expect(readReachable(folder)).toEqual({ 'test/a.test.js': ['one'] });
});
