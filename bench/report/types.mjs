// The part of the report about type checking.
import { compareRounds, median } from '../statistics.mjs';
import { ambitSubjectLike, subjects } from '../types/subjects.mjs';
import { formatMarkdownTable, formatRatio } from './markdown.mjs';

/** @param {import('../types/measure.mjs').CheckResults} results */
export function writeTypes(results) {
  const counts = Object.keys(Object.values(results)[0]).map(Number);
  const failures = listFailures(results);
  return [
    '## Type checking',
    [
      'The time that `tsc` needs to check programs with the same routes. Each route has five schemas with unique property names, and a handler that reads',
      'three parts and responds with two statuses. TypeScript reports the figures; it runs with one thread and `skipLibCheck`, in a new process for',
      'each check, in turns. Before the measurement, a program with mistakes shows for each framework that its types are not `any`.',
      'Hono has no response schemas: its handler declares the types with `satisfies`. "Chained" is `app.post(…).post(…)`, which typed clients',
      'need. Otherwise, each route is a statement. Chains of 1,000 routes are checked in one round only.',
    ].join('\n'),
    writeTable(results, counts),
    ...(failures.length === 0 ? [] : ['Could not be checked:', failures.join('\n')]),
    '### Growth of check time',
    `The check time of ${counts.at(-1).toLocaleString('en-US')} routes, divided by that of ${counts[0]} routes. The larger program has ${counts.at(-1) / counts[0]} times as many routes. Declarations that exist once have less effect on the larger program.`,
    writeGrowth(results, counts[0], counts.at(-1)),
  ];
}

function writeTable(results, counts) {
  const rows = counts.flatMap((count) =>
    Object.entries(results)
      .filter(([, byCount]) => byCount[count].failure === undefined)
      .map(([name, byCount]) => [
        count.toLocaleString('en-US'),
        subjects[name].label,
        ...describeCheck(byCount[count]),
        showRatio(results, name, count),
      ]),
  );
  const headings = ['routes', 'framework', 'check s', 'total s', 'instantiations', 'MB', 'Ambit / it'];
  return formatMarkdownTable(headings, rows, 2);
}

function describeCheck({ checkSeconds, totalSeconds, instantiations, memoryMb }) {
  return [
    median(checkSeconds).toFixed(2),
    median(totalSeconds).toFixed(2),
    Math.round(median(instantiations)).toLocaleString('en-US'),
    Math.round(median(memoryMb)).toLocaleString('en-US'),
  ];
}

/** The ratio of Ambit to another subject of the same style. */
function showRatio(results, name, count) {
  const ambitSamples = results[ambitSubjectLike(name)][count];
  if (ambitSubjectLike(name) === name || ambitSamples.failure !== undefined) return '';
  return formatRatio(compareRounds(ambitSamples.checkSeconds, results[name][count].checkSeconds));
}

function listFailures(results) {
  return Object.entries(results).flatMap(([name, byCount]) =>
    Object.entries(byCount)
      .filter(([, { failure }]) => failure !== undefined)
      .map(
        ([count, { failure }]) =>
          `- ${subjects[name].label}, ${Number(count).toLocaleString('en-US')} routes: ${failure}`,
      ),
  );
}

function writeGrowth(results, few, many) {
  const rows = Object.entries(results).map(([name, byCount]) => {
    const hasBoth = byCount[few].failure === undefined && byCount[many].failure === undefined;
    const growth = hasBoth ? compareRounds(byCount[many].checkSeconds, byCount[few].checkSeconds) : undefined;
    return [subjects[name].label, growth === undefined ? '' : formatRatio(growth, 1)];
  });
  return formatMarkdownTable(['framework', 'growth'], rows);
}
