// Owns which core runs what: servers on core 0, the load generator (this process) on core 1.
import { spawnSync } from 'node:child_process';

const serverCore = '0';
const loadCore = '1';

const succeeds = (/** @type {string[]} */ args) => spawnSync('taskset', args).status === 0;

/** False where there is no `taskset` or no second core; the benchmark then runs unpinned and says so. */
export const isPinned =
  succeeds(['-c', serverCore, 'true']) && succeeds(['--all-tasks', '-cp', loadCore, `${process.pid}`]);

/** The command that runs node on the servers' core. */
export const serverCommand = isPinned ? ['taskset', '-c', serverCore, process.execPath] : [process.execPath];
