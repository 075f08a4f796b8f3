// Checks the ratchet: every reachable test must pass, unless it is listed as failing on purpose or as open.
import { isFailure } from './outcomes.mjs';

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

/** If more files than this have unexpected failures, a slow machine is not the cause. */
const retryLimit = 20;

/** The files that run again, because a test with a short timeout may fail on a machine under load. */
export function filesToRetry({ regressed }) {
  const files = [...new Set(regressed.map(({ file }) => file))].sort();
  return files.length > retryLimit ? [] : files;
}

function isSkipped(outcome) {
  return outcome?.status === 'skip' || outcome?.status === 'todo';
}

function keyOf({ file, test }) {
  return `${file}\n${test}`;
}
