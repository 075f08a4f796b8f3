/**
 * Owns docs/benchmarks.md: the page that a run writes.
 *
 * @typedef {{
 *   conditions: ReturnType<typeof import('../conditions.mjs').describeConditions>,
 *   requests?: import('./comparisons.mjs').ScenarioResult[],
 *   otherNodes?: { node: string, requests: import('./comparisons.mjs').ScenarioResult[] }[],
 *   latency?: import('../latency.mjs').LatencyResult[],
 *   serializers?: import('../serializers.mjs').SerializerRound[],
 *   startup?: import('../startup/measure.mjs').BootResults,
 *   types?: import('../types/measure.mjs').CheckResults,
 * }} Results A section that was not measured is left out.
 */
import { peers } from '../peers.mjs';
import { compareAll, findLosses } from './comparisons.mjs';
import { formatMarkdownTable, formatRatio } from './markdown.mjs';
import { writeLatency, writeNodes, writeRequests } from './requests.mjs';
import { writeSerializers } from './serializers.mjs';
import { writeStartup } from './startup.mjs';
import { writeTypes } from './types.mjs';

/** @param {Results} results */
export function writePage(results) {
  const { conditions, requests, otherNodes = [], latency, serializers, startup, types } = results;
  const sections = [
    '# Benchmarks',
    `Written by \`${conditions.command}\`; change the script, not this page. How it is measured: [below](#method).`,
    ...(conditions.isQuick ? [quickWarning] : []),
    ...writeConditions(conditions),
    ...writeLosses(compareAll(results)),
    ...(requests === undefined ? [notMeasured('Requests')] : writeRequests(requests)),
    ...(requests === undefined || otherNodes.length === 0
      ? []
      : writeNodes([{ node: conditions.node, requests }, ...otherNodes])),
    ...(latency === undefined ? [] : writeLatency(latency)),
    ...(serializers === undefined ? [notMeasured('Serializers')] : writeSerializers(serializers)),
    ...(startup === undefined ? [notMeasured('Start-up and memory')] : writeStartup(startup)),
    ...(types === undefined ? [notMeasured('Type checking')] : writeTypes(types)),
    ...writeMethod(conditions),
  ];
  return `${sections.join('\n\n')}\n`;
}

const quickWarning =
  '**A quick run, with too few rounds to mean anything: it shows that everything works, not how fast it is.**';

const notMeasured = (/** @type {string} */ title) => `## ${title}\n\nNot measured in this run.`;

function writeConditions(conditions) {
  const { date, machine, system, node, bun, isPinned, amounts } = conditions;
  const pinned = isPinned
    ? 'servers and start-up on core 0, load on core 1'
    : 'NOT PINNED (no `taskset`, or no core 0 and 1)';
  const rows = [
    ['date', date],
    ['machine', machine],
    ['system', system],
    [
      'runtimes',
      `Node ${[node, ...(conditions.otherNodes ?? [])].join(', ')}, ${bun === undefined ? 'no Bun that runs here' : `Bun ${bun}`}`,
    ],
    ['cores', pinned],
    ['amounts', amounts],
    ...(conditions.typed === undefined
      ? []
      : [
          [
            'type checking',
            conditions.typed.map((name) => `${name} ${conditions.versions[name]}`).join('; '),
          ],
        ]),
    ...conditions.peers.map((peer) => [peers[peer].label, describePeer(peer, conditions.versions)]),
  ];
  return ['## Conditions', formatMarkdownTable(['', ''], rows, 2)];
}

function describePeer(peer, versions) {
  const { packages, validation, runtime } = peers[peer];
  const named = packages.map((name) => `${name} ${versions[name]}`);
  return [`on ${runtime === 'bun' ? 'Bun' : 'Node'}`, ...named, `validation: ${validation}`].join('; ');
}

function writeLosses(comparisons) {
  const losses = findLosses(comparisons);
  // One line for all that ours is compared with in the same thing, in the order of the greatest loss.
  const byLine = new Map();
  for (const { what, subject, baseline, ratio } of losses) {
    const line = `${what} | ${subject}`;
    byLine.set(line, [...(byLine.get(line) ?? []), `${baseline} ${formatLoss(ratio)}`]);
  }
  const rows = [...byLine].map(([line, lost]) => [...line.split(' | '), lost.join('; ')]);
  return [
    '## Where we lose',
    [
      `Of ${comparisons.length} comparisons, ${losses.length} have a ratio above 1, all of them listed here. A ratio is our cost divided by`,
      'the cost of what we are compared with, its least and greatest round in brackets; `~` marks those that some round saw the other way.',
    ].join('\n'),
    ...(rows.length === 0 ? [] : [formatMarkdownTable(['what', 'ours', 'costs more than'], rows, 3)]),
  ];
}

/** @param {import('./comparisons.mjs').Ratio} ratio */
function formatLoss(ratio) {
  return ratio.min < 1 ? `~ ${formatRatio(ratio)}` : formatRatio(ratio);
}

function writeMethod(/** @type {Results['conditions']} */ { command }) {
  return [
    '## Method',
    [
      '- Every peer runs in the same run, in a process of its own for each scenario. All are warmed up first; then they take turns, a slice of',
      '  some seconds each, in an order in which each comes after each other equally often: what ran before leaves its traces.',
      '- A ratio is taken within a round of slices, where a slow moment of the machine hits both sides; what is given is the median.',
      '- The first second of load on a new process is a figure of its own (`first second`): there the compilers of the engine are at work.',
      "- CPU time is the server process's own, user and system, of all its threads: garbage collector and compilers included. It does not depend",
      '  on the load generator as long as the server is busy: `busy` is the share of the time that it worked. Below 90% it also waited.',
      '- The load is wrk: 64 kept-alive connections with one request at a time (ten where pipelined), as fast as answers come. So `p99` is the',
      '  wait behind 63 others at full load, not the latency of a server at rest.',
      '- Before measuring, each server must answer alike: the right answers, 400 for what is invalid, each hook proved to run. Under load,',
      '  every status is checked, and no connection may break.',
      '- Frameworks run with default options and no logger, `NODE_ENV=production`, in the idiom of their documentation; validation as listed above.',
      '  Where a peer has no validation of its own, Ajv validates. Express has nothing that runs after a handler: its four middleware run before.',
      "- Elysia's status for invalid input and everybody's answer to 404 are set to be the same.",
      '- Start-up and memory: each figure from a fresh process, one after another on one core, subjects in turns.',
    ].join('\n'),
    `To run it: \`${command}\` in a clone of the repository. Options, and how to read the figures: [bench](../bench/README.md).`,
  ];
}
