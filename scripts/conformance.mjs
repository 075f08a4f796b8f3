// `npm run conformance`: runs the tests of the fastify package with @ambit/fastify, and checks the results against the
// ratchet.
//
//   --update      writes docs/conformance.md and the list of open tests, if the ratchet holds
//   --reference   runs the tests with a second copy of fastify instead, and writes which tests are reachable
//   --if-present  does not fail if the runner is not installed next to the repository
//   --no-build    uses the existing build
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { filesInDoubt, judge } from './conformance/judge.mjs';
import { listPaths, readJson, readLists, readRest, writeOpen, writeRest } from './conformance/lists.mjs';
import { countTests, listOutcomes, listPassing, mergeResults } from './conformance/outcomes.mjs';
import { describeMissing, peerSuiteFolder, readReachable } from './conformance/peer-suite.mjs';
import { prepareSuite, suiteVersion } from './conformance/prepare-suite.mjs';
import { renderReport } from './conformance/report.mjs';
import { describeBroken, runFiles } from './conformance/run-files.mjs';
import { summarize, summarizeByArea } from './conformance/summarize.mjs';
import { describeVerdict } from './conformance/verdict.mjs';
import { installWhenNeeded } from './install.mjs';
import { formatDuration, runScript } from './steps.mjs';

const facade = 'packages/fastify/entry.cjs';
const untouched = 'node_modules/fastify/fastify.js';
const page = 'docs/conformance.md';

const flags = ['update', 'reference', 'if-present', 'no-build'];
const { values: options } = parseArgs({
  options: Object.fromEntries(flags.map((name) => [name, { type: 'boolean', default: false }])),
});

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const peerSuite = peerSuiteFolder();
const missing = describeMissing(peerSuite);
if (missing === undefined) process.exitCode = start() ? 0 : 1;
else {
  console.error(`conformance: NOT RUN: ${missing}`);
  process.exitCode = options['if-present'] ? 0 : 1;
}

/** True if there was no unexpected result. */
function start() {
  installWhenNeeded();
  if (!options['no-build'] && !runScript('build', 'build')) return false;
  const broken = describeBroken(facade);
  if (broken !== undefined) {
    console.error(`conformance: ${broken}`);
    return false;
  }
  const suite = prepareSuite();
  const ratchet = readReachable(peerSuite);
  return options.reference ? measureReference(suite, ratchet) : measure(suite, ratchet);
}

function measure(suite, ratchet) {
  const startedMs = performance.now();
  console.log(`conformance: fastify ${suiteVersion()}, Node ${process.version}, ${facade}`);
  const reachable = { ...ratchet, ...readRest() };
  const lists = readLists();
  const run = { peerSuite, suite, entry: facade, reachable };
  const results = settle(run, lists, runFiles(run));
  const outcomes = listOutcomes(reachable, results);
  const verdict = judge(outcomes, lists);
  const sums = sumUp(outcomes, countTests(reachable, results), ratchet);
  for (const line of describeVerdict(verdict, sums)) console.log(line);
  console.log(`--- conformance: ${formatDuration(startedMs)}`);
  return options.update ? update(verdict, sums, ratchet) : isHeld(verdict);
}

/** If a file has a failure that no list contains, runs the file once more, alone. */
function settle(run, lists, results) {
  const files = filesInDoubt(judge(listOutcomes(run.reachable, results), lists));
  if (files.length === 0) return results;
  console.log(`conformance: running again, one at a time: ${files.join(', ')}`);
  return mergeResults(results, runFiles({ ...run, files, jobs: 1 }));
}

function sumUp(outcomes, totals, ratchet) {
  const isOfRatchet = (file) => Object.hasOwn(ratchet, file);
  return {
    ratchet: summarize(outcomes, totals, isOfRatchet),
    rest: summarize(outcomes, totals, (file) => !isOfRatchet(file)),
    whole: summarize(outcomes, totals),
    rows: summarizeByArea(outcomes, totals),
  };
}

function isHeld({ stopped, stale }) {
  return stopped.length === 0 && stale.length === 0;
}

/** Outside the files of the ratchet, a new failure may become an open test. The diff and the page then show it. */
function update(verdict, { rows, ...sums }, ratchet) {
  const added = verdict.stopped.filter(({ file }) => !Object.hasOwn(ratchet, file));
  if (!isHeld({ ...verdict, stopped: verdict.stopped.filter((outcome) => !added.includes(outcome)) })) {
    console.error('conformance: nothing written, the ratchet has to hold first');
    return false;
  }
  const open = [...verdict.open, ...added].map(({ file, test }) => ({ file, test }));
  open.sort((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)));
  writeOpen(open);
  writeFileSync(page, renderReport({ facts: gatherFacts(), sums, rows, onPurpose: verdict.onPurpose, open }));
  console.log(`conformance: wrote ${page} and ${listPaths.open}`);
  return true;
}

function gatherFacts() {
  return {
    date: new Date().toISOString().slice(0, 10),
    node: process.versions.node,
    fastify: suiteVersion(),
    ambit: readJson('packages/fastify/package.json').version,
  };
}

/** Measures which tests are reachable in files outside the ratchet. For its own files, the runner says so. */
function measureReference(suite, ratchet) {
  const results = runFiles({ peerSuite, suite, entry: untouched, reachable: ratchet });
  const rest = Object.entries(listPassing(results)).filter(([file]) => !Object.hasOwn(ratchet, file));
  writeRest(Object.fromEntries(rest.sort()));
  console.log(`conformance: wrote ${listPaths.rest}`);
  return true;
}
