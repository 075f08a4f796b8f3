// Counts tests: a Vitest reporter that writes the counts of each run, and the sum at the end of CI.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The variable with the folder for the counts, one file per run. Outside CI it is not set, and nothing is written. */
const countsFolder = process.env.TEST_COUNTS_FOLDER;

/** The variable with the name of a run in CI, if its version of Node is not enough. */
const runName = process.env.TEST_COUNTS_RUN ?? `node-${process.versions.node}`;

/** Vitest reporter. */
export default class TestCounts {
  onTestRunEnd(testModules, unhandledErrors) {
    if (countsFolder === undefined) return;
    mkdirSync(countsFolder, { recursive: true });
    const counts = countTests(testModules, unhandledErrors);
    writeFileSync(`${countsFolder}/${runName}.json`, JSON.stringify(counts));
  }
}

/** A file that did not load, a suite whose hooks failed and an uncaught error count as failures too. */
export function countTests(testModules, unhandledErrors) {
  const counts = { passed: 0, failed: unhandledErrors.length };
  for (const testModule of testModules) {
    counts.failed += testModule.errors().length;
    for (const suite of testModule.children.allSuites()) counts.failed += suite.errors().length;
    for (const test of testModule.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed' || state === 'failed') counts[state]++;
    }
  }
  return counts;
}

/**
 * Adds up the runs of CI. If a check failed without a failed test, it counts as one failure. So the sum says `0 failed`
 * only if CI succeeds. A run without any test is a failure.
 */
export function sumCounts(runs, hasFailedCheck) {
  const passed = runs.reduce((sum, run) => sum + run.passed, 0);
  const failed = runs.reduce((sum, run) => sum + run.failed, 0);
  return { passed, failed: failed === 0 && (hasFailedCheck || passed === 0) ? 1 : failed };
}

function readRuns() {
  mkdirSync(countsFolder, { recursive: true });
  return readdirSync(countsFolder).map((name) => JSON.parse(readFileSync(`${countsFolder}/${name}`, 'utf8')));
}

// When it runs as a program: `node scripts/test-counts.mjs <exit status of the checks>`.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { passed, failed } = sumCounts(readRuns(), process.argv[2] !== '0');
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
