import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { testsOfModules, versionTests } from './node-matrix.mjs';

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

const files = readdirSync(packages, { recursive: true })
  .filter((name) => name.endsWith('.test.ts') && !name.includes('node_modules'))
  .map((name) => `packages/${name}`);

test.each(versionTests)('there are tests of %s', (part) => {
  expect(files.some((file) => file.includes(part))).toBe(true);
});
