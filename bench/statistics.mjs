// Owns the arithmetic: from CPU times per round to ratios between peers.

/** @param {readonly number[]} values At least one. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** @param {readonly number[]} values At least one. */
export function summarize(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/**
 * Compares two peers round by round, so that what slows the machine for a while slows both sides of a ratio.
 *
 * @param {readonly number[]} subject
 * @param {readonly number[]} baseline Same rounds, same order.
 */
export function compareRounds(subject, baseline) {
  return summarize(subject.map((value, round) => value / baseline[round]));
}
