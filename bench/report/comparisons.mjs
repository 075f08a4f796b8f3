/**
 * Comparisons: converts the results of a run to ratios, which are below 1 if Ambit needs less.
 *
 * @typedef {{ median: number, min: number, max: number, lower: number, upper: number }} Ratio Over the rounds; `lower` and `upper` are the
 *   quartiles.
 * @typedef {{ what: string, subject: string, baseline: string, ratio: Ratio }} Comparison
 * @typedef {{ scenario: string, peers: string[], samples: import('../measure.mjs').Samples[] }} ScenarioResult
 */
import { ambitPeers, baselinesOf, peers } from '../peers.mjs';
import { scenarios } from '../scenarios.mjs';
import { cases, subjects } from '../startup/cases.mjs';
import { compareRounds, median } from '../statistics.mjs';
import { ambitSubjectLike, subjects as typedSubjects } from '../types/subjects.mjs';
import { summarizeShapes } from './shapes.mjs';

/**
 * Compares the server CPU time per request of one peer with that of each other peer.
 *
 * @param {ScenarioResult} result
 * @param {string} subject One of its peers; by default the first.
 */
export function comparePeers(result, subject = result.peers[0]) {
  const subjectIndex = result.peers.indexOf(subject);
  const others = [...result.peers.keys()].filter((index) => index !== subjectIndex);
  return others.map((index) => compareTwo(result, subjectIndex, index));
}

function compareTwo({ scenario, peers: names, samples }, subjectIndex, baselineIndex) {
  const [subject, baseline] = [samples[subjectIndex], samples[baselineIndex]];
  return {
    scenario,
    what: `${scenarios[scenario].title}: CPU time per request`,
    subject: names[subjectIndex],
    baseline: names[baselineIndex],
    ratio: compareRounds(subject.cpuMicros, baseline.cpuMicros),
    subjectMicros: median(subject.cpuMicros),
    baselineMicros: median(baseline.cpuMicros),
    // The lower of both loads. Below 0.9, the load generator could not keep the server busy, and the ratio is less
    // reliable.
    busy: Math.min(median(subject.busy), median(baseline.busy)),
  };
}

/** @returns {Comparison[]} Each peer with Ambit compared with its baselines, by their labels. */
export function compareRequests(/** @type {ScenarioResult[]} */ results) {
  return results.flatMap((result) =>
    ambitPeers
      .filter((subject) => result.peers.includes(subject))
      .flatMap((subject) => comparePeers(result, subject))
      .filter(({ subject, baseline }) => baselinesOf[subject].includes(baseline))
      .map(({ what, subject, baseline, ratio }) => ({
        what,
        subject: peers[subject].label,
        baseline: peers[baseline].label,
        ratio,
      })),
  );
}

const serializer = '@ambit/json-serializer';
const jsonPeer = 'fast-json-stringify';

/** @returns {Comparison[]} */
export function compareSerializers(/** @type {import('../serializers.mjs').SerializerRound[]} */ rounds) {
  const compare = (what, baseline, ratio) => ({ what, subject: serializer, baseline, ratio });
  return summarizeShapes(rounds).flatMap(({ name, native, peer, compile, compileAndWrite }) => [
    compare(`writing ${name}`, 'JSON.stringify', native),
    compare(`writing ${name}`, jsonPeer, peer),
    compare(`compiling, ${name}`, jsonPeer, compile),
    compare(`compiling and writing once, ${name}`, jsonPeer, compileAndWrite),
  ]);
}

/** @type {Record<import('../startup/cases.mjs').Measure, string>} */
export const measureTitles = {
  cpuMs: 'CPU time until ready',
  usedCpuMs: 'CPU time until each route has responded once',
  rssMb: 'resident memory when ready',
  usedRssMb: 'resident memory after each route has responded once',
};

/** @returns {Comparison[]} Comparisons in which one side failed are left out, because there is no ratio. */
export function compareStartup(/** @type {import('../startup/measure.mjs').BootResults} */ results) {
  return Object.entries(results).flatMap(([name, bySubject]) => {
    const baseline = bySubject.fastify;
    return Object.entries(bySubject)
      .filter(([subject, samples]) => subject !== 'fastify' && samples.failure === undefined)
      .filter(() => baseline.failure === undefined)
      .flatMap(([subject, samples]) =>
        cases[name].measures.map((measure) => ({
          what: `${cases[name].title}: ${nameMeasure(name, measure)}`,
          subject: subjects[subject],
          baseline: subjects.fastify,
          ratio: compareRounds(samples[measure], baseline[measure]),
        })),
      );
  });
}

export function nameMeasure(/** @type {string} */ name, /** @type {string} */ measure) {
  if (name !== 'import') return measureTitles[measure];
  return measure === 'cpuMs' ? 'CPU time' : 'resident memory after it';
}

/** @returns {Comparison[]} Ambit compared with each other subject of the same style, without those that do not type-check. */
export function compareTypes(/** @type {import('../types/measure.mjs').CheckResults} */ results) {
  return Object.entries(results)
    .filter(([name]) => ambitSubjectLike(name) !== name)
    .flatMap(([name, byCount]) =>
      Object.entries(byCount).flatMap(([count, samples]) => {
        const ambitSamples = results[ambitSubjectLike(name)][count];
        if (ambitSamples.failure !== undefined || samples.failure !== undefined) return [];
        return {
          what: `${Number(count).toLocaleString('en-US')} typed routes: check time`,
          subject: typedSubjects[ambitSubjectLike(name)].label,
          baseline: typedSubjects[name].label,
          ratio: compareRounds(ambitSamples.checkSeconds, samples.checkSeconds),
        };
      }),
    );
}

/** Every comparison of a run. Sections that were not measured have no comparisons. */
export function compareAll({ requests = [], serializers, startup = {}, types = {} }) {
  return [
    ...compareRequests(requests),
    ...(serializers === undefined ? [] : compareSerializers(serializers)),
    ...compareStartup(startup),
    ...compareTypes(types),
  ];
}

/** @returns The comparisons in which Ambit is not better, the worst first. */
export function findLosses(/** @type {Comparison[]} */ comparisons) {
  return comparisons
    .filter(({ ratio }) => ratio.median > 1)
    .sort((left, right) => right.ratio.median - left.ratio.median);
}
