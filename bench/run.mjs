// Runs the benchmark: reads options, writes progress to stderr, tables or JSON to stdout, and the page under docs/ if the
// run is complete.

import { readFileSync } from 'node:fs';
import { describeConditions } from './conditions.mjs';
import { measureIdle } from './idle.mjs';
import { measureLatency } from './latency.mjs';
import { checkPeer, measureScenario } from './measure.mjs';
import { readOptions } from './options.mjs';
import { canRun, latencyScenarios, peers, peersOfLatency, peersOnOtherNodes } from './peers.mjs';
import { publish, readResults, storeResults } from './publish.mjs';
import { comparePeers, compareSerializers, compareStartup, compareTypes } from './report/comparisons.mjs';
import { formatComparisons, formatLatency, formatTable } from './report/console.mjs';
import { findNode, runsHere } from './runtimes.mjs';
import { scenarios } from './scenarios.mjs';
import { measureSerializers } from './serializers.mjs';
import { measureStartup } from './startup/measure.mjs';
import { median } from './statistics.mjs';
import { measureTypes } from './types/measure.mjs';

const options = readOptionsOrExit();

function readOptionsOrExit() {
  try {
    const userOptions = readOptions(process.argv.slice(2));
    const available = userOptions.peers.filter((peer) => runsHere(peers[peer].runtime));
    const unavailable = userOptions.peers.filter((peer) => !available.includes(peer));
    if (unavailable.length > 0)
      process.stderr.write(`left out, because their runtime does not run here: ${unavailable}\n`);
    return { ...userOptions, peers: available };
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

const startedMs = performance.now();

/** On a terminal, one line that is overwritten; in a log, one line whenever another thing is measured. */
function showProgress(/** @type {string} */ what, /** @type {string} */ step) {
  const minutes = ((performance.now() - startedMs) / 60_000).toFixed(1);
  const line = `[${sectionNumber}/${options.sections.length}] ${minutes} min: ${what}`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}, ${step}`);
  else if (what !== lastShown) process.stderr.write(`${line}\n`);
  lastShown = what;
}
let lastShown = '';
let sectionNumber = 0;

function endProgress() {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}

const stepOf = (/** @type {number} */ round) => `round ${round + 1} of ${options.freshRounds}`;
const mainNode = () => findNode(options.nodes[0]);

const peersFor = (/** @type {string} */ name, /** @type {string[]} */ candidates = options.peers) =>
  candidates.filter((peer) => canRun(peer, scenarios[name]));

async function checkAll() {
  for (const name of options.scenarios) {
    for (const peer of peersFor(name)) await checkPeer(peer, name, mainNode(), options.hasAsyncHandlers);
  }
  process.stdout.write('every peer answers every scenario as demanded\n');
}

/** @returns {Promise<import('./report/comparisons.mjs').ScenarioResult[]>} */
async function measureRequestsOn(node, candidates) {
  const results = [];
  for (const name of options.scenarios) {
    const settings = { ...options, node, peers: peersFor(name, candidates) };
    const samples = await measureScenario(name, settings, (step) =>
      showProgress(`${name} on Node ${node.version}`, step),
    );
    results.push({ scenario: name, peers: settings.peers, samples });
  }
  return results;
}

/** On other versions of Node, only the peers that show how the version matters are measured. */
async function measureOtherNodes() {
  const candidates = options.peers.filter((peer) => peersOnOtherNodes.includes(peer));
  const results = [];
  for (const major of candidates.length < 2 ? [] : options.nodes.slice(1)) {
    const node = findNode(major);
    results.push({ node: node.version, requests: await measureRequestsOn(node, candidates) });
  }
  return results;
}

/** Measures latencies at half of Fastify's maximum, which a separate slice measures first. */
async function measureLatencies() {
  const candidates = options.peers.filter((peer) => peersOfLatency.includes(peer));
  const results = [];
  for (const name of candidates.includes('fastify') ? latencyScenarios : []) {
    showProgress(`latency of ${name}`, 'at half of the greatest rate of Fastify');
    const settings = { ...options, node: mainNode() };
    const [peak] = await measureScenario(
      name,
      { ...settings, peers: ['fastify'], processes: 1, rounds: 1 },
      () => {},
    );
    results.push(await measureLatency(name, median(peak.perSecond) / 2, { ...settings, peers: candidates }));
  }
  return results;
}

const measurers = {
  requests: async () => {
    const requests = await measureRequestsOn(mainNode(), options.peers);
    return { requests, otherNodes: await measureOtherNodes() };
  },
  latency: async () => ({ latency: await measureLatencies() }),
  idle: async () => {
    showProgress('idle connections', 'memory of 10,000');
    return { idle: await measureIdle(mainNode().executable) };
  },
  serializers: async () => ({
    serializers: await measureSerializers(
      options.freshRounds,
      options.turns,
      mainNode().executable,
      (round) => showProgress('serializers', stepOf(round)),
    ),
  }),
  startup: async () => ({
    startup: await measureStartup(options.freshRounds, mainNode().executable, (name, round) =>
      showProgress(`start-up, ${name}`, stepOf(round)),
    ),
  }),
  types: async () => ({
    types: await measureTypes(options.freshRounds, (name, round) =>
      showProgress(`type checking, ${name}`, stepOf(round)),
    ),
  }),
};

async function measureAll() {
  /** @type {import('./report/page.mjs').Results} */
  const results = { conditions: describeConditions(options) };
  for (const section of options.sections) {
    sectionNumber++;
    Object.assign(results, await measurers[section]());
    storeResults(results);
  }
  endProgress();
  return results;
}

function printResults(/** @type {import('./report/page.mjs').Results} */ results) {
  const { conditions, requests = [], latency = [], serializers, startup = {}, types = {} } = results;
  const ratios = requests.flatMap((result) => comparePeers(result));
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ ...results, comparisons: ratios }, undefined, 2)}\n`);
    return;
  }
  const { node, bun, deno, machine, isPinned, amounts } = conditions;
  const places = isPinned
    ? 'servers on core 0, load on core 1'
    : 'NOT PINNED (no taskset, or no core 0 and 1)';
  process.stdout.write(
    `Node ${node}, Bun ${bun ?? 'none'}, Deno ${deno ?? 'none'}; ${machine}; ${places}\n${amounts}\n`,
  );
  process.stdout.write('ratio: ours over the other; below 1 ours costs less\n\n');
  const others = [
    ...(serializers === undefined ? [] : compareSerializers(serializers)),
    ...compareStartup(startup),
    ...compareTypes(types),
  ];
  if (ratios.length > 0) process.stdout.write(`${formatTable(ratios)}\n`);
  if (latency.length > 0) process.stdout.write(`${formatLatency(latency)}\n`);
  if (others.length > 0) process.stdout.write(`${formatComparisons(others)}\n`);
}

/** The README explains the options. */
function showHelp() {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8');
  process.stdout.write(`${readme.slice(0, readme.indexOf('## Method')).trimEnd()}\n`);
}

try {
  if (options.help) showHelp();
  else if (options.check) await checkAll();
  else {
    const results = options.reportOf === undefined ? await measureAll() : readResults(options.reportOf);
    printResults(results);
    if (options.writesDocs) process.stderr.write(`wrote ${publish(results)}\n`);
  }
} catch (error) {
  // A slow result is not a failure. A server that does not run, or that sends a wrong response, is one.
  endProgress();
  process.stderr.write(`${error.name}: ${error.message}\n`);
  process.exit(1);
}
