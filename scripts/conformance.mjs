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
import { describeResult } from './conformance/describe-result.mjs';
import { listPaths, readJson, readLists, readRest, writeOpen, writeRest } from './conformance/lists.mjs';
import { countTests, listOutcomes, listPassing, mergeResults } from './conformance/outcomes.mjs';
import { describeMissing, peerSuiteFolder, readReachable } from './conformance/peer-suite.mjs';
import { prepareSuite, suiteVersion } from './conformance/prepare-suite.mjs';
import { checkRatchet, filesToRetry } from './conformance/ratchet.mjs';
import { renderReport } from './conformance/report.mjs';
import { describeBroken, runFiles } from './conformance/run-files.mjs';
import { summarize, summarizeByArea } from './conformance/summarize.mjs';
import { installWhenNeeded } from './install.mjs';
import { formatDuration, runScript } from './steps.mjs';

const facade = 'packages/fastify/entry.cjs';
const originalEntry = 'node_modules/fastify/fastify.js';
const page = 'docs/conformance.md';

const flags = ['update', 'reference', 'if-present', 'no-build'];
const { values: options } = parseArgs({
  options: Object.fromEntries(flags.map((name) => [name, { type: 'boolean', default: false }])),
});

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const peerSuite = peerSuiteFolder();
const missing = describeMissing(peerSuite);
if (missing === undefined) process.exitCode = runConformance() ? 0 : 1;
else {
  console.error(`conformance: NOT RUN: ${missing}`);
  process.exitCode = options['if-present'] ? 0 : 1;
}

/** True if there was no unexpected result. */
function runConformance() {
  installWhenNeeded();
  if (!options['no-build'] && !runScript('build', 'build')) return false;
  const broken = describeBroken(facade);
  if (broken !== undefined) {
    console.error(`conformance: ${broken}`);
    return false;
  }
  const suite = prepareSuite();
  const ratchet = readReachable(peerSuite);
  return options.reference ? measureReference(suite, ratchet) : measureFacade(suite, ratchet);
}

function measureFacade(suite, ratchet) {
  const startedMs = performance.now();
  console.log(`conformance: fastify ${suiteVersion()}, Node ${process.version}, ${facade}`);
  const reachable = { ...ratchet, ...readRest() };
  const lists = readLists();
  const run = { peerSuite, suite, entry: facade, reachable };
  const results = retryUnexpected(run, lists, runFiles(run));
  const outcomes = listOutcomes(reachable, results);
  const result = checkRatchet(outcomes, lists);
  const sums = summarizeRun(outcomes, countTests(reachable, results), ratchet);
  for (const line of describeResult(result, sums)) console.log(line);
  console.log(`--- conformance: ${formatDuration(startedMs)}`);
  return options.update ? update(result, sums, ratchet) : isSatisfied(result);
}

/** Runs files with unexpected failures once more, one at a time. */
function retryUnexpected(run, lists, results) {
  const files = filesToRetry(checkRatchet(listOutcomes(run.reachable, results), lists));
  if (files.length === 0) return results;
  console.log(`conformance: running again, one at a time: ${files.join(', ')}`);
  return mergeResults(results, runFiles({ ...run, files, jobs: 1 }));
}

function summarizeRun(outcomes, totals, ratchet) {
  const isInRatchet = (file) => Object.hasOwn(ratchet, file);
  return {
    ratchet: summarize(outcomes, totals, isInRatchet),
    rest: summarize(outcomes, totals, (file) => !isInRatchet(file)),
    whole: summarize(outcomes, totals),
    rows: summarizeByArea(outcomes, totals),
  };
}

function isSatisfied({ regressed, stale }) {
  return regressed.length === 0 && stale.length === 0;
}

/** Outside the files of the ratchet, a new failure may become an open test, which the diff and the page show. */
function update(result, { rows, ...sums }, ratchet) {
  const added = result.regressed.filter(({ file }) => !Object.hasOwn(ratchet, file));
  if (
    !isSatisfied({ ...result, regressed: result.regressed.filter((outcome) => !added.includes(outcome)) })
  ) {
    console.error('conformance: wrote nothing, because the result breaks the ratchet');
    return false;
  }
  const open = [...result.open, ...added].map(({ file, test }) => ({ file, test }));
  open.sort((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)));
  writeOpen(open);
  writeFileSync(page, renderReport({ facts: gatherFacts(), sums, rows, onPurpose: result.onPurpose, open }));
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

/** Finds the reachable tests in files outside the ratchet. For the files of the ratchet, the runner lists them. */
function measureReference(suite, ratchet) {
  const results = runFiles({ peerSuite, suite, entry: originalEntry, reachable: ratchet });
  const rest = Object.entries(listPassing(results)).filter(([file]) => !Object.hasOwn(ratchet, file));
  writeRest(Object.fromEntries(rest.sort()));
  console.log(`conformance: wrote ${listPaths.rest}`);
  return true;
}
