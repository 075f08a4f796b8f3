// Finds the runner of the suite, which stands beside the repository, and what it says about the suite.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The folder that holds `peer-suite/`, when it is not `../shared`. */
const sharedVariable = 'AMBIT_SHARED';

/** Where the runner should be. */
export function peerSuiteFolder(env = process.env) {
  return resolve(env[sharedVariable] ?? '../shared', 'peer-suite');
}

/** Says why there is nothing to run, or `undefined` when there is. */
export function describeMissing(folder) {
  const missing = ['run-suite.mjs', 'reachable.json'].filter((name) => !existsSync(join(folder, name)));
  if (missing.length === 0) return undefined;
  return `${missing.join(' and ')} not found in ${folder}; set ${sharedVariable} to the folder above it`;
}

/** Names of the tests of the ratchet that another implementation can pass, by file. */
export function readReachable(folder) {
  const { files } = JSON.parse(readFileSync(join(folder, 'reachable.json'), 'utf8'));
  return Object.fromEntries(
    Object.entries(files).map(([file, { tests }]) => [
      file,
      Object.keys(tests).filter((name) => tests[name].status === 'pass' && name !== '<file>'),
    ]),
  );
}
