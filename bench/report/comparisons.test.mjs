// Proves how ratios are computed and shown in a table, and which ones count as lost.
import { expect, test } from 'vitest';
import { compareRounds, geometricMean, median, quantile } from '../statistics.mjs';
import { compareAll, comparePeers, findLosses } from './comparisons.mjs';
import { formatTable } from './console.mjs';

test('the median of an odd number of values is the middle one, in any order', () => {
  expect(median([30, 10, 20])).toBe(20);
});

test('the median of an even number of values lies between the middle two', () => {
  expect(median([4, 1, 3, 2])).toBe(2.5);
});

test('ratios are computed for each round, so a slow round of both peers has no effect', () => {
  expect(compareRounds([9, 90, 9], [10, 100, 10])).toMatchObject({ median: 0.9, min: 0.9, max: 0.9 });
});

test('the quartiles of ratios are measured ratios, too', () => {
  const subject = [50, 10, 40, 20, 30, 60, 80, 70];
  const baseline = subject.map(() => 10);
  expect(compareRounds(subject, baseline)).toEqual({ median: 4.5, min: 1, lower: 2, upper: 6, max: 8 });
});

test('a quantile is a measured value: the nearest rank', () => {
  const values = Float64Array.from({ length: 200 }, (_, i) => 200 - i);
  expect([quantile(values, 0.99), quantile(values, 0.5), quantile(values, 1)]).toEqual([198, 100, 200]);
});

test('the geometric mean of a ratio and its inverse is 1', () => {
  expect(geometricMean([4, 0.25])).toBe(1);
});

test('the first peer is compared with each of the others', () => {
  const comparisons = comparePeers(result('get', { ambit: 10, fastify: 20, koa: 5 }));
  expect(comparisons.map(({ baseline, ratio }) => [baseline, ratio.median])).toEqual([
    ['fastify', 0.5],
    ['koa', 2],
  ]);
});

test('a peer can be compared with itself, to see the noise', () => {
  const twice = { scenario: 'get', peers: ['fastify', 'fastify'], samples: [sample(10), sample(11)] };
  expect(comparePeers(twice).map(({ ratio }) => ratio.median)).toEqual([10 / 11]);
});

test('the table aligns its columns and shows the ratio with three decimals', () => {
  expect(formatTable(comparePeers(result('get', { ambit: 10, fastify: 11 })))).toBe(
    [
      'scenario  compared       ratio    min    25%    75%    max   µs/request  busy\n',
      'get       ambit/fastify  0.909  0.909  0.909  0.909  0.909  10.0 / 11.0   95%\n',
    ].join(''),
  );
});

test('each peer with Ambit is compared with its baselines', () => {
  const requests = [
    result('get', { ambit: 10, facade: 12, 'deno-ambit': 9, fastify: 11, 'bun-serve': 8, 'deno-hono': 7 }),
  ];
  expect(compareAll({ requests }).map(({ subject, baseline }) => `${subject} / ${baseline}`)).toEqual([
    'Ambit / Fastify',
    'Ambit / Bun.serve',
    '@ambit/fastify / Fastify',
    '@ambit/fastify / Bun.serve',
    'Ambit on Deno / Hono on Deno',
  ]);
});

test('start-up is compared with Fastify, unless one of the two failed', () => {
  const startup = {
    'plugins-1000': { ambit: { cpuMs: [50] }, fastify: { cpuMs: [100] } },
    'plugins-10000': { ambit: { cpuMs: [500] }, fastify: { failure: 'overflows' } },
  };
  expect(compareAll({ startup }).map(({ what, ratio }) => [what, ratio.median])).toEqual([
    ['1,000 sibling plugins: CPU time until ready', 0.5],
  ]);
});

test('serializers are compared as times: twice as fast is a ratio of 0.5', () => {
  const round = (/** @type {number} */ overPeer) => ({
    writing: { results: [{ name: '10 rows', ns: 3000, overNative: 2, overPeer }] },
    compiling: { results: [{ name: '10 rows', compile: 0.4, compileAndWrite: 1.5 }] },
  });
  const ratios = compareAll({ serializers: [round(0.8), round(1), round(0.5)] }).map(({ ratio }) => ratio);
  expect(ratios.map(({ median }) => median)).toEqual([0.5, 1.25, 0.4, 1.5]);
  expect(ratios[1]).toEqual({ median: 1.25, min: 1, max: 2 });
});

test('losses are the comparisons with a ratio above 1, the worst first', () => {
  const losses = findLosses([1, 1.001, 0.9, 2].map((median) => ({ ratio: { median } })));
  expect(losses.map(({ ratio }) => ratio.median)).toEqual([2, 1.001]);
});

const sample = (/** @type {number} */ micros) => ({ cpuMicros: [micros], busy: [0.95] });

const result = (/** @type {string} */ scenario, /** @type {Record<string, number>} */ micros) => ({
  scenario,
  peers: Object.keys(micros),
  samples: Object.values(micros).map(sample),
});
