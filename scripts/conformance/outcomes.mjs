// Holds what a run said against the tests that can be reached: one outcome a test.

/** Stands for the whole file in the runner's results when it has no test of its own. */
const wholeFile = '<file>';

/**
 * One outcome for each reachable test; a test that never reported, because its file crashed or hung, is `missing`.
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

/** A test the suite itself leaves out on this Node version or machine says nothing about us. */
export function isFailure({ status }) {
  return status === 'fail' || status === 'missing';
}

/** Two runs as one, where a test passes that passed in either. */
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
  const countOf = (file) => [...namesOf(file)].filter((name) => name !== wholeFile).length;
  return Object.fromEntries([...files].sort().map((file) => [file, countOf(file)]));
}

/** The names that passed, by file. */
export function listPassing(results) {
  const passing = (tests) =>
    Object.keys(tests).filter((name) => tests[name].status === 'pass' && name !== wholeFile);
  const byFile = Object.entries(results).map(([file, tests]) => [file, passing(tests)]);
  return Object.fromEntries(byFile.filter(([, names]) => names.length > 0));
}
