// Prints the result of a run in the terminal.
import { listPaths } from './lists.mjs';

/** One line for each test that someone must look at, and the sum. */
export function describeVerdict({ stopped, stale, gained, onPurpose, open }, { whole, ratchet }) {
  const sum = [
    `${whole.passed} of ${whole.reachable} reachable tests pass`,
    `${ratchet.passed} of ${ratchet.reachable} in the files of the ratchet`,
    `${onPurpose.length} fail on purpose, ${open.length} are open, ${stopped.length} stopped passing`,
  ];
  return [
    ...describeFailed(stopped.filter(({ status }) => status === 'fail')),
    ...describeMissing(stopped.filter(({ status }) => status === 'missing')),
    ...stale.map((entry) => `STALE REASON in ${listPaths.onPurpose}: ${place(entry)}`),
    ...gained.map((entry) => `passes now, record it with --update: ${place(entry)}`),
    `conformance: ${sum.join('; ')}`,
  ];
}

function describeFailed(outcomes) {
  const messageOf = ({ error = 'failed' }) => error.split('\n')[0];
  return outcomes.map((outcome) => `STOPPED PASSING: ${place(outcome)} (${messageOf(outcome)})`);
}

/** If a file crashes, all its tests are missing for the same reason, so it gets one line. */
function describeMissing(outcomes) {
  const byFile = new Map();
  for (const { file, test } of outcomes) byFile.set(file, [...(byFile.get(file) ?? []), test]);
  return [...byFile].map(
    ([file, tests]) => `STOPPED PASSING: ${file}: ${tests.length} never reported: ${tests.join(' | ')}`,
  );
}

function place({ file, test }) {
  return `${file}: ${test}`;
}
