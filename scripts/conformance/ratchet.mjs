// Checks the ratchet: every reachable test must pass, unless it is listed as failing on purpose or as open.

/** The name under which the runner reports a file without tests of its own. */
const fileResultName = '<file>';
/** If more files than this have unexpected failures, a slow machine is not the cause. */
const retryLimit = 20;

const keyOf = ({ file, test }) => `${file}\n${test}`;
/** If the suite itself skips a test on this version of Node or machine, the test says nothing about Ambit. */
const isFailure = ({ status }) => status === 'fail' || status === 'missing';
const isSkipped = (outcome) => outcome?.status === 'skip' || outcome?.status === 'todo';

/**
 * Gives each reachable test one outcome: `{ file, test, status, error }` with the status `pass`, `fail`, `skip`, `todo`, or
 * `missing` for a test without a result, because its file crashed or hung.
 *
 * @param reachable What is expected of each file: the names of its reachable `tests`, or their `count` and the names of the
 *   `others`.
 * @param results The results of the runner.
 * @param listed The entries of both lists.
 */
export function listOutcomes(reachable, results, listed) {
  return Object.entries(reachable).flatMap(([file, { tests, count, others = [] }]) => {
    const found = results[file] ?? {};
    const known = [...Object.keys(found), ...listed.filter((it) => it.file === file).map(({ test }) => test)];
    const names = tests ?? [...new Set(known)].filter((name) => ![...others, fileResultName].includes(name));
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

export function countTests(outcomes, results) {
  const files = [...new Set([...Object.keys(results), ...outcomes.map(({ file }) => file)])].sort();
  return Object.fromEntries(
    files.map((file) => {
      const reachable = outcomes.filter((outcome) => outcome.file === file).map(({ test }) => test);
      const others = Object.keys(results[file] ?? {}).filter(
        (name) => name !== fileResultName && !reachable.includes(name),
      );
      return [file, reachable.length + others.length];
    }),
  );
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
 * Compares outcomes with the two lists of tests that may fail, each entry `{ file, test }`.
 *
 * - `regressed`: the test fails and is not listed;
 * - `stale`: the list says that the test fails on purpose, but it passes or does not exist;
 * - `gained`: the test was open and now passes;
 * - `onPurpose`, `open`: the test fails as listed. If it has a reason, it is no longer open.
 */
export function checkRatchet(outcomes, { onPurpose, open }) {
  const byKey = new Map(outcomes.map((outcome) => [keyOf(outcome), outcome]));
  const find = (entry) => byKey.get(keyOf(entry));
  const fails = (entry) => isFailure(find(entry) ?? { status: 'unknown' });
  const reasons = new Set(onPurpose.map(keyOf));
  const listed = new Set([...onPurpose, ...open].map(keyOf));
  return {
    regressed: outcomes.filter((outcome) => isFailure(outcome) && !listed.has(keyOf(outcome))),
    stale: onPurpose.filter((entry) => !fails(entry) && !isSkipped(find(entry))),
    gained: open.filter((entry) => find(entry)?.status === 'pass'),
    onPurpose: onPurpose.filter(fails),
    open: open.filter((entry) => fails(entry) && !reasons.has(keyOf(entry))),
  };
}

/** The files that run again, because a test with a short timeout may fail on a machine under load. */
export function filesToRetry({ regressed }) {
  const files = [...new Set(regressed.map(({ file }) => file))].sort();
  return files.length > retryLimit ? [] : files;
}
