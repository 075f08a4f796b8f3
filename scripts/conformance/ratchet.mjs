// Compares the results of a run with what must pass: every reachable test, unless it is listed as failing, with a reason.

/** The name under which the runner reports a file without tests of its own. */
const fileResultName = '<file>';

const isFailure = ({ status }) => status === 'fail' || status === 'missing';

/**
 * Gives each reachable test one outcome: `{ file, test, status, error }` with the status `pass`, `fail`, `skip`, `todo`, or
 * `missing` for a test without a result, because its file crashed or hung.
 *
 * @param reachable What is expected of each file: the names of its reachable `tests`, or their `count` and the names of the
 *   `others`.
 * @param results The results of the runner.
 * @param failing The tests that may fail, with their reasons, by file and name.
 */
export function listOutcomes(reachable, results, failing) {
  return Object.entries(reachable).flatMap(([file, { tests, count, others = [] }]) => {
    const found = results[file] ?? {};
    const known = new Set([...Object.keys(found), ...Object.keys(failing[file] ?? {})]);
    const names = tests ?? [...known].filter((name) => ![...others, fileResultName].includes(name));
    const unknown = Array.from({ length: Math.max(0, (count ?? 0) - names.length) }, () => 'a test');
    return [...names, ...unknown].map((test) => {
      const { status = 'missing', error } = found[test] ?? {};
      return { file, test, status, error };
    });
  });
}

/** What the reference proves of the files: how many of their tests are reachable, and the names of the others. */
export function readReachable(results) {
  const describe = (tests) => {
    const names = Object.keys(tests).filter((name) => name !== fileResultName);
    const others = names.filter((name) => tests[name].status !== 'pass');
    const count = names.length - others.length;
    return others.length === 0 ? { count } : { count, others };
  };
  const files = Object.entries(results).map(([file, tests]) => [file, describe(tests)]);
  return Object.fromEntries(files.filter(([, { count }]) => count > 0).sort());
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

/**
 * What breaks the ratchet: `regressed` tests fail and are not listed; `stale` tests are listed as failing, but pass or do not
 * exist. If the suite itself skips a test on this version of Node or machine, the test says nothing about Ambit.
 */
export function checkRatchet(outcomes, failing) {
  const statusOf = (file, test) => outcomes.find((it) => it.file === file && it.test === test)?.status;
  const listed = Object.entries(failing).flatMap(([file, tests]) =>
    Object.keys(tests).map((test) => ({ file, test })),
  );
  return {
    regressed: outcomes.filter((it) => isFailure(it) && failing[it.file]?.[it.test] === undefined),
    stale: listed.filter(({ file, test }) => [undefined, 'pass'].includes(statusOf(file, test))),
  };
}
