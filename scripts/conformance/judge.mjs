// The ratchet: every reachable test passes, or is listed as failing on purpose, or as open.
import { isFailure } from './outcomes.mjs';

/**
 * Compares outcomes with the two lists of tests that may fail, each entry `{ file, test }`.
 *
 * - `stopped`: fails and is on no list;
 * - `stale`: on purpose, says its entry, yet the test passes or is not there;
 * - `gained`: open until now, and passes;
 * - `onPurpose`, `open`: fails as listed; with a reason it is no longer open.
 */
export function judge(outcomes, { onPurpose, open }) {
  const byKey = new Map(outcomes.map((outcome) => [keyOf(outcome), outcome]));
  const find = (entry) => byKey.get(keyOf(entry));
  const fails = (entry) => isFailure(find(entry) ?? { status: 'unknown' });
  const reasons = new Set(onPurpose.map(keyOf));
  const listed = new Set([...onPurpose, ...open].map(keyOf));
  return {
    stopped: outcomes.filter((outcome) => isFailure(outcome) && !listed.has(keyOf(outcome))),
    stale: onPurpose.filter((entry) => !fails(entry) && !isLeftOut(find(entry))),
    gained: open.filter((entry) => find(entry)?.status === 'pass'),
    onPurpose: onPurpose.filter(fails),
    open: open.filter((entry) => fails(entry) && !reasons.has(keyOf(entry))),
  };
}

/** More than this many files at once do not fail for want of time. */
const filesInDoubtLimit = 20;

/** The files whose outcome is in doubt: a loaded machine can make a test with a tight time limit fail. */
export function filesInDoubt({ stopped }) {
  const files = [...new Set(stopped.map(({ file }) => file))].sort();
  return files.length > filesInDoubtLimit ? [] : files;
}

function isLeftOut(outcome) {
  return outcome?.status === 'skip' || outcome?.status === 'todo';
}

function keyOf({ file, test }) {
  return `${file}\n${test}`;
}
