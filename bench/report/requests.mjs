// Owns the part of the report about requests: one table over all scenarios, then each with its figures.
import { ours, peers } from '../peers.mjs';
import { scenarios } from '../scenarios.mjs';
import { median } from '../statistics.mjs';
import { chartScenario } from './charts.mjs';
import { comparePeers } from './comparisons.mjs';
import { formatMarkdownTable, formatRatio, showImage } from './markdown.mjs';

/** @param {import('./comparisons.mjs').ScenarioResult[]} results */
export function writeRequests(results) {
  return [
    '## Requests',
    "Server CPU time per request, ours divided by the other's; the median of the rounds. Below 1 ours costs less.",
    ...ours
      .filter((peer) => results.some((result) => result.peers.includes(peer)))
      .map((peer) => writeOverview(results, peer)),
    '`—`: the peer has no response schemas, which that scenario is about.',
    ...results.flatMap(writeScenario),
  ];
}

function writeOverview(results, subject) {
  const taking = Object.keys(peers).filter((peer) => results.some((result) => result.peers.includes(peer)));
  const baselines = taking.filter((peer) => !ours.includes(peer));
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
    const { cpuMicros, busy, perSecond, p99Ms } = result.samples[i];
    const comparison = comparisons.find(({ baseline }) => baseline === peer);
    return [
      peers[peer].label,
      median(cpuMicros).toFixed(1),
      comparison === undefined ? '' : formatRatio(comparison.ratio),
      Math.round(median(perSecond)).toLocaleString('en-US'),
      median(p99Ms).toFixed(2),
      `${Math.round(median(busy) * 100)}%`,
    ];
  });
  const headings = [
    'server',
    'CPU µs/request',
    `${peers[subject].label} / it`,
    'requests/s',
    'p99 ms',
    'busy',
  ];
  return [
    `### ${scenarios[result.scenario].title}`,
    showImage(chartScenario(result)),
    formatMarkdownTable(headings, rows),
  ];
}
