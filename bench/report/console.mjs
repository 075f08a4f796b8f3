// The output of the benchmark on a terminal: tables in columns.

import { median } from '../statistics.mjs';

const headings = ['scenario', 'compared', 'ratio', 'min', '25%', '75%', 'max', 'µs/request', 'busy'];

/** @param {readonly ReturnType<typeof import('./comparisons.mjs').comparePeers>[number][]} comparisons */
export function formatTable(comparisons) {
  const rows = comparisons.map(
    ({ scenario, subject, baseline, ratio, subjectMicros, baselineMicros, busy }) => [
      scenario,
      `${subject}/${baseline}`,
      ratio.median.toFixed(3),
      ratio.min.toFixed(3),
      ratio.lower.toFixed(3),
      ratio.upper.toFixed(3),
      ratio.max.toFixed(3),
      `${subjectMicros.toFixed(1)} / ${baselineMicros.toFixed(1)}`,
      `${Math.round(busy * 100)}%`,
    ],
  );
  return alignColumns([headings, ...rows], 2);
}

/** @param {readonly import('./comparisons.mjs').Comparison[]} comparisons */
export function formatComparisons(comparisons) {
  const rows = comparisons.map(({ what, subject, baseline, ratio }) => [
    what,
    `${subject} / ${baseline}`,
    ratio.median.toFixed(3),
    ratio.min.toFixed(3),
    ratio.max.toFixed(3),
  ]);
  return alignColumns([['compared', '', 'ratio', 'min', 'max'], ...rows], 2);
}

/** @param {readonly import('../latency.mjs').LatencyResult[]} results */
export function formatLatency(results) {
  const rows = results.flatMap(({ scenario, perSecond, peers, p99Ms }) =>
    peers.map((peer, i) => [
      scenario,
      peer,
      Math.round(perSecond).toLocaleString('en-US'),
      median(p99Ms[i]).toFixed(2),
      Math.min(...p99Ms[i]).toFixed(2),
      Math.max(...p99Ms[i]).toFixed(2),
    ]),
  );
  return alignColumns([['latency', '', 'requests/s', 'p99 ms', 'min', 'max'], ...rows], 2);
}

/** @param {number} textColumns The number of text columns at the start, which are aligned left; numbers are aligned right. */
function alignColumns(lines, textColumns) {
  const widths = lines[0].map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      line.map((cell, i) => (i < textColumns ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
