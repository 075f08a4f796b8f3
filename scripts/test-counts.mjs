// Counts tests: a Vitest reporter that writes the counts and the failures of each run to a file. At the end of CI, this
// file as a program prints all failures again, because the log of four versions of Node is long, then the tests that
// passed only when they were retried, and then the sum.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isProgram } from './steps.mjs';

/** The folder for the files with the counts, one for each run. Outside CI, the variable is not set, and nothing is written. */
const countsFolder = process.env.TEST_COUNTS_FOLDER;

/** The name of the run in CI. Runs that are not distinguished by their version of Node set the variable. */
const runName = process.env.TEST_COUNTS_RUN ?? `node-${process.versions.node}`;

export default class TestCounts {
  onTestRunEnd(testModules, unhandledErrors) {
    if (countsFolder === undefined) return;
    mkdirSync(countsFolder, { recursive: true });
    const run = describeRun(testModules, unhandledErrors);
    const named = (texts) => texts.map((text) => `${runName}: ${text}`);
    const written = { ...run, failures: named(run.failures), unstable: named(run.unstable) };
    writeFileSync(`${countsFolder}/${runName}.json`, JSON.stringify(written));
  }
}

/**
 * The number of passed tests, each failure, and each test that failed and passed when it was retried. A file that did not
 * load, a suite whose hooks failed and an uncaught error are failures too.
 */
function describeRun(testModules, unhandledErrors) {
  const run = { passed: 0, failures: [], unstable: [] };
  const fail = (location, errors) => run.failures.push(...errors.map((error) => describe(location, error)));
  fail('outside of any test', unhandledErrors);
  for (const testModule of testModules) {
    const file = testModule.relativeModuleId;
    fail(file, testModule.errors());
    for (const suite of testModule.children.allSuites()) fail(`${file} > ${suite.fullName}`, suite.errors());
    for (const test of testModule.children.allTests()) {
      const { state, errors: [error = {}] = [] } = test.result();
      const location = `${file} > ${test.fullName}`;
      if (state === 'passed') run.passed++;
      if (state === 'failed') fail(location, [error]);
      else if (test.diagnostic()?.flaky) run.unstable.push(describe(location, error));
    }
  }
  return run;
}

/** The location, and on the next lines the start of the stack or the message. */
function describe(location, { message, stack }) {
  // Stack frames of the test runner are not useful.
  const lines = (stack ?? message ?? '').split('\n').filter((line) => !line.includes('/node_modules/'));
  return [location, ...lines.slice(0, 8).map((line) => `    ${line.trim()}`)].join('\n');
}

// If this file runs as a program: `node scripts/test-counts.mjs <exit code of the checks>`.
if (isProgram(import.meta.url)) {
  mkdirSync(countsFolder, { recursive: true });
  const names = readdirSync(countsFolder);
  const runs = names.map((name) => JSON.parse(readFileSync(`${countsFolder}/${name}`, 'utf8')));
  for (const failure of runs.flatMap(({ failures }) => failures)) console.log(`FAILED ${failure}\n`);
  for (const test of runs.flatMap(({ unstable }) => unstable))
    console.log(`PASSED WHEN TRIED AGAIN ${test}\n`);
  const passed = runs.reduce((sum, run) => sum + run.passed, 0);
  const failures = runs.reduce((sum, run) => sum + run.failures.length, 0);
  // A failed check without a failed test, and no test at all, are a failure: the sum is `0 failed` only if CI succeeds.
  const failed = failures === 0 && (process.argv[2] !== '0' || passed === 0) ? 1 : failures;
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}
