import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { listVersionTests, testsOfModules } from './node-matrix.mjs';

const packages = new URL('../packages/', import.meta.url);

/** Modules of Node whose use is the same on all versions: calculations, files and times. */
const stable = ['buffer', 'crypto', 'events', 'fs', 'os', 'path', 'perf_hooks', 'timers', 'url', 'util'];

/** The modules of Node that sources of the packages import. */
function listImportedModules() {
  const sources = readdirSync(packages, { recursive: true }).filter(
    (name) => /^[\w-]+\/src\/.*\.ts$/.test(name) && !/\.(?:test|test-d)\.ts$/.test(name),
  );
  const texts = sources.map((name) => readFileSync(new URL(name, packages), 'utf8'));
  return [...new Set(texts.flatMap((text) => text.match(/(?<=['"]node:)\w+/g) ?? []))].sort();
}

test('for each module of Node that packages use, the list has the tests that other versions repeat, or it is stable', () => {
  expect(listImportedModules()).toEqual([...Object.keys(testsOfModules), ...stable].sort());
});

test.each(['22', '24'])('the tests for Node %s exist', (major) => {
  const files = readdirSync(packages, { recursive: true }).map((name) => `packages/${name}`);
  for (const listed of listVersionTests(major))
    expect(files.filter((file) => file.startsWith(listed) && file.endsWith('.test.ts'))).not.toEqual([]);
});

test('of the tests for other versions, some are run on Node 22', () => {
  for (const listed of listVersionTests('22'))
    expect(
      listVersionTests('24').some((other) => listed.startsWith(other)),
      listed,
    ).toBe(true);
});
