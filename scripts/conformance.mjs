// `npm run conformance`: runs the tests of the fastify package with @ambit/fastify. Every reachable test must pass, except those
// that conformance/failing.json lists with a reason. The runner is next to the repository.
//
//   --update      writes the figures to docs/conformance.md, if the ratchet holds
//   --reference   runs the tests with a second copy of fastify instead, and writes which tests are reachable
//   --if-present  does not fail if the runner is not installed next to the repository
//   --no-build    uses the existing build
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkRatchet, listOutcomes, mergeResults, readReachable } from './conformance/ratchet.mjs';
import { installWhenNeeded } from './install.mjs';
import { formatDuration, npm, root } from './steps.mjs';

const facade = 'packages/fastify/entry.cjs';
const installed = 'node_modules/fastify';
const page = 'docs/conformance.md';
const lists = 'scripts/conformance';
/** The reachable tests of the files that the runner does not list. */
const restPath = `${lists}/reachable-rest.json`;
/** The folder with the runner: next to the repository, unless the variable names the folder above it. */
const runnerFolder = resolve(root, process.env.AMBIT_SHARED ?? '../shared', 'peer-suite');

const flags = ['update', 'reference', 'if-present', 'no-build'];
const { values: options } = parseArgs({
  options: Object.fromEntries(flags.map((name) => [name, { type: 'boolean', default: false }])),
});
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));

process.chdir(root);
if (['run-suite.mjs', 'reachable.json'].every((name) => existsSync(join(runnerFolder, name))))
  process.exitCode = runConformance() ? 0 : 1;
else {
  console.error(
    `conformance: NOT RUN: no runner in ${runnerFolder}; set AMBIT_SHARED to the folder above it`,
  );
  process.exitCode = options['if-present'] ? 0 : 1;
}

function runConformance() {
  installWhenNeeded();
  if (!options['no-build'] && npm(['run', '--silent', 'build']) !== 0) return false;
  // Without a working entry point, no test reports.
  createRequire(import.meta.url)(`../${facade}`);
  const version = readJson(`${installed}/package.json`).version;
  const suite = prepareSuite(version);
  const listed = readListed();
  if (options.reference) return measureReference(suite, listed);
  const startedMs = performance.now();
  console.log(`conformance: fastify ${version}, Node ${process.version}, ${facade}`);
  const failing = readJson(`${lists}/failing.json`);
  const run = { suite, entry: facade, reachable: { ...listed, ...readJson(restPath) } };
  const outcomesOf = (results) => listOutcomes(run.reachable, results, failing);

  let results = runFiles(run);
  const { regressed: lost } = checkRatchet(outcomesOf(results), failing);
  const again = [...new Set(lost.map(({ file }) => file))].sort();
  // A test with a short timeout may fail on a machine under load. In more files, a slow machine is not the cause.
  if (again.length > 0 && again.length <= 20) {
    console.log(`conformance: running again, one at a time: ${again.join(', ')}`);
    results = mergeResults(results, runFiles({ ...run, files: again, jobs: 1 }));
  }
  const outcomes = outcomesOf(results);
  const { regressed, stale } = checkRatchet(outcomes, failing);
  for (const { file, test, error = 'never reported' } of regressed)
    console.log(`STOPPED PASSING: ${file}: ${test} (${error.split('\n')[0]})`);
  for (const { file, test } of stale) console.log(`STALE REASON in ${lists}/failing.json: ${file}: ${test}`);
  const passed = outcomes.filter(({ status }) => status === 'pass').length;
  const sum = `${passed} of ${outcomes.length} reachable tests in ${Object.keys(run.reachable).length} files pass`;
  console.log(`conformance: ${sum}; ${regressed.length} stopped passing`);
  console.log(`--- conformance: ${formatDuration(startedMs)}`);
  const holds = regressed.length === 0 && stale.length === 0;
  if (options.update && holds) writePage(sum, version, failing);
  return holds;
}

/** The names of the tests that must pass, by file, as the runner lists them. */
function readListed() {
  const passing = (tests) =>
    Object.keys(tests).filter((name) => tests[name].status === 'pass' && name !== '<file>');
  const { files } = readJson(join(runnerFolder, 'reachable.json'));
  return Object.fromEntries(
    Object.entries(files).map(([file, { tests }]) => [file, { tests: passing(tests) }]),
  );
}

function measureReference(suite, listed) {
  const results = runFiles({ suite, entry: `${installed}/fastify.js`, reachable: listed });
  const others = Object.entries(results).filter(([file]) => !Object.hasOwn(listed, file));
  writeFileSync(restPath, JSON.stringify(readReachable(Object.fromEntries(others))));
  npm(['run', '--silent', 'format', '--', restPath]);
  console.log(`conformance: wrote ${restPath}`);
  return true;
}

/** Creates the folder of the suite. Its packages are installed again if they or the major version of Node have changed. */
function prepareSuite(version) {
  const suite = `.cache/conformance/fastify-${version}`;
  mkdirSync(suite, { recursive: true });
  for (const name of ['package.json', 'package-lock.json']) cpSync(`${lists}/${name}`, `${suite}/${name}`);
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
function runFiles({ suite, entry, reachable, files = [], jobs = 2 }) {
  const folder = mkdtempSync(join(tmpdir(), 'conformance-'));
  const [baseline, json] = ['baseline.json', 'results.json'].map((name) => join(folder, name));
  const settings = {
    suite,
    entry,
    // Files that load the framework through its entry point.
    class: 'PUBLIC,SHIMMABLE,MIXED',
    // Packages whose objects tests compare by identity, so that there must be only one instance of each.
    share: 'pino,ajv,find-my-way',
    jobs: String(jobs),
    baseline,
    json,
  };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, value]);
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

/** Writes the figures, and the tests that fail, into the second half of the page. */
function writePage(sum, version, failing) {
  const code = (text) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);
  const items = Object.entries(failing).flatMap(([file, tests]) =>
    Object.entries(tests).map(([test, reason]) => `- ${code(file)}, ${code(test)}:\n  ${reason}`),
  );
  const date = new Date().toISOString().slice(0, 10);
  const facts = `${date}, Node ${process.versions.node}, fastify ${version}: **${sum}.**`;
  const marker = '<!-- written by the run -->\n';
  const [head] = readFileSync(page, 'utf8').split(marker);
  writeFileSync(page, `${head}${marker}\n${facts} These fail:\n\n${items.join('\n')}\n`);
  console.log(`conformance: wrote ${page}`);
}
