/**
 * The page docs/benchmarks.md, which a run writes.
 *
 * @typedef {{
 *   conditions: ReturnType<typeof import('../conditions.mjs').describeConditions>,
 *   requests?: import('./comparisons.mjs').ScenarioResult[],
 *   otherNodes?: { node: string, requests: import('./comparisons.mjs').ScenarioResult[] }[],
 *   latency?: import('../latency.mjs').LatencyResult[],
 *   idle?: import('../idle.mjs').IdleResult,
 *   serializers?: import('../serializers.mjs').SerializerRound[],
 *   startup?: import('../startup/measure.mjs').BootResults,
 *   types?: import('../types/measure.mjs').CheckResults,
 * }} Results A section that was not measured is left out.
 */
import { peers } from '../peers.mjs';
import { compareAll, findLosses } from './comparisons.mjs';
import { formatMarkdownTable, formatRatio } from './markdown.mjs';
import { writeIdle, writeLatency, writeNodes, writeRequests } from './requests.mjs';
import { writeSerializers } from './serializers.mjs';
import { writeStartup } from './startup.mjs';
import { writeTypes } from './types.mjs';

/** @param {Results} results */
export function writePage(results) {
  const { conditions, requests, otherNodes = [], latency, idle, serializers, startup, types } = results;
  const sections = [
    '# Benchmarks',
    `\`${conditions.command}\` wrote this page: change the script, not the page. [Method](#method) explains how it measures.`,
    ...(conditions.isQuick ? [quickWarning] : []),
    ...writeConditions(conditions),
    ...writeLosses(compareAll(results)),
    ...(requests === undefined ? [notMeasured('Requests')] : writeRequests(requests)),
    ...(requests === undefined || otherNodes.length === 0
      ? []
      : writeNodes([{ node: conditions.node, requests }, ...otherNodes])),
    ...(latency === undefined ? [] : writeLatency(latency)),
    ...(idle === undefined ? [] : writeIdle(idle)),
    ...(serializers === undefined ? [notMeasured('Serializers')] : writeSerializers(serializers)),
    ...(startup === undefined ? [notMeasured('Start-up and memory')] : writeStartup(startup)),
    ...(types === undefined ? [notMeasured('Type checking')] : writeTypes(types)),
    ...writeMethod(conditions),
  ];
  return `${sections.join('\n\n')}\n`;
}

const quickWarning =
  '**This was a quick run with too few rounds. It shows that everything works, not how fast it is.**';

const notMeasured = (/** @type {string} */ title) => `## ${title}\n\nNot measured in this run.`;

function writeConditions(conditions) {
  const { date, machine, system, node, bun, deno, isPinned, amounts } = conditions;
  const pinned = isPinned
    ? 'servers and start-up on core 0, load on core 1'
    : 'NOT PINNED (no `taskset`, or no core 0 and 1)';
  const rows = [
    ['date', date],
    ['machine', machine],
    ['system', system],
    [
      'runtimes',
      `Node ${[node, ...(conditions.otherNodes ?? [])].join(', ')}, ${formatVersion('Bun', bun)}, ${formatVersion('Deno', deno)}`,
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

function formatVersion(/** @type {string} */ name, /** @type {string | undefined} */ version) {
  return version === undefined ? `no ${name} that runs here` : `${name} ${version}`;
}

const runtimeNames = { node: 'Node', bun: 'Bun', deno: 'Deno' };

function describePeer(peer, versions) {
  const { packages, validation, runtime } = peers[peer];
  const named = packages.map((name) => `${name} ${versions[name]}`);
  return [`on ${runtimeNames[runtime]}`, ...named, `validation: ${validation}`].join('; ');
}

function writeLosses(comparisons) {
  const losses = findLosses(comparisons);
  // One line for each measured thing, with all its comparisons. The greatest loss comes first.
  const byLine = new Map();
  for (const { what, subject, baseline, ratio } of losses) {
    const line = `${what} | ${subject}`;
    byLine.set(line, [...(byLine.get(line) ?? []), `${baseline} ${formatLoss(ratio)}`]);
  }
  const rows = [...byLine].map(([line, lost]) => [...line.split(' | '), lost.join('; ')]);
  return [
    '## Where Ambit is slower',
    [
      `Of ${comparisons.length} comparisons, ${losses.length} have a ratio above 1, all of them listed here. A ratio is the cost of Ambit divided by`,
      'the cost of the other one, with the smallest and the greatest round in parentheses. `~` means that some round was below 1.',
    ].join('\n'),
    ...(rows.length === 0 ? [] : [formatMarkdownTable(['what', 'package', 'costs more than'], rows, 3)]),
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
      '- All servers are measured in the same run, in a separate process for each scenario. They are warmed up first. Then they take turns of',
      '  some seconds each, in an order in which each one follows every other equally often, because a run can affect the next one.',
      '- A ratio compares two slices of the same round, so that a slow moment of the machine affects both. The tables show the median.',
      '- The first second of load on a new process is a separate figure (`first second`), because the JavaScript engine still compiles.',
      '- CPU time is the user and system time of all threads of the server process, including garbage collector and compilers. It does not depend',
      '  on the load generator while the server is busy. `busy` is the share of the time in which the server worked; below 90%, it also waited.',
      '- wrk creates the load: 64 kept-alive connections with one request at a time (ten if pipelined), as fast as responses come. So `p99` is the',
      '  time to wait for 63 other requests at full load, not the latency of an idle server.',
      '- Before the measurement, all servers must send the same responses, send 400 for invalid input, and run each hook. Under load,',
      '  every status is checked, and no connection may break.',
      '- Frameworks run with default options, without a logger, with `NODE_ENV=production`, and as their documentation shows. They validate as listed above.',
      '  If a framework has no validation, Ajv validates. In Express nothing runs after a handler, so its four middleware run before it.',
      '- The status of Elysia for invalid input, and the 404 response of all frameworks, are set to be the same.',
      '- Start-up and memory: each figure comes from a new process. The processes run one after the other on one core, in turns.',
    ].join('\n'),
    `To run it, clone the repository and run \`${command}\`. [Benchmarks](../bench/README.md) explains the options and how to read the figures.`,
  ];
}
