// Runs the test files of the fastify package: a copy of the installed package, the packages that its tests load, and the
// runner, which is next to the repository.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { installWhenNeeded } from '../install.mjs';

const installed = 'node_modules/fastify';
/** The runner's classes of files that load the framework through its entry point. */
const classes = 'PUBLIC,SHIMMABLE,MIXED';
/** Packages whose objects tests compare by identity, so that there must be only one instance of each. */
const shared = 'pino,ajv,find-my-way';

/** The folder with the runner: next to the repository, unless the variable names the folder above it. */
const runnerFolder = resolve(process.env.AMBIT_SHARED ?? '../shared', 'peer-suite');

export function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}

/** Explains why the tests cannot run; `undefined` if they can. */
export function describeMissing() {
  const missing = ['run-suite.mjs', 'reachable.json'].filter((name) => !existsSync(join(runnerFolder, name)));
  if (missing.length === 0) return undefined;
  return `${missing.join(' and ')} not found in ${runnerFolder}; set AMBIT_SHARED to the folder above it`;
}

/** The names of the tests that must pass, by required file, as the runner lists them. */
export function readRequired() {
  const passing = (tests) =>
    Object.keys(tests).filter((name) => tests[name].status === 'pass' && name !== '<file>');
  const { files } = readJson(join(runnerFolder, 'reachable.json'));
  return Object.fromEntries(
    Object.entries(files).map(([file, { tests }]) => [file, { tests: passing(tests) }]),
  );
}

export function suiteVersion() {
  return readJson(`${installed}/package.json`).version;
}

/** Creates the folder of the suite. Its packages are installed again if they or the major version of Node have changed. */
export function prepareSuite() {
  const suite = `.cache/conformance/fastify-${suiteVersion()}`;
  mkdirSync(suite, { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    cpSync(`scripts/conformance/${name}`, `${suite}/${name}`);
  installWhenNeeded(suite, '--ignore-scripts');
  // Comes last, because it writes its own package.json, which some tests read.
  cpSync(installed, suite, { recursive: true, dereference: true });
  return suite;
}

/**
 * Runs the given files, or all, with another entry point instead of that of fastify.
 *
 * @param reachable What is expected of each file. If as many tests have a result, a file that still runs is stopped.
 * @returns The result of each test, by file and name: `{ status, error }`.
 */
export function runFiles({ suite, entry, reachable, files = [], jobs = 2 }) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const [baseline, json] = ['baseline.json', 'results.json'].map((name) => join(folder, name));
  const options = { suite, entry, class: classes, share: shared, jobs, baseline, json };
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const command = [
    join(runnerFolder, 'run-suite.mjs'),
    ...args,
    ...files.flatMap((file) => ['--files', file]),
  ];
  // The runner only counts the names.
  const nameAll = ({ tests, count }) => tests ?? Array.from({ length: count }, (_, i) => i);
  const expected = Object.entries(reachable).map(([file, it]) => [
    file,
    { tests: Object.fromEntries(nameAll(it).map((name) => [name, { status: 'pass' }])) },
  ]);
  try {
    writeFileSync(baseline, JSON.stringify({ files: Object.fromEntries(expected) }));
    // The runner fails if any test fails. It is only an error if it has not written its results.
    const { stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8', maxBuffer: 2 ** 26 });
    if (!existsSync(json)) throw new Error(`the runner wrote no results\n${stdout}${stderr}`);
    const results = Object.entries(readJson(json).files);
    return Object.fromEntries(results.map(([file, { tests }]) => [file, tests]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
