// What a run uses of the machine: cores and runtimes, and their description for the report.
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { cpus, release, totalmem, type } from 'node:os';
import { provideNode, readVersion } from '../scripts/provide-node.mjs';

const [serverCore, loadCore] = ['0', '1'];
const succeeds = (/** @type {string[]} */ args) => spawnSync('taskset', args).status === 0;

/** Whether servers run on core 0, the load generator and this process on core 1. Otherwise the report says so. */
export const isPinned =
  succeeds(['-c', serverCore, 'true']) && succeeds(['--all-tasks', '-cp', loadCore, `${process.pid}`]);

const onCore = (core, command) => (isPinned ? ['taskset', '-c', core, ...command] : command);
export const onServerCore = (/** @type {string[]} */ ...command) => onCore(serverCore, command);
export const onLoadCore = (/** @type {string[]} */ ...command) => onCore(loadCore, command);

/** The documentation of every peer recommends this for production. Without it, some write a long explanation for each error. */
export const serverEnv = { ...process.env, NODE_ENV: 'production', DENO_NO_UPDATE_CHECK: '1' };

/** @typedef {{ command: string[], version: string }} Runtime `command` runs the script that follows it. */

/** The current LTS line comes first, because the page is about it. */
export const nodeMajors = [26, 24, 20];

/** @returns {Runtime} @throws if the package registry has no binary that runs here. */
export function findNode(/** @type {number} */ major) {
  const executable = provideNode(major);
  if (executable === undefined) throw new Error(`Node ${major} does not run here`);
  return { command: [executable], version: readVersion(executable) };
}

/** @type {Record<string, Runtime | undefined>} Those of npm packages; `undefined` if there is no binary that runs here. */
export const otherRuntimes = {
  bun: findRuntime('bun/bin/bun.exe'),
  // The package `deno` only selects a package such as this one. With its flags, Deno uses the installed packages of npm.
  deno: findRuntime('@deno/linux-x64-glibc/deno', 'run', '--allow-all', '--node-modules-dir=manual'),
};

function findRuntime(/** @type {string} */ file, /** @type {string[]} */ ...flags) {
  try {
    const executable = createRequire(import.meta.url).resolve(file);
    const { status, stdout } = spawnSync(executable, ['--version'], { encoding: 'utf8' });
    if (status === 0) return { command: [executable, ...flags], version: /\d+\.\d+\.\d+/.exec(stdout)[0] };
  } catch {}
}

/** Lines with what readers need to interpret a figure. The commit has the versions of all packages in its manifests. */
export function describeMachine(/** @type {number[]} */ nodes) {
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout?.trim();
  const nodeVersions = nodes.map((major) => findNode(major).version).join(', ');
  const others = Object.entries(otherRuntimes).map(([name, found]) => `${name} ${found?.version ?? 'none'}`);
  const memoryGb = Math.round(totalmem() / 2 ** 30);
  return [
    `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, commit ${commit || 'unknown'}`,
    `${cpus()[0].model.trim()}, ${cpus().length} cores, ${memoryGb} GB; ${type()} ${release()}, ${process.arch}`,
    isPinned ? 'servers on core 0, load on core 1' : 'NOT PINNED (no `taskset`, or no core 0 and 1)',
    [`Node ${nodeVersions}`, ...others].join(', '),
  ];
}
