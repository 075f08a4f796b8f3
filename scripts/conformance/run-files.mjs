// Runs files of the suite with the runner, and reads the result of each test.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The runner's classes of files that load the framework through its entry point. */
const classes = 'PUBLIC,SHIMMABLE,MIXED';

/** Packages whose objects tests compare by identity, so that there must be only one instance of each. */
const shared = 'pino,ajv,find-my-way';

/**
 * Runs the given files, or all, with our entry point instead of that of fastify.
 *
 * @param run.reachable Names of tests by file. If all of them have a result, a file that still runs is stopped.
 * @returns The result of each test, by file and name: `{ status, error }`.
 */
export function runFiles({ peerSuite, suite, entry, reachable, files = [], jobs = 2 }) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const baseline = join(folder, 'baseline.json');
  const json = join(folder, 'results.json');
  const options = { suite, entry, class: classes, share: shared, jobs, baseline, json };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const command = [join(peerSuite, 'run-suite.mjs'), ...args, ...files.flatMap((file) => ['--files', file])];
  try {
    writeFileSync(baseline, JSON.stringify(toBaseline(reachable)));
    // The runner fails if any test fails. It is only an error if it has not written its results.
    const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 2 ** 26 });
    return readResults(json, `${stdout}${stderr}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Explains why an entry point cannot be loaded; `undefined` if it can. Without a working entry point, no test reports. */
export function describeBroken(entry) {
  const { status, stderr } = spawnSync(process.execPath, ['--require', `./${entry}`, '--eval', ''], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `${entry} does not load\n${stderr}`;
}

function toBaseline(reachable) {
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
