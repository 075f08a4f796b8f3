// Tests what `npm run add` copies to an application, that npm installs it from there, and what is wrong usage.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { vendorPackages } from './add.mjs';
import { root } from './steps.mjs';

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'add-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

const run = (cwd, program, ...args) => spawnSync(program, args, { cwd, encoding: 'utf8' });

test.each([
  [[], ''],
  [['app'], ''],
  [['app', 'ambit', 'no-such'], 'add: there is no package `no-such`\n'],
])('%j is wrong usage, and writes nothing', (args, reason) => {
  const folder = makeFolder();
  const { status, stdout, stderr } = run(folder, process.execPath, `${root}scripts/add.mjs`, ...args);
  expect([status, stdout]).toEqual([2, '']);
  expect(stderr.startsWith(`${reason}usage: npm run add -- <folder> <package>`)).toBe(true);
  expect(stderr).toMatch(/^Packages: .*ambit, .*, fastify \(which is @ambit\/fastify\)\n$/m);
  expect(readdirSync(folder)).toEqual([]);
});

test('a package comes with those that it needs, each once, and the facade has the name that was asked for', () => {
  const folder = makeFolder();
  const vendored = vendorPackages(folder, ['fastify', '@ambit/inspector']);
  const names = ['fastify', 'ambit', '@ambit/inspector', '@ambit/readable', '@ambit/json-schema'];
  expect(Object.keys(vendored)).toEqual(expect.arrayContaining(names));
  expect(Object.values(vendored).sort()).toEqual(
    readdirSync(join(folder, 'vendor')).map((file) => `file:vendor/${file}`),
  );
});

test('npm installs what was copied, without the network', () => {
  const folder = makeFolder();
  const [[name, place]] = Object.entries(vendorPackages(folder, ['@ambit/json-schema']));
  expect(run(folder, 'npm', 'install', '--offline', `${name}@${place}`).status).toBe(0);
  const program = `console.log(typeof require('${name}').Registry)`;
  expect(run(folder, process.execPath, '-e', program).stdout).toBe('function\n');
});
