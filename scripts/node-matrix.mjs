// Repeats the test suite on other Node majors: `node scripts/node-matrix.mjs 22 24 26`.
// The npm package `node` brings each binary into .cache, away from the workspace's own dependencies.
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { isWindows, npm, runStep } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = `${root}node_modules/vitest/vitest.mjs`;

/** Folder of a Node major's binary, installed on first use; undefined when no binary of that major runs there. */
function provideNode(major) {
  const folder = `${root}.cache/node-${major}`;
  const binary = `${folder}/node_modules/node/bin/node${isWindows ? '.exe' : ''}`;
  if (readMajor(binary) === major) return binary;
  mkdirSync(folder, { recursive: true });
  // The package links its binary in an install script, which a user's npm may switch off.
  npm([
    'install',
    '--prefix',
    folder,
    '--ignore-scripts=false',
    '--no-save',
    '--loglevel=error',
    `node@${major}`,
  ]);
  return readMajor(binary) === major ? binary : undefined;
}

function readMajor(binary) {
  const { stdout, status } = spawnSync(binary, ['--version'], { encoding: 'utf8' });
  return status === 0 ? stdout.slice(1).split('.')[0] : undefined;
}

function runTests(major) {
  const binary = provideNode(major);
  if (binary === undefined) {
    console.error(`node-matrix: the npm package node@${major} brought no binary that runs here`);
    return 1;
  }
  return spawnSync(binary, [vitest, 'run'], { cwd: root, stdio: 'inherit' }).status ?? 1;
}

const majors = process.argv.slice(2);
if (majors.length === 0) throw new Error('usage: node scripts/node-matrix.mjs <major> ...');
const failed = majors.filter((major) => !runStep(`tests on Node ${major}`, () => runTests(major)));
if (failed.length > 0) console.error(`node-matrix: FAILED on Node ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
