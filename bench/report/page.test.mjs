// Tests the content of the page: the conditions, every loss, every section, and a note for each section that was not
// measured.
import { expect, test } from 'vitest';
import { writePage } from './page.mjs';

const conditions = {
  command: 'npm run bench',
  isQuick: false,
  date: '2026-11-20 12:00 UTC',
  machine: 'a machine, 2 cores, 8 GB',
  system: 'Linux, x64',
  node: '20.20.2',
  bun: '1.4.5',
  deno: undefined,
  isPinned: true,
  peers: ['ambit', 'fastify', 'bun-serve'],
  versions: { ambit: '0.1.0', fastify: '5.12.8' },
  amounts: 'requests: 2 × 100',
};

const samples = (/** @type {number[]} */ ...cpuMicros) => ({
  cpuMicros,
  busy: cpuMicros.map(() => 0.95),
  perSecond: cpuMicros.map(() => 50_000),
  p99Ms: cpuMicros.map(() => 1.5),
  firstSecondMicros: 31,
});

const requests = [
  {
    scenario: 'get',
    peers: ['ambit', 'fastify', 'bun-serve'],
    samples: [samples(10, 12), samples(10.5, 11), samples(5, 5)],
  },
];

const boot = (/** @type {number} */ ms) => ({ cpuMs: [ms], rssMb: [ms], usedCpuMs: [ms], usedRssMb: [ms] });
const both = { ambit: boot(40), fastify: boot(100) };
const startup = {
  import: both,
  distinct: both,
  identical: both,
  'routes-1000': both,
  'routes-10000': both,
  'plugins-1000': both,
  'plugins-10000': { ambit: boot(390), fastify: { failure: 'overflows' } },
};

const serializers = [
  {
    writing: { results: [{ name: '10 rows', ns: 3000, overNative: 2, overPeer: 0.8 }] },
    compiling: { results: [{ name: '10 rows', compile: 0.4, compileAndWrite: 1.5 }] },
  },
];

test('the page contains the date, the machine, the versions and the cores of the measurement', () => {
  const page = writePage({ conditions });
  for (const fact of [
    '2026-11-20 12:00 UTC',
    'a machine',
    'Node 20.20.2, Bun 1.4.5, no Deno that runs here',
    'fastify 5.12.8',
    'core 0',
  ]) {
    expect(page).toContain(fact);
  }
});

test('every loss is listed, the greatest first, with a mark if some round was below 1', () => {
  const page = writePage({ conditions, requests });
  expect(page).toContain('Of 2 comparisons, 2 have a ratio above 1');
  expect(page).toContain(
    '| GET: CPU time per request | Ambit | Bun.serve 2.200 (2.000–2.400); Fastify ~ 1.022 (0.952–1.091) |',
  );
});

test('a section that was not measured says so', () => {
  const page = writePage({ conditions, requests });
  expect(page).toContain('## Serializers\n\nNot measured in this run.');
  expect(page).toContain('## Start-up and memory\n\nNot measured in this run.');
});

test('every figure of a server is in the table of its scenario', () => {
  const page = writePage({ conditions, requests });
  expect(page).toContain('| Bun.serve | 5.0 | 2.200 (2.000–2.400) | 31.0 | 50,000 | 1.50 | 95% |');
});

test('the ratios of each other Node are listed next to those of the first', () => {
  const otherNodes = [
    { node: '24.1.0', requests: [{ ...requests[0], samples: [samples(5), samples(10), samples(5)] }] },
  ];
  const page = writePage({ conditions, requests, otherNodes });
  expect(page).toContain('| Ambit / | Fastify, Node 20 | Fastify, Node 24 |');
  expect(page).toContain('| GET | 1.02 | 0.50 | — | — |');
});

test('latencies at a steady rate are listed with the rate, the server and the spread', () => {
  const latency = [{ scenario: 'get', perSecond: 20_000.4, peers: ['fastify'], p99Ms: [[1, 3, 2]] }];
  expect(writePage({ conditions, latency })).toContain('| GET | 20,000 | Fastify | 2.000 (1.000–3.000) |');
});

test('the memory of idle connections is shown', () => {
  const idle = { connections: 10_000, bytes: { engine: 6100, node: 12_800, fastify: 13_400 } };
  expect(writePage({ conditions, idle })).toContain("| Ambit's HTTP engine | 6.1 |");
});

test('a subject that does not get ready has its reason, and no growth', () => {
  const page = writePage({ conditions, startup });
  expect(page).toContain('| 10,000 sibling plugins: CPU time until ready | Fastify | overflows |  |');
  expect(page).toContain('| 1,000 sibling plugins → 10,000 sibling plugins | Ambit | 40.0 | 390.0 | 9.8 |');
  expect(page).toContain(
    '| 1,000 sibling plugins → 10,000 sibling plugins | Fastify | 100.0 | overflows |  |',
  );
});

test('the report says if there was no artifact to measure', () => {
  expect(writePage({ conditions, startup })).toContain('The precompiled module is not measured');
});

test('serializers are listed with times relative to the others, and to the faster of them', () => {
  const page = writePage({ conditions, serializers });
  const ratios = [0.5, 1.25, 0.4, 1.5]
    .map((ratio) => ratio.toFixed(2))
    .map((text) => `${text} (${text}–${text})`);
  expect(page).toContain(`| 10 rows | 3,000 | ${ratios.join(' | ')} |`);
  expect(page).toContain('Compared with the faster of the two for each shape: 0.80 times as fast');
});

test('a quick run says that its figures mean nothing', () => {
  expect(writePage({ conditions: { ...conditions, isQuick: true } })).toContain('**This was a quick run');
  expect(writePage({ conditions })).not.toContain('**This was a quick run');
});
