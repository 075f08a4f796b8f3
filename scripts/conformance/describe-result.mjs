// Describes the result of a run for the terminal.
import { listPaths } from './lists.mjs';

/** Returns one line for each test that needs attention, and the sum. */
export function describeResult({ regressed, stale, gained, onPurpose, open }, { whole, ratchet }) {
  const sum = [
    `${whole.passed} of ${whole.reachable} reachable tests pass`,
    `${ratchet.passed} of ${ratchet.reachable} in the required files`,
    `${onPurpose.length} fail on purpose, ${open.length} are open, ${regressed.length} stopped passing`,
  ];
  return [
    ...describeFailed(regressed.filter(({ status }) => status === 'fail')),
    ...describeMissing(regressed.filter(({ status }) => status === 'missing')),
    ...stale.map((entry) => `STALE REASON in ${listPaths.onPurpose}: ${locationOf(entry)}`),
    ...gained.map((entry) => `passes now, record it with --update: ${locationOf(entry)}`),
    `conformance: ${sum.join('; ')}`,
  ];
}

function describeFailed(outcomes) {
  const messageOf = ({ error = 'failed' }) => error.split('\n')[0];
  return outcomes.map((outcome) => `STOPPED PASSING: ${locationOf(outcome)} (${messageOf(outcome)})`);
}

/** If a file crashes, all its tests are missing for the same reason, so it gets one line. */
function describeMissing(outcomes) {
  const byFile = new Map();
  for (const { file, test } of outcomes) byFile.set(file, [...(byFile.get(file) ?? []), test]);
  return [...byFile].map(
    ([file, tests]) => `STOPPED PASSING: ${file}: ${tests.length} never reported: ${tests.join(' | ')}`,
  );
}

function locationOf({ file, test }) {
  return `${file}: ${test}`;
}
