// The part of the report about start-up and memory.
import { cases, growth, subjects } from '../startup/cases.mjs';
import { compareRounds, median } from '../statistics.mjs';
import { nameMeasure } from './comparisons.mjs';
import { formatMarkdownTable, formatRatio } from './markdown.mjs';

/** @param {import('../startup/measure.mjs').BootResults} results */
export function writeStartup(results) {
  return [
    '## Start-up',
    [
      'CPU time of a new process, Ambit and Fastify in turns. "Until ready" is the time from creating the application to `ready()`, without the import.',
      'Each route has schemas for params, query string, body and response. By default, Ambit compiles a schema when it is first',
      'used, so there is a second figure: the time until each of the 1,000 routes has responded to one request.',
    ].join('\n'),
    writeMeasures(results, ['cpuMs', 'usedCpuMs'], 'ms'),
    ...(results.distinct.artifact === undefined
      ? ['The precompiled module is not measured, because this build has none.']
      : []),
    '### Growth',
    'Ten times as many routes, or sibling plugins with a route each, should take ten times as long.',
    writeGrowth(results),
    '## Memory',
    'The resident memory of the same processes, including Node itself, code and garbage.',
    writeMeasures(results, ['rssMb', 'usedRssMb'], 'MB'),
  ];
}

function writeMeasures(results, measures, unit) {
  const rows = Object.entries(results).flatMap(([name, bySubject]) =>
    measures
      .filter((measure) => cases[name].measures.includes(measure))
      .flatMap((measure) =>
        Object.entries(bySubject).map(([subject, samples]) => [
          `${cases[name].title}: ${nameMeasure(name, measure)}`,
          subjects[subject],
          showMedian(samples, measure),
          showRatio(subject, samples, bySubject.fastify, measure),
        ]),
      ),
  );
  return formatMarkdownTable(['what', 'framework', unit, '/ Fastify'], rows, 2);
}

function showMedian(samples, measure) {
  return samples.failure ?? median(samples[measure]).toFixed(1);
}

function showRatio(subject, samples, baseline, measure) {
  if (subject === 'fastify' || samples.failure !== undefined || baseline.failure !== undefined) return '';
  return formatRatio(compareRounds(samples[measure], baseline[measure]));
}

function writeGrowth(results) {
  const rows = growth.flatMap(([few, many]) =>
    Object.entries(results[few]).map(([subject, samples]) => {
      const grown = results[many][subject];
      const hasBoth = samples.failure === undefined && grown.failure === undefined;
      const factor = hasBoth ? compareRounds(grown.cpuMs, samples.cpuMs).median.toFixed(1) : '';
      const figures = [showMedian(samples, 'cpuMs'), showMedian(grown, 'cpuMs')];
      return [`${cases[few].title} → ${cases[many].title}`, subjects[subject], ...figures, factor];
    }),
  );
  return formatMarkdownTable(['what', 'framework', 'ms', 'ms, ten times as many', 'growth'], rows, 2);
}
