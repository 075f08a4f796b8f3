// Says in the terminal how a run went.
import { listPaths } from './lists.mjs';

/** A line for each test that needs a hand, and the sum. */
export function describeVerdict({ stopped, stale, gained, onPurpose, open }, { whole, ratchet }) {
  const sum = [
    `${whole.passed} of ${whole.reachable} reachable tests pass`,
    `${ratchet.passed} of ${ratchet.reachable} in the files of the ratchet`,
    `${onPurpose.length} fail on purpose, ${open.length} are open, ${stopped.length} stopped passing`,
  ];
  return [
    ...stopped.map((outcome) => `STOPPED PASSING: ${place(outcome)} (${describeFailure(outcome)})`),
    ...stale.map((entry) => `STALE REASON in ${listPaths.onPurpose}: ${place(entry)}`),
    ...gained.map((entry) => `passes now, record it with --update: ${place(entry)}`),
    `conformance: ${sum.join('; ')}`,
  ];
}

function place({ file, test }) {
  return `${file}: ${test}`;
}

function describeFailure({ status, error }) {
  return status === 'missing' ? 'never reported' : (error ?? status).split('\n')[0];
}
