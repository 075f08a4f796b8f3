// Counts tests honestly: a Vitest reporter that writes each run's counts, and the sum that CI ends with.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Folder for one file of counts per run; unset outside CI, and then nothing is written. */
const countsFolder = process.env.TEST_COUNTS_FOLDER;

/** Names the run among those of CI, where the Node version it ran on does not. */
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

/** A file that did not load, a suite whose hooks failed and a stray error are failures as much as a test is. */
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
 * Adds up the runs of CI. A check that failed without failing a test counts as one failure, so that
 * the sum says `0 failed` exactly when CI is green; a run without any test is not green.
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

// As a program: `node scripts/test-counts.mjs <exit status of the checks>`.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { passed, failed } = sumCounts(readRuns(), process.argv[2] !== '0');
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
