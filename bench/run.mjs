// Owns the run: options in, progress on stderr, tables or JSON on stdout, the page under docs/ when the run is fit for it.
import { describeConditions } from './conditions.mjs';
import { checkPeer, measureScenario } from './measure.mjs';
import { readOptions } from './options.mjs';
import { canRun, peers } from './peers.mjs';
import { keepResults, publish, readResults } from './publish.mjs';
import { comparePeers, compareSerializers, compareStartup, compareTypes } from './report/comparisons.mjs';
import { formatComparisons, formatTable } from './report/console.mjs';
import { runtimes } from './runtimes.mjs';
import { scenarios } from './scenarios.mjs';
import { measureSerializers } from './serializers.mjs';
import { measureStartup } from './startup/measure.mjs';
import { measureTypes } from './types/measure.mjs';

const options = readOptionsOrExit();

function readOptionsOrExit() {
  try {
    const read = readOptions(process.argv.slice(2));
    const usable = read.peers.filter((peer) => runtimes[peers[peer].runtime] !== undefined);
    if (usable.length < read.peers.length)
      process.stderr.write('Bun does not run here: its peers are left out\n');
    return { ...read, peers: usable };
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  }
}

const startedMs = performance.now();

/** For people one line that overwrites itself; for logs a line when something else is measured. */
function showProgress(/** @type {string} */ what, round = 0, rounds = 1) {
  const line = `${((performance.now() - startedMs) / 60_000).toFixed(1)} min: ${what}`;
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}, round ${round + 1} of ${rounds}`);
  else if (round === 0) process.stderr.write(`${line}\n`);
}

function endProgress() {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}

const takingPart = (/** @type {string} */ name) =>
  options.peers.filter((peer) => canRun(peer, scenarios[name]));

async function checkAll() {
  for (const name of options.scenarios) {
    for (const peer of takingPart(name)) await checkPeer(peer, name);
  }
  process.stdout.write('every peer answers every scenario as demanded\n');
}

async function measureRequests() {
  const results = [];
  for (const name of options.scenarios) {
    const settings = { ...options, peers: takingPart(name) };
    const samples = await measureScenario(name, settings, (round) =>
      showProgress(name, round, options.rounds),
    );
    results.push({ scenario: name, peers: settings.peers, samples });
  }
  return results;
}

const measurers = {
  requests: measureRequests,
  serializers: () =>
    measureSerializers(options.freshRounds, options.turns, (round) =>
      showProgress('serializers', round, options.freshRounds),
    ),
  startup: () =>
    measureStartup(options.freshRounds, (name, round) =>
      showProgress(`start-up, ${name}`, round, options.freshRounds),
    ),
  types: () =>
    measureTypes(options.freshRounds, (name, round) =>
      showProgress(`type checking, ${name}`, round, options.freshRounds),
    ),
};

async function measureAll() {
  /** @type {import('./report/page.mjs').Results} */
  const results = { conditions: describeConditions(options) };
  for (const section of options.sections) {
    results[section] = await measurers[section]();
    keepResults(results);
  }
  endProgress();
  return results;
}

function tell(/** @type {import('./report/page.mjs').Results} */ results) {
  const { conditions, requests = [], serializers, startup = {}, types = {} } = results;
  const ratios = requests.flatMap((result) => comparePeers(result));
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ ...results, comparisons: ratios }, undefined, 2)}\n`);
    return;
  }
  const { node, bun, machine, isPinned, amounts } = conditions;
  const places = isPinned
    ? 'servers on core 0, load on core 1'
    : 'NOT PINNED (no taskset, or no core 0 and 1)';
  process.stdout.write(`Node ${node}, Bun ${bun ?? 'none'}; ${machine}; ${places}\n${amounts}\n`);
  process.stdout.write('ratio: ours over the other; below 1 ours costs less\n\n');
  const others = [
    ...(serializers === undefined ? [] : compareSerializers(serializers)),
    ...compareStartup(startup),
    ...compareTypes(types),
  ];
  if (ratios.length > 0) process.stdout.write(`${formatTable(ratios)}\n`);
  if (others.length > 0) process.stdout.write(`${formatComparisons(others)}\n`);
}

try {
  if (options.check) await checkAll();
  else {
    const results = options.reportOf === undefined ? await measureAll() : readResults(options.reportOf);
    tell(results);
    if (options.writesDocs) process.stderr.write(`wrote ${publish(results)}\n`);
  }
} catch (error) {
  // A slow result is a result; only a server that does not run or answers wrongly is a failure.
  endProgress();
  process.stderr.write(`${error.name}: ${error.message}\n`);
  process.exit(1);
}
