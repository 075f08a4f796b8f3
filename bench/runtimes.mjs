// Owns what runs the servers: this Node, and the Bun of bench/node_modules where there is one that runs on this machine.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

function findBun() {
  try {
    return require.resolve('bun/bin/bun.exe');
  } catch {
    return undefined;
  }
}

function describeBun() {
  const executable = findBun();
  if (executable === undefined) return undefined;
  const { status, stdout } = spawnSync(executable, ['--version'], { encoding: 'utf8' });
  return status === 0 ? { executable, version: stdout.trim() } : undefined;
}

/** @type {{ node: Runtime, bun: Runtime | undefined }} `bun` is undefined where it does not run. */
export const runtimes = {
  node: { executable: process.execPath, version: process.versions.node },
  bun: describeBun(),
};

/** @typedef {{ executable: string, version: string }} Runtime */
