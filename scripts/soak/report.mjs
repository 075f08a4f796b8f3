// The report of the soak test: the slope of each metric of each server with its confidence interval, and the failures.
import { estimateSlope } from './slope.mjs';

const mebibyte = 1_048_576;

/**
 * The metrics, and how much each may grow in the measured time (`tolerance`, in units of the metric). Ambit fails if the
 * lower bound of the confidence interval is above that. The heap grows while V8 still optimizes code that runs rarely,
 * and the allocator of the system does not return all freed memory.
 */
const metrics = [
  { key: 'heapUsed', title: 'heap, MiB', unit: mebibyte, tolerance: 1 },
  { key: 'rss', title: 'process, MiB', unit: mebibyte, tolerance: 16 },
  { key: 'external', title: 'outside of the heap, MiB', unit: mebibyte, tolerance: 1 },
  { key: 'descriptors', title: 'descriptors', unit: 1, tolerance: 1 },
  { key: 'timers', title: 'timers', unit: 1, tolerance: 1 },
  { key: 'resources', title: 'resources', unit: 1, tolerance: 1 },
];

/** For each metric, its first and last value, and its slope for an hour. */
export function findGrowth(samples) {
  const first = samples[0];
  const last = samples.at(-1);
  const hours = (last.atMs - first.atMs) / 3_600_000;
  const requests = last.started - first.started;
  return metrics.map(({ key, title, unit, tolerance }) => {
    const points = samples.map((sample) => [sample.atMs / 3_600_000, sample[key] / unit]);
    const estimate = estimateSlope(points);
    const isGrowing = estimate.low * hours > tolerance;
    return {
      key,
      title,
      first: points[0][1],
      last: points.at(-1)[1],
      ...estimate,
      isGrowing,
      hours,
      requests,
    };
  });
}

const format = (value) => value.toFixed(Math.abs(value) < 10 ? 2 : 1);

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

/** @returns The tables in Markdown, and the failures of the run. */
export function formatReport(results) {
  const rows = results.flatMap(({ server, growth }) =>
    growth.map(({ title, first, last, slope, low, high }) =>
      [server, title, format(first), format(last), format(slope), `${format(low)} to ${format(high)}`].join(
        ' | ',
      ),
    ),
  );
  const sums = results.map(({ server, started, skipped, wrong, warnings, before, after, end }) => {
    const wrongCount = Object.values(wrong).reduce((sum, count) => sum + count, 0);
    const descriptors = `${before.descriptors} → ${after.descriptors}`;
    const cells = [
      server,
      started.toLocaleString('en'),
      skipped,
      wrongCount,
      warnings.length,
      descriptors,
      end,
    ];
    return cells.join(' | ');
  });
  const text = [
    '| server | requests | not sent: too slow | wrong | warnings | descriptors before and after | the process ended |',
    '| --- | ---: | ---: | ---: | ---: | ---: | --- |',
    ...sums.map((row) => `| ${row} |`),
    '',
    '| server | metric | first | last | slope per hour | 95 % interval |',
    '| --- | --- | ---: | ---: | ---: | ---: |',
    ...rows.map((row) => `| ${row} |`),
  ].join('\n');
  return { text, failures: results.flatMap(listFailures) };
}
