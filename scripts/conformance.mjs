// `npm run conformance`: the tests inside the fastify package against @ambit/fastify, held to the ratchet.
//
//   --update      writes docs/conformance.md and the list of open tests, when the ratchet holds
//   --reference   measures with a second copy of fastify instead, and writes which tests can be reached
//   --if-present  a machine without the runner beside the repository is no failure
//   --no-build    measures the build that is there
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { filesInDoubt, judge } from './conformance/judge.mjs';
import { countTests, listOutcomes, listPassing, mergeResults } from './conformance/outcomes.mjs';
import { describeMissing, peerSuiteFolder, readReachable } from './conformance/peer-suite.mjs';
import { prepareSuite, suiteVersion } from './conformance/prepare-suite.mjs';
import { renderReport } from './conformance/report.mjs';
import { runFiles } from './conformance/run-files.mjs';
import { summarize, summarizeByArea } from './conformance/summarize.mjs';
import { installWhenNeeded } from './install.mjs';
import { formatDuration, runScript } from './steps.mjs';

const facade = 'packages/fastify/entry.cjs';
const untouched = 'node_modules/fastify/fastify.js';
const page = 'docs/conformance.md';
const data = {
  onPurpose: 'scripts/conformance/on-purpose.json',
  open: 'scripts/conformance/open.json',
  rest: 'scripts/conformance/reachable-rest.json',
};

const { values: options } = parseArgs({
  options: {
    update: { type: 'boolean' },
    reference: { type: 'boolean' },
    'if-present': { type: 'boolean' },
    'no-build': { type: 'boolean' },
  },
});

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const peerSuite = peerSuiteFolder();
const missing = describeMissing(peerSuite);
if (missing === undefined) process.exitCode = measure() ? 0 : 1;
else {
  console.error(`conformance: NOT RUN: ${missing}`);
  process.exitCode = options['if-present'] ? 0 : 1;
}

/** True when the ratchet holds. */
function measure() {
  installWhenNeeded();
  if (!options['no-build'] && !runScript('build', 'build')) return false;
  const suite = prepareSuite();
  const ratchet = readReachable(peerSuite);
  if (options.reference) return writeReference(suite, ratchet);

  const reachable = { ...ratchet, ...readJson(data.rest) };
  const lists = { onPurpose: readJson(data.onPurpose), open: asEntries(readJson(data.open)) };
  const run = { peerSuite, suite, entry: facade, reachable };
  const startedMs = performance.now();
  console.log(`conformance: fastify ${suiteVersion()}, Node ${process.version}, ${facade}`);
  const results = settle(run, lists, runFiles(run));
  const outcomes = listOutcomes(reachable, results);
  const verdict = judge(outcomes, lists);
  const sums = sumUp(outcomes, results, reachable, ratchet);
  printVerdict(verdict, sums, startedMs);
  return options.update ? update(verdict, sums, ratchet) : holds(verdict);
}

/** Runs each file once more, alone, that has a test nobody expected to fail. */
function settle(run, lists, results) {
  const doubtful = filesInDoubt(judge(listOutcomes(run.reachable, results), lists));
  if (doubtful.length === 0) return results;
  console.log(`conformance: running again, one at a time: ${doubtful.join(', ')}`);
  return mergeResults(results, runFiles({ ...run, files: doubtful, jobs: 1 }));
}

function sumUp(outcomes, results, reachable, ratchet) {
  const totals = countTests(reachable, results);
  return {
    ratchet: summarize(outcomes, totals, (file) => Object.hasOwn(ratchet, file)),
    rest: summarize(outcomes, totals, (file) => !Object.hasOwn(ratchet, file)),
    whole: summarize(outcomes, totals),
    rows: summarizeByArea(outcomes, totals),
  };
}

function holds({ stopped, stale }) {
  return stopped.length === 0 && stale.length === 0;
}

function printVerdict({ stopped, stale, gained, onPurpose, open }, { whole, ratchet }, startedMs) {
  const print = (what, entries) => {
    for (const { file, test, status, error } of entries) {
      const how = status === undefined ? '' : ` (${error?.split('\n')[0] ?? status})`;
      console.log(`${what}: ${file}: ${test}${how}`);
    }
  };
  print('STOPPED PASSING', stopped);
  print(`STALE REASON in ${data.onPurpose}`, stale);
  print('passes now, run with --update', gained);
  const parts = [
    `${whole.passed} of ${whole.reachable} reachable tests pass`,
    `${ratchet.passed} of ${ratchet.reachable} in the files of the ratchet`,
    `${onPurpose.length} fail on purpose, ${open.length} are open, ${stopped.length} stopped passing`,
  ];
  console.log(`conformance: ${parts.join('; ')}; ${formatDuration(startedMs)}`);
}

/** Outside the ratchet's files a new failure may be recorded as open: it then stands in the diff and in the docs. */
function update(verdict, { rows, ...sums }, ratchet) {
  const [lost, acceptable] = partition(verdict.stopped, ({ file }) => Object.hasOwn(ratchet, file));
  if (lost.length > 0 || verdict.stale.length > 0) {
    console.error('conformance: nothing written: the ratchet has to hold first');
    return false;
  }
  const open = [...verdict.open, ...acceptable].sort((a, b) => a.file.localeCompare(b.file));
  writeJson(data.open, asNames(open));
  const facts = {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    fastify: suiteVersion(),
    ambit: readJson('packages/fastify/package.json').version,
  };
  const shownOpen = open.map(({ file, test }) => ({ file, test }));
  const text = renderReport({ facts, sums, rows, onPurpose: verdict.onPurpose, open: shownOpen });
  writeFileSync(page, text);
  console.log(`conformance: wrote ${page} and ${data.open}`);
  return true;
}

/** What the files outside the ratchet have for others to pass; the ratchet's own are given. */
function writeReference(suite, ratchet) {
  const results = runFiles({ peerSuite, suite, entry: untouched, reachable: ratchet });
  const passing = Object.entries(listPassing(results)).filter(([file]) => !Object.hasOwn(ratchet, file));
  writeJson(data.rest, Object.fromEntries(passing.sort()));
  console.log(`conformance: wrote ${data.rest}`);
  return true;
}

function partition(entries, isFirst) {
  return [entries.filter(isFirst), entries.filter((entry) => !isFirst(entry))];
}

function asEntries(names) {
  return Object.entries(names).flatMap(([file, tests]) => tests.map((test) => ({ file, test })));
}

function asNames(entries) {
  const byFile = Object.groupBy(entries, ({ file }) => file);
  return Object.fromEntries(
    Object.entries(byFile).map(([file, tests]) => [file, tests.map(({ test }) => test)]),
  );
}

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
