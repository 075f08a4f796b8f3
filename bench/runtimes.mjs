// Owns the runtimes of the servers: versions of Node from .cache, and the Bun of bench/node_modules if it runs here.

import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { provideNode, readVersion } from '../scripts/provide-node.mjs';

const require = createRequire(import.meta.url);

/** @typedef {{ executable: string, version: string }} Runtime */

/** The current LTS line comes first, because the page is about it. */
export const nodeMajors = [26, 24, 20];

const known = new Map();

/** @returns {Runtime} @throws when the package registry has no binary that runs here. */
export function findNode(/** @type {number} */ major) {
  let runtime = known.get(major);
  if (runtime === undefined) {
    const executable = provideNode(major);
    if (executable === undefined) throw new Error(`Node ${major} does not run here`);
    runtime = { executable, version: readVersion(executable) };
    known.set(major, runtime);
  }
  return runtime;
}

/** @type {Runtime | undefined} */
export const bun = describeBun();

function describeBun() {
  const executable = locateBun();
  if (executable === undefined) return undefined;
  const { status, stdout } = spawnSync(executable, ['--version'], { encoding: 'utf8' });
  return status === 0 ? { executable, version: stdout.trim() } : undefined;
}

function locateBun() {
  try {
    return require.resolve('bun/bin/bun.exe');
  } catch {
    return undefined;
  }
}
