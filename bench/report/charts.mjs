/**
 * The list of charts of a run.
 *
 * @typedef {{ file: string, alt: string, chart: import('./chart.mjs').Chart }} NamedChart
 */
import { ambitPeers, peers } from '../peers.mjs';
import { scenarios } from '../scenarios.mjs';
import { cases, subjects } from '../startup/cases.mjs';
import { summarize } from '../statistics.mjs';
import { subjects as typedSubjects } from '../types/subjects.mjs';
import { measureTitles } from './comparisons.mjs';
import { summarizeShapes } from './shapes.mjs';

const lower = 'less is better';

/** @returns {NamedChart} */
export function chartScenario(/** @type {import('./comparisons.mjs').ScenarioResult} */ result) {
  const bars = result.peers.map((peer, i) =>
    spreadBar(peers[peer].label, findSeries(peer), result.samples[i].cpuMicros),
  );
  const { title } = scenarios[result.scenario];
  return {
    file: `${result.scenario}.svg`,
    alt: `${title}: CPU time per request by server`,
    chart: {
      title,
      axis: `server CPU time per request, µs (${lower})`,
      series: { ours: 'Ambit', node: 'others on Node', bun: 'others on Bun', deno: 'others on Deno' },
      groups: [{ bars: bars.sort((left, right) => left.value - right.value) }],
    },
  };
}

function findSeries(peer) {
  return ambitPeers.includes(peer) ? 'ours' : peers[peer].runtime;
}

function spreadBar(label, series, values) {
  const { median: value, min, max } = summarize(values);
  return { label, series, value, min, max };
}

/** @returns {NamedChart} */
export function chartSerializers(/** @type {ReturnType<typeof summarizeShapes>} */ shapes) {
  const toBar = (label, series, { median: value, min, max }) => ({ label, series, value, min, max });
  return {
    file: 'serializers.svg',
    alt: 'Time to write a value, relative to JSON.stringify and fast-json-stringify',
    chart: {
      title: '@ambit/json-serializer: time to write a value',
      axis: `time relative to the other's (${lower}; left of the line ours is faster)`,
      series: { native: 'of JSON.stringify', peer: 'of fast-json-stringify' },
      reference: 1,
      groups: shapes.map(({ name, native, peer }) => ({
        bars: [toBar(name, 'native', native), toBar('', 'peer', peer)],
      })),
    },
  };
}

const bootCharts = [
  { file: 'import.svg', measure: 'cpuMs', names: ['import'], title: 'First import: CPU time' },
  { file: 'startup.svg', measure: 'cpuMs', names: ['distinct', 'identical'] },
  { file: 'startup-used.svg', measure: 'usedCpuMs', names: ['distinct', 'identical'] },
  {
    file: 'growth.svg',
    measure: 'cpuMs',
    names: ['routes-1000', 'routes-10000', 'plugins-1000', 'plugins-10000'],
    title: 'Many routes and plugins: CPU time until ready',
  },
  {
    file: 'memory.svg',
    measure: 'rssMb',
    names: ['import', 'distinct', 'identical'],
    title: 'Resident memory',
  },
  { file: 'memory-used.svg', measure: 'usedRssMb', names: ['distinct', 'identical'] },
];

/** @returns {NamedChart[]} */
export function chartStartup(/** @type {import('../startup/measure.mjs').BootResults} */ results) {
  return bootCharts.map(({ file, measure, names, title = capitalize(measureTitles[measure]) }) => ({
    file,
    alt: title,
    chart: {
      title,
      axis: `${measure.endsWith('Ms') ? 'CPU time, ms' : 'resident memory, MB'} (${lower})`,
      series: { ours: 'Ambit', fastify: 'Fastify' },
      groups: names.map((name) => ({
        label: cases[name].title,
        bars: Object.entries(results[name]).map(([subject, samples]) => bootBar(subject, samples, measure)),
      })),
    },
  }));
}

function bootBar(subject, samples, measure) {
  const series = subject === 'fastify' ? 'fastify' : 'ours';
  const label = subjects[subject];
  if (samples.failure !== undefined) return { label, series, note: samples.failure };
  return spreadBar(label, series, samples[measure]);
}

const capitalize = (/** @type {string} */ text) => text[0].toUpperCase() + text.slice(1);

/** @returns {NamedChart} */
export function chartTypes(/** @type {import('../types/measure.mjs').CheckResults} */ results) {
  const counts = Object.keys(Object.values(results)[0]).map(Number);
  return {
    file: 'types.svg',
    alt: 'Check time of typed routes',
    chart: {
      title: 'Type checking',
      axis: `check time, s (${lower})`,
      series: { ours: 'Ambit', others: 'others' },
      groups: counts.map((count) => ({
        label: `${count.toLocaleString('en-US')} routes`,
        bars: Object.entries(results).map(([name, byCount]) => checkBar(name, byCount[count])),
      })),
    },
  };
}

function checkBar(name, { failure, checkSeconds }) {
  const series = name.startsWith('ambit') ? 'ours' : 'others';
  const { label } = typedSubjects[name];
  if (failure !== undefined) return { label, series, note: failure.slice(0, 60) };
  return spreadBar(label, series, checkSeconds);
}

/** Every chart of a run. */
export function chartAll({ requests = [], serializers, startup, types }) {
  return [
    ...requests.map(chartScenario),
    ...(serializers === undefined ? [] : [chartSerializers(summarizeShapes(serializers))]),
    ...(startup === undefined ? [] : chartStartup(startup)),
    ...(types === undefined ? [] : [chartTypes(types)]),
  ];
}
