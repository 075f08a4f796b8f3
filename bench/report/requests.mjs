// The part of the report about requests: one table over all scenarios, then each with its figures.
import { ambitPeers, baselinesOf, peers } from '../peers.mjs';
import { scenarios } from '../scenarios.mjs';
import { median, summarize } from '../statistics.mjs';
import { comparePeers } from './comparisons.mjs';
import { formatMarkdownTable, formatRatio } from './markdown.mjs';

/** @param {import('./comparisons.mjs').ScenarioResult[]} results */
export function writeRequests(results) {
  return [
    '## Requests',
    [
      'CPU time of the server per request: that of Ambit divided by that of the other server, median of the rounds. Below 1, Ambit costs less.',
      'Further below, `Ambit / it` is the same ratio, with the smallest and the greatest round in parentheses.',
    ].join('\n'),
    ...ambitPeers
      .filter((peer) => results.some((result) => result.peers.includes(peer)))
      .map((peer) => writeOverview(results, peer)),
    '`—`: the framework has no response schemas.',
    ...results.flatMap(writeScenario),
  ];
}

/**
 * Compares the versions of Node: the ratio of Ambit to Fastify and to node:http on each.
 *
 * @param {{ node: string, requests: import('./comparisons.mjs').ScenarioResult[] }[]} nodes The version that the page
 *   is about comes first.
 */
export function writeNodes(nodes) {
  const [{ requests }] = nodes;
  const baselines = ['fastify', 'node-http'];
  const rows = requests.map(({ scenario }) => [
    scenarios[scenario].title,
    ...baselines.flatMap((baseline) =>
      nodes.map(({ requests: results }) => findRatio(results, scenario, baseline)?.median.toFixed(2) ?? '—'),
    ),
  ]);
  const headings = baselines.flatMap((baseline) =>
    nodes.map(({ node }) => `${peers[baseline].label}, Node ${node.split('.')[0]}`),
  );
  return [
    '## Versions of Node',
    `CPU time of the server per request: that of Ambit divided by that of the other server, on Node ${nodes.map(({ node }) => node).join(', ')}.`,
    formatMarkdownTable(['Ambit /', ...headings], rows),
  ];
}

function findRatio(results, scenario, baseline) {
  const result = results.find(({ scenario: name }) => name === scenario);
  if (result === undefined || !result.peers.includes('ambit')) return undefined;
  return comparePeers(result, 'ambit').find((comparison) => comparison.baseline === baseline)?.ratio;
}

/** @param {import('../latency.mjs').LatencyResult[]} results */
export function writeLatency(results) {
  const rows = results.flatMap(({ scenario, perSecond, peers: names, p99Ms }) =>
    names.map((peer, i) => [
      scenarios[scenario].title,
      Math.round(perSecond).toLocaleString('en-US'),
      peers[peer].label,
      formatRatio(summarize(p99Ms[i])),
    ]),
  );
  return [
    '## Latency at a steady rate',
    [
      '99 % of the requests have at most this latency, at half of the highest rate of Fastify. The time begins when the request',
      'is due, so that a delay counts for all requests that have to wait.',
    ].join('\n'),
    formatMarkdownTable(['', 'requests/s', 'server', 'p99 ms (smallest–greatest slice)'], rows, 1),
  ];
}

/** @param {import('../idle.mjs').IdleResult} result */
export function writeIdle({ connections, bytes }) {
  const named = [
    ["Ambit's HTTP engine", bytes.engine],
    ['node:http', bytes.node],
    ['Fastify', bytes.fastify],
  ];
  const rows = named.map(([name, size]) => [name, (size / 1000).toFixed(1)]);
  return [
    '## Idle connections',
    `Memory that each of ${connections.toLocaleString('en-US')} connections takes between two requests.`,
    formatMarkdownTable(['server', 'kB/connection'], rows, 1),
  ];
}

function writeOverview(results, subject) {
  const measured = Object.keys(peers).filter((peer) => results.some((result) => result.peers.includes(peer)));
  const baselines = measured.filter((peer) => baselinesOf[subject].includes(peer));
  const rows = results.map((result) => {
    const comparisons = comparePeers(result, subject);
    const ratios = baselines.map(
      (peer) => comparisons.find(({ baseline }) => baseline === peer)?.ratio.median,
    );
    return [scenarios[result.scenario].title, ...ratios.map((ratio) => ratio?.toFixed(2) ?? '—')];
  });
  return formatMarkdownTable(
    [`${peers[subject].label} /`, ...baselines.map((peer) => peers[peer].label)],
    rows,
  );
}

function writeScenario(/** @type {import('./comparisons.mjs').ScenarioResult} */ result) {
  const [subject] = result.peers;
  const comparisons = comparePeers(result, subject);
  const rows = result.peers.map((peer, i) => {
    const { cpuMicros, busy, perSecond, p99Ms, firstSecondMicros } = result.samples[i];
    const comparison = comparisons.find(({ baseline }) => baseline === peer);
    return [
      peers[peer].label,
      median(cpuMicros).toFixed(1),
      comparison === undefined ? '' : formatRatio(comparison.ratio),
      firstSecondMicros.toFixed(1),
      Math.round(median(perSecond)).toLocaleString('en-US'),
      median(p99Ms).toFixed(2),
      `${Math.round(median(busy) * 100)}%`,
    ];
  });
  const headings = [
    'server',
    'CPU µs/request',
    `${peers[subject].label} / it`,
    'first second',
    'requests/s',
    'p99 ms',
    'busy',
  ];
  return [`### ${scenarios[result.scenario].title}`, formatMarkdownTable(headings, rows)];
}
