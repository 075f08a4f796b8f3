// Finds the runner of the suite, which is next to the repository, and reads its list of reachable tests.
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** The variable with the folder that contains `peer-suite/`, if this is not `../shared`. */
const sharedVariable = 'AMBIT_SHARED';

/** The folder in which the runner should be. */
export function peerSuiteFolder(env = process.env) {
  return resolve(env[sharedVariable] ?? '../shared', 'peer-suite');
}

/** Explains why the tests cannot run; `undefined` if they can. */
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
