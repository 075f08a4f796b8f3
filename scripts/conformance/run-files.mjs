// Runs files of the suite through the runner and reads what became of each test.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const scratch = '.cache/conformance/run';

/** Classes of the runner: files that reach the framework by its entry point. */
const classes = 'PUBLIC,SHIMMABLE,MIXED';

/** Packages that tests compare by identity, so that both sides must have one instance. */
const shared = 'pino,ajv,find-my-way';

/**
 * Runs the named files, or all of them, with the entry point replaced.
 *
 * @param run.reachable Names of tests by file: once all of them reported, a file that does not end is ended.
 * @returns What became of each test, by file and name: `{ status, error }`.
 */
export function runFiles({ peerSuite, suite, entry, reachable, files = [], jobs = 2 }) {
  rmSync(scratch, { recursive: true, force: true });
  mkdirSync(scratch, { recursive: true });
  writeFileSync(`${scratch}/baseline.json`, JSON.stringify(asBaseline(reachable)));
  const options = { suite, entry, class: classes, share: shared, jobs, json: `${scratch}/results.json` };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const chosen = files.flatMap((file) => ['--files', file]);
  const command = [
    join(peerSuite, 'run-suite.mjs'),
    '--baseline',
    `${scratch}/baseline.json`,
    ...args,
    ...chosen,
  ];
  // The runner fails whenever any test does; what counts is whether it wrote its results.
  const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return readResults(`${scratch}/results.json`, `${stdout}${stderr}`);
}

function asBaseline(reachable) {
  const testsOf = (names) => Object.fromEntries(names.map((name) => [name, { status: 'pass' }]));
  return {
    files: Object.fromEntries(
      Object.entries(reachable).map(([file, names]) => [file, { tests: testsOf(names) }]),
    ),
  };
}

function readResults(path, output) {
  try {
    const { files } = JSON.parse(readFileSync(path, 'utf8'));
    return Object.fromEntries(Object.entries(files).map(([file, { tests }]) => [file, tests]));
  } catch (cause) {
    throw new Error(`the runner wrote no results\n${output}`, { cause });
  }
}
