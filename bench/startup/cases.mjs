/**
 * Owns the cases of start-up: what is booted, and who boots it.
 *
 * @typedef {'ambit' | 'boot' | 'artifact' | 'fastify'} Contender
 * @typedef {{ title: string, contenders: Contender[], measures: Measure[] }} Case
 * @typedef {'cpuMs' | 'rssMb' | 'usedCpuMs' | 'usedRssMb'} Measure
 */

/** @type {Record<Contender, string>} */
export const contenders = {
  ambit: 'Ambit',
  boot: "Ambit, compile: 'boot'",
  artifact: 'Ambit, precompiled',
  fastify: 'Fastify',
};

/** @type {Case['contenders']} */
const both = ['ambit', 'fastify'];

/** @type {Record<string, Case>} */
export const cases = {
  import: { title: 'first import', contenders: both, measures: ['cpuMs', 'rssMb'] },
  distinct: {
    title: '1,000 routes, distinct schemas',
    contenders: ['ambit', 'boot', 'artifact', 'fastify'],
    measures: ['cpuMs', 'usedCpuMs', 'rssMb', 'usedRssMb'],
  },
  identical: {
    title: '1,000 routes, identical schemas',
    contenders: both,
    measures: ['cpuMs', 'usedCpuMs', 'rssMb', 'usedRssMb'],
  },
  'routes-1000': { title: '1,000 routes without schemas', contenders: both, measures: ['cpuMs'] },
  'routes-10000': { title: '10,000 routes without schemas', contenders: both, measures: ['cpuMs'] },
  'plugins-1000': { title: '1,000 sibling plugins', contenders: both, measures: ['cpuMs'] },
  'plugins-10000': { title: '10,000 sibling plugins', contenders: both, measures: ['cpuMs'] },
};

/** Pairs of cases that show growth: ten times as much should take ten times as long. */
export const growth = [
  ['routes-1000', 'routes-10000'],
  ['plugins-1000', 'plugins-10000'],
];
