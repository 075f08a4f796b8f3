/**
 * Lists the cases of start-up: the applications that boot, and their frameworks.
 *
 * @typedef {'ambit' | 'boot' | 'artifact' | 'fastify'} Subject
 * @typedef {{ title: string, subjects: Subject[], measures: Measure[] }} Case
 * @typedef {'cpuMs' | 'rssMb' | 'usedCpuMs' | 'usedRssMb'} Measure
 */

/** @type {Record<Subject, string>} */
export const subjects = {
  ambit: 'Ambit',
  boot: "Ambit, compile: 'boot'",
  artifact: 'Ambit, precompiled',
  fastify: 'Fastify',
};

/** @type {Case['subjects']} */
const both = ['ambit', 'fastify'];

/** @type {Record<string, Case>} */
export const cases = {
  import: { title: 'first import', subjects: both, measures: ['cpuMs', 'rssMb'] },
  distinct: {
    title: '1,000 routes, distinct schemas',
    subjects: ['ambit', 'boot', 'artifact', 'fastify'],
    measures: ['cpuMs', 'usedCpuMs', 'rssMb', 'usedRssMb'],
  },
  identical: {
    title: '1,000 routes, identical schemas',
    subjects: both,
    measures: ['cpuMs', 'usedCpuMs', 'rssMb', 'usedRssMb'],
  },
  shared: {
    title: '1,000 routes, 2,000 shared schemas that refer to one another',
    subjects: both,
    measures: ['cpuMs', 'rssMb'],
  },
  'routes-1000': { title: '1,000 routes without schemas', subjects: both, measures: ['cpuMs'] },
  'routes-10000': { title: '10,000 routes without schemas', subjects: both, measures: ['cpuMs'] },
  'plugins-1000': { title: '1,000 sibling plugins', subjects: both, measures: ['cpuMs'] },
  'plugins-10000': { title: '10,000 sibling plugins', subjects: both, measures: ['cpuMs'] },
};

/** Pairs of cases that show growth: ten times as many routes should take ten times as long. */
export const growth = [
  ['routes-1000', 'routes-10000'],
  ['plugins-1000', 'plugins-10000'],
];
