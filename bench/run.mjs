// Owns the run: options in, progress on stderr, table or JSON on stdout.
import { existsSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { measureScenario } from './measure.mjs';
import { readOptions } from './options.mjs';
import { isPinned } from './pinning.mjs';
import { comparePeers, formatTable } from './report.mjs';

const { only, json, ...settings } = readOptionsOrExit();

function readOptionsOrExit() {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

/** What a figure means nothing without. */
const conditions = {
  date: new Date().toISOString(),
  node: process.version,
  machine: `${cpus()[0].model.trim()}, ${cpus().length} cores`,
  isPinned,
  versions: Object.fromEntries(settings.peers.map((peer) => [peer, readVersion(peer)])),
  ...settings,
};

/** @returns {string} Empty for a peer that is no package, such as node's own server. */
function readVersion(/** @type {string} */ peer) {
  const manifest = new URL(`../node_modules/${peer}/package.json`, import.meta.url);
  return existsSync(manifest) ? JSON.parse(readFileSync(manifest, 'utf8')).version : '';
}

/** One line that overwrites itself, for people; logs get only the result. */
function showProgress(/** @type {string} */ line) {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
}

async function runScenarios() {
  const results = [];
  for (const name of only) {
    const samples = await measureScenario(name, settings, (round) =>
      showProgress(`${name}: round ${round + 1} of ${settings.rounds}`),
    );
    results.push({ comparisons: comparePeers(name, settings.peers, samples), samples });
  }
  showProgress('');
  return results;
}

function formatConditions({ node, machine, versions, rounds, requests }) {
  const named = Object.entries(versions).map(([peer, version]) => `${peer} ${version}`.trim());
  const pinned = isPinned
    ? 'servers on core 0, load on core 1'
    : 'NOT PINNED (no taskset, or no core 0 and 1)';
  return [
    `${named.join(', ')}; node ${node}; ${machine}; ${pinned}`,
    `${rounds} rounds of ${requests} requests; ratio of server CPU time per request, below 1 means the first is faster`,
    '\n',
  ].join('\n');
}

try {
  const results = await runScenarios();
  const comparisons = results.flatMap((result) => result.comparisons);
  if (json) {
    const samples = Object.fromEntries(results.map((result, i) => [only[i], result.samples]));
    process.stdout.write(`${JSON.stringify({ conditions, comparisons, samples }, undefined, 2)}\n`);
  } else {
    process.stdout.write(formatConditions(conditions) + formatTable(comparisons));
  }
} catch (error) {
  // A slow result is a result; only a server that does not run or answers wrongly is a failure.
  showProgress('');
  process.stderr.write(`${error.name}: ${error.message}\n`);
  process.exit(1);
}
