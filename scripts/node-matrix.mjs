// Repeats the test suite on other major versions of Node: `node scripts/node-matrix.mjs 22 24 26`.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { provideNode } from './provide-node.mjs';
import { runStep } from './steps.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const vitest = `${root}node_modules/vitest/vitest.mjs`;

function runTests(major) {
  const binary = provideNode(major);
  if (binary === undefined) {
    console.error(`node-matrix: the npm package node@${major} contains no binary for this machine`);
    return 1;
  }
  return spawnSync(binary, [vitest, 'run'], { cwd: root, stdio: 'inherit' }).status ?? 1;
}

const majors = process.argv.slice(2);
if (majors.length === 0) throw new Error('usage: node scripts/node-matrix.mjs <major> ...');
const failed = majors.filter((major) => !runStep(`tests on Node ${major}`, () => runTests(major)));
if (failed.length > 0) console.error(`node-matrix: FAILED on Node ${failed.join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;
