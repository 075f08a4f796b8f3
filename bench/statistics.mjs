// The statistics: from figures per round to ratios between peers.

/** @param {readonly number[]} values At least one. */
export function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * The smallest of the values that at least `share` of them do not exceed (nearest rank).
 *
 * @param {Float64Array} values At least one.
 * @param {number} share Above 0, at most 1.
 */
export function quantile(values, share) {
  return values.toSorted()[Math.ceil(values.length * share) - 1];
}

/** @param {readonly number[]} values At least one, each above 0. */
export function geometricMean(values) {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

/** @param {readonly number[]} values At least one. */
export function summarize(values) {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values) };
}

/** @param {readonly number[]} values At least one. */
export function quartiles(values) {
  const numbers = Float64Array.from(values);
  return { lower: quantile(numbers, 0.25), upper: quantile(numbers, 0.75) };
}

/**
 * Compares two peers round by round. If the machine is slow for a while, this affects both sides of a ratio.
 *
 * @param {readonly number[]} subject
 * @param {readonly number[]} baseline Same rounds, same order.
 */
export function compareRounds(subject, baseline) {
  const ratios = subject.map((value, round) => value / baseline[round]);
  return { ...summarize(ratios), ...quartiles(ratios) };
}
