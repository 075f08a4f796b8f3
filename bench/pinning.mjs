// Selects the cores: servers run on core 0, the load generator and this process on core 1.
import { spawnSync } from 'node:child_process';

const serverCore = '0';
const loadCore = '1';

const succeeds = (/** @type {string[]} */ args) => spawnSync('taskset', args).status === 0;

/** False if there is no `taskset` or no second core. Then the benchmark runs without pinning, and the report says so. */
export const isPinned =
  succeeds(['-c', serverCore, 'true']) && succeeds(['--all-tasks', '-cp', loadCore, `${process.pid}`]);

const onCore = (core, executable) => (isPinned ? ['taskset', '-c', core, executable] : [executable]);

/** The command that runs something on the servers' core. */
export const onServerCore = (/** @type {string} */ executable) => onCore(serverCore, executable);

/** The command that runs something on the core of the load generator. */
export const onLoadCore = (/** @type {string} */ executable) => onCore(loadCore, executable);
