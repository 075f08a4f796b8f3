/**
 * Owns what the benchmark tells: figures per scenario, as an object for JSON and as a table for people.
 *
 * @typedef {import('./measure.mjs').Samples} Samples
 * @typedef {{ scenario: string, subject: string, baseline: string, ratio: Summary,
 *   subjectMicros: number, baselineMicros: number, busy: number }} Comparison
 * @typedef {{ median: number, min: number, max: number }} Summary
 */
import { compareRounds, median } from './statistics.mjs';

/**
 * @param {string} scenario
 * @param {readonly string[]} peers The first is compared with each of the others.
 * @param {readonly Samples[]} samples
 * @returns {Comparison[]}
 */
export function comparePeers(scenario, peers, samples) {
  const [subject, ...baselines] = samples;
  return baselines.map((baseline, i) => ({
    scenario,
    subject: peers[0],
    baseline: peers[i + 1],
    ratio: compareRounds(subject.cpuMicros, baseline.cpuMicros),
    subjectMicros: median(subject.cpuMicros),
    baselineMicros: median(baseline.cpuMicros),
    // The idler of the two: below 0.9 the load generator could not keep it busy, and the ratio says less.
    busy: Math.min(median(subject.busy), median(baseline.busy)),
  }));
}

const headings = ['scenario', 'compared', 'ratio', 'min', 'max', 'µs/request', 'busy'];

/** @param {readonly Comparison[]} comparisons */
export function formatTable(comparisons) {
  const rows = comparisons.map(
    ({ scenario, subject, baseline, ratio, subjectMicros, baselineMicros, busy }) => [
      scenario,
      `${subject}/${baseline}`,
      ratio.median.toFixed(3),
      ratio.min.toFixed(3),
      ratio.max.toFixed(3),
      `${subjectMicros.toFixed(1)} / ${baselineMicros.toFixed(1)}`,
      `${Math.round(busy * 100)}%`,
    ],
  );
  const lines = [headings, ...rows];
  const widths = headings.map((_, column) => Math.max(...lines.map((line) => line[column].length)));
  return lines
    .map((line) =>
      line.map((cell, i) => (i < 2 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  '),
    )
    .map((line) => `${line.trimEnd()}\n`)
    .join('');
}
