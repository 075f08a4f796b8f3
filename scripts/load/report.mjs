// The report of the soak test: the slope of each metric of each server with its confidence interval, and the failures.
import { countWrong } from './traffic.mjs';

const mebibyte = 1_048_576;

/**
 * The metrics: key, title, unit, and how much each may grow in the measured time, in units of the metric. Ambit fails if the
 * lower bound of the confidence interval is above that. The heap grows while V8 still optimizes code that runs rarely,
 * and the allocator of the system does not return all freed memory.
 */
const metrics = [
  ['heapUsed', 'heap, MiB', mebibyte, 1],
  ['rss', 'process, MiB', mebibyte, 16],
  ['external', 'outside of the heap, MiB', mebibyte, 1],
  ['descriptors', 'descriptors', 1, 1],
  ['timers', 'timers', 1, 1],
  ['resources', 'resources', 1, 1],
];

/** The quantile of the normal distribution that leaves 2.5 % on each side. */
const z95 = 1.959964;

/**
 * Estimates the slope of a series of measurements with the Theil–Sen estimator, which is robust against outliers. The
 * confidence interval is that of P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau" (1968).
 *
 * @param {readonly (readonly [x: number, y: number])[]} points At least two points, sorted by x.
 * @returns The median of the slopes between all pairs of points, and the bounds of its 95 % confidence interval. For few
 *   points, the bounds are the smallest and the largest of these slopes.
 */
export function estimateSlope(points) {
  const slopes = points
    .flatMap(([x, y], i) => points.slice(i + 1).map(([laterX, laterY]) => (laterY - y) / (laterX - x)))
    .sort((a, b) => a - b);
  const n = points.length;
  const spread = z95 * Math.sqrt((n * (n - 1) * (2 * n + 5)) / 18);
  const last = slopes.length - 1;
  const low = Math.max(0, Math.floor((slopes.length - spread) / 2) - 1);
  const high = Math.min(last, Math.ceil((slopes.length + spread) / 2));
  return { slope: (slopes[last >> 1] + slopes[(last + 1) >> 1]) / 2, low: slopes[low], high: slopes[high] };
}

export function findGrowth(samples) {
  const hours = (samples.at(-1).atMs - samples[0].atMs) / 3_600_000;
  return metrics.map(([key, title, unit, tolerance]) => {
    const points = samples.map((sample) => [sample.atMs / 3_600_000, sample[key] / unit]);
    const estimate = estimateSlope(points);
    const isGrowing = estimate.low * hours > tolerance;
    return { key, title, first: points[0][1], last: points.at(-1)[1], ...estimate, isGrowing };
  });
}

function listFailures({ server, isAmbit, growth, wrong, warnings, end, before, after }) {
  if (!isAmbit) return [];
  const leaked = ['descriptors', 'timers', 'resources'].filter((key) => after[key] > before[key]);
  return [
    ...growth.filter(({ isGrowing }) => isGrowing).map(({ title }) => `${server} grows: ${title}`),
    ...Object.entries(wrong).map(([reason, count]) => `${server}: ${count} times ${reason}`),
    ...warnings.map((warning) => `${server} warned: ${warning}`),
    ...leaked.map((key) => `${server} leaked ${key}: ${before[key]} before, ${after[key]} after`),
    ...(end === 'by itself' ? [] : [`${server} ended: ${end}`]),
  ];
}

const round = (value) => Number(value.toFixed(Math.abs(value) < 10 ? 2 : 1));

/** @returns The failures. */
export function printReport(results) {
  console.table(
    results.map(({ server, started, skipped, wrong, warnings, before, after, end }) => ({
      server,
      requests: started,
      'not sent: too slow': skipped,
      wrong: countWrong({ wrong }),
      warnings: warnings.length,
      descriptors: `${before.descriptors} → ${after.descriptors}`,
      'the process ended': end,
    })),
  );
  const rows = results.flatMap(({ server, growth }) =>
    growth.map(({ title, first, last, slope, low, high }) => ({
      server,
      metric: title,
      first: round(first),
      last: round(last),
      'slope per hour': round(slope),
      '95 % interval': `${round(low)} to ${round(high)}`,
    })),
  );
  console.table(rows);
  return results.flatMap(listFailures);
}
