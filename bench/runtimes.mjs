// Finds the runtimes of the servers: versions of Node in .cache, and Bun and Deno in bench/node_modules if they run here.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { provideNode, readVersion } from '../scripts/provide-node.mjs';

const require = createRequire(import.meta.url);

/** @typedef {{ executable: string, version: string }} Runtime */

/** The current LTS line comes first, because the page is about it. */
export const nodeMajors = [26, 24, 20];

const runtimeCache = new Map();

/** @returns {Runtime} @throws when the package registry has no binary that runs here. */
export function findNode(/** @type {number} */ major) {
  let runtime = runtimeCache.get(major);
  if (runtime === undefined) {
    const executable = provideNode(major);
    if (executable === undefined) throw new Error(`Node ${major} does not run here`);
    runtime = { executable, version: readVersion(executable) };
    runtimeCache.set(major, runtime);
  }
  return runtime;
}

/** @type {Record<string, Runtime | undefined>} The runtimes of npm packages; `undefined` if there is no binary that runs here. */
export const otherRuntimes = {
  bun: describe('bun/bin/bun.exe'),
  // The package `deno` only selects a package such as this one.
  deno: describe('@deno/linux-x64-glibc/deno'),
};

/** @returns {boolean} */
export const runsHere = (/** @type {string} */ name) => name === 'node' || otherRuntimes[name] !== undefined;

/** @returns {Runtime | undefined} */
function describe(/** @type {string} */ file) {
  const executable = locate(file);
  if (executable === undefined) return undefined;
  const { status, stdout } = spawnSync(executable, ['--version'], { encoding: 'utf8' });
  return status === 0 ? { executable, version: /\d+\.\d+\.\d+/.exec(stdout)[0] } : undefined;
}

function locate(/** @type {string} */ file) {
  try {
    return require.resolve(file);
  } catch {
    return undefined;
  }
}
