// Compares the results of a run with the reachable tests: each test gets one outcome.

/** The name under which the runner reports a file without tests of its own. */
const fileResultName = '<file>';

/**
 * Returns one outcome for each reachable test. A test without a result, because its file crashed or hung, is `missing`.
 *
 * @returns `{ file, test, status, error }` with the status `pass`, `fail`, `skip`, `todo` or `missing`.
 */
export function listOutcomes(reachable, results) {
  return Object.entries(reachable).flatMap(([file, tests]) =>
    tests.map((test) => {
      const { status = 'missing', error } = results[file]?.[test] ?? {};
      return { file, test, status, error };
    }),
  );
}

/** If the suite itself skips a test on this version of Node or machine, the test says nothing about Ambit. */
export function isFailure({ status }) {
  return status === 'fail' || status === 'missing';
}

/** Combines two runs: a test passes if it passed in either. */
export function mergeResults(first, second) {
  const merged = { ...first };
  for (const [file, tests] of Object.entries(second)) {
    const passedBefore = Object.entries(first[file] ?? {}).filter(([, { status }]) => status === 'pass');
    merged[file] = { ...tests, ...Object.fromEntries(passedBefore) };
  }
  return merged;
}

/** Number of tests of each file, reachable or not. */
export function countTests(reachable, results) {
  const files = new Set([...Object.keys(reachable), ...Object.keys(results)]);
  const namesOf = (file) => new Set([...(reachable[file] ?? []), ...Object.keys(results[file] ?? {})]);
  const countOf = (file) => [...namesOf(file)].filter((name) => name !== fileResultName).length;
  return Object.fromEntries([...files].sort().map((file) => [file, countOf(file)]));
}

/** The names that passed, by file. */
export function listPassing(results) {
  const passing = (tests) =>
    Object.keys(tests).filter((name) => tests[name].status === 'pass' && name !== fileResultName);
  const byFile = Object.entries(results).map(([file, tests]) => [file, passing(tests)]);
  return Object.fromEntries(byFile.filter(([, names]) => names.length > 0));
}
