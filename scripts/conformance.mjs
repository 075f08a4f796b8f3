// `npm run conformance`: runs the tests of the fastify package with @ambit/fastify, and checks the results against the
// ratchet.
//
//   --update      writes docs/conformance.md and the list of open tests, if the ratchet holds
//   --reference   runs the tests with a second copy of fastify instead, and writes which tests are reachable
//   --if-present  does not fail if the runner is not installed next to the repository
//   --no-build    uses the existing build
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
  checkRatchet,
  countTests,
  filesToRetry,
  listOutcomes,
  mergeResults,
  readReachable,
} from './conformance/ratchet.mjs';
import { describeResult, renderPage, sumUp } from './conformance/report.mjs';
import {
  describeMissing,
  prepareSuite,
  readJson,
  readRequired,
  runFiles,
  suiteVersion,
} from './conformance/suite.mjs';
import { installWhenNeeded } from './install.mjs';
import { formatDuration, npm, runScript } from './steps.mjs';

const facade = 'packages/fastify/entry.cjs';
const originalEntry = 'node_modules/fastify/fastify.js';
const page = 'docs/conformance.md';
/** The tests that fail on purpose with reasons, those that do not pass yet, and the reachable tests outside the required files. */
const [onPurposePath, openPath, restPath] = ['on-purpose', 'open', 'reachable-rest'].map(
  (name) => `scripts/conformance/${name}.json`,
);

const flags = ['update', 'reference', 'if-present', 'no-build'];
const { values: options } = parseArgs({
  options: Object.fromEntries(flags.map((name) => [name, { type: 'boolean', default: false }])),
});

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const missing = describeMissing();
if (missing === undefined) process.exitCode = runConformance() ? 0 : 1;
else {
  console.error(`conformance: NOT RUN: ${missing}`);
  process.exitCode = options['if-present'] ? 0 : 1;
}

function runConformance() {
  installWhenNeeded();
  if (!options['no-build'] && !runScript('build', 'build')) return false;
  // Without a working entry point, no test reports.
  createRequire(import.meta.url)(`../${facade}`);
  const suite = prepareSuite();
  const required = readRequired();
  return options.reference ? measureReference(suite, required) : measureFacade(suite, required);
}

function measureFacade(suite, required) {
  const startedMs = performance.now();
  console.log(`conformance: fastify ${suiteVersion()}, Node ${process.version}, ${facade}`);
  const reachable = { ...required, ...readJson(restPath) };
  const isRequired = (file) => Object.hasOwn(required, file);
  const lists = { onPurpose: readList(onPurposePath), open: readList(openPath) };
  const outcomesOf = (results) => listOutcomes(reachable, results, Object.values(lists).flat());
  const run = { suite, entry: facade, reachable };

  let results = runFiles(run);
  const again = filesToRetry(checkRatchet(outcomesOf(results), lists));
  if (again.length > 0) {
    console.log(`conformance: running again, one at a time: ${again.join(', ')}`);
    results = mergeResults(results, runFiles({ ...run, files: again, jobs: 1 }));
  }

  const outcomes = outcomesOf(results);
  const totals = countTests(outcomes, results);
  const result = checkRatchet(outcomes, lists);
  const sums = { all: sumUp(outcomes, totals), required: sumUp(outcomes, totals, isRequired) };
  for (const line of describeResult(result, sums)) console.log(line);
  console.log(`--- conformance: ${formatDuration(startedMs)}`);
  if (options.update) return update(result, { outcomes, totals, isRequired });
  return result.regressed.length === 0 && result.stale.length === 0;
}

/** Outside the required files, a new failure may become an open test, which the diff and the page show. */
function update({ regressed, stale, onPurpose, open }, run) {
  if (stale.length > 0 || regressed.some(({ file }) => run.isRequired(file))) {
    console.error('conformance: wrote nothing, because the result breaks the ratchet');
    return false;
  }
  const listed = [...open, ...regressed].sort((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)));
  writeJson(openPath, groupByFile(listed));
  const facts = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    fastify: suiteVersion(),
    ambit: readJson('packages/fastify/package.json').version,
  };
  writeFileSync(page, renderPage({ facts, ...run, onPurpose, open: listed }));
  console.log(`conformance: wrote ${page} and ${openPath}`);
  return true;
}

function measureReference(suite, required) {
  const results = runFiles({ suite, entry: originalEntry, reachable: required });
  const others = Object.entries(results).filter(([file]) => !Object.hasOwn(required, file));
  writeJson(restPath, readReachable(Object.fromEntries(others)));
  console.log(`conformance: wrote ${restPath}`);
  return true;
}

/** A list of tests by file and name, with the reason or the empty text. */
function readList(path) {
  return Object.entries(readJson(path)).flatMap(([file, tests]) =>
    Object.entries(tests).map(([test, reason]) => ({ file, test, ...(reason && { reason }) })),
  );
}

function groupByFile(entries) {
  const names = {};
  for (const { file, test } of entries) names[file] = { ...names[file], [test]: '' };
  return names;
}

function writeJson(path, value) {
  writeFileSync(path, JSON.stringify(value));
  npm(['run', '--silent', 'format', '--', path]);
}
