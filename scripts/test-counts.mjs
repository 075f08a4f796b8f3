// Counts tests: a Vitest reporter that writes the counts and the failures of each run to a file. At the end of CI, this
// file as a program prints all failures again, because the log of four versions of Node is long, then the tests that
// passed only when they were retried, and then the sum.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** The folder for the files with the counts, one for each run. Outside CI, the variable is not set, and nothing is written. */
const countsFolder = process.env.TEST_COUNTS_FOLDER;

/** The name of the run in CI. Runs that are not distinguished by their version of Node set the variable. */
const runName = process.env.TEST_COUNTS_RUN ?? `node-${process.versions.node}`;

/** Vitest reporter. */
export default class TestCounts {
  onTestRunEnd(testModules, unhandledErrors) {
    if (countsFolder === undefined) return;
    mkdirSync(countsFolder, { recursive: true });
    const run = {
      ...countTests(testModules, unhandledErrors),
      failures: listFailures(testModules, unhandledErrors).map((failure) => `${runName}: ${failure}`),
      unstable: listUnstable(testModules).map((test) => `${runName}: ${test}`),
    };
    writeFileSync(`${countsFolder}/${runName}.json`, JSON.stringify(run));
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

/** Describes each failure: its location, and on the next lines the start of its stack or message. */
export function listFailures(testModules, unhandledErrors) {
  const failures = unhandledErrors.map((error) => describeFailure('outside of any test', error));
  for (const testModule of testModules) {
    const location = testModule.relativeModuleId;
    failures.push(...testModule.errors().map((error) => describeFailure(location, error)));
    for (const suite of testModule.children.allSuites()) {
      failures.push(
        ...suite.errors().map((error) => describeFailure(`${location} > ${suite.fullName}`, error)),
      );
    }
    for (const test of testModule.children.allTests()) {
      const { state, errors } = test.result();
      if (state !== 'failed') continue;
      failures.push(...errors.map((error) => describeFailure(`${location} > ${test.fullName}`, error)));
    }
  }
  return failures;
}

/** Describes each test that failed and passed when it was retried, with the failure. */
export function listUnstable(testModules) {
  return testModules.flatMap((testModule) =>
    [...testModule.children.allTests()]
      .filter((test) => test.diagnostic()?.flaky)
      .map((test) =>
        describeFailure(`${testModule.relativeModuleId} > ${test.fullName}`, test.result().errors?.[0] ?? {}),
      ),
  );
}

function describeFailure(location, { message, stack }) {
  // Stack frames of the test runner are not useful.
  const lines = (stack ?? message ?? '').split('\n').filter((line) => !line.includes('/node_modules/'));
  return [location, ...lines.slice(0, 8).map((line) => `    ${line.trim()}`)].join('\n');
}

/**
 * Adds up the runs of CI. A failed check without a failed test counts as one failure, so that the sum is `0 failed` only
 * if CI succeeds. If no test has passed, this is also a failure.
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

// If this file runs as a program: `node scripts/test-counts.mjs <exit code of the checks>`.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const runs = readRuns();
  for (const failure of runs.flatMap(({ failures }) => failures ?? [])) console.log(`FAILED ${failure}\n`);
  for (const test of runs.flatMap(({ unstable }) => unstable ?? []))
    console.log(`PASSED WHEN TRIED AGAIN ${test}\n`);
  const { passed, failed } = sumCounts(runs, process.argv[2] !== '0');
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
