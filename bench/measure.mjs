/**
 * The order in which requests are measured: every server starts and warms up, then the servers are measured in
 * turns, slice by slice.
 *
 * @typedef {{ processes: number, rounds: number, warmUpSeconds: number, sliceSeconds: number, peers: string[], node: import('./runtimes.mjs').Runtime,
 *   hasAsyncHandlers: boolean }} Settings `rounds` slices are measured in each of `processes` processes of each server.
 * @typedef {{ cpuMicros: number[], busy: number[], perSecond: number[], p99Ms: number[], firstSecondMicros: number }} Samples
 *   One entry per round: server CPU time per request, its share of the wall time, requests per second, 99th percentile of the
 *   latencies. `firstSecondMicros` is the CPU time per request in the first second of the process under load.
 */
import { checkResponses } from './check.mjs';
import { scenarios } from './scenarios.mjs';
import { startServer } from './server-process.mjs';
import { median } from './statistics.mjs';
import { orderOfTurn } from './turns.mjs';
import { loadWithWrk } from './wrk.mjs';

/**
 * @param {string} name The name of the scenario.
 * @param {Settings} settings
 * @param {(step: string) => void} onStep Called before each step, with its description.
 * @returns {Promise<Samples[]>} In the order of `settings.peers`.
 */
export async function measureScenario(name, settings, onStep) {
  const ofProcesses = [];
  for (let process = 0; process < settings.processes; process++)
    ofProcesses.push(await measureProcesses(name, settings, onStep));
  return settings.peers.map((_, peer) => joinSamples(ofProcesses.map((samples) => samples[peer])));
}

/** @returns {Samples} */
function joinSamples(/** @type {Samples[]} */ parts) {
  const join = (/** @type {'cpuMicros' | 'busy' | 'perSecond' | 'p99Ms'} */ key) =>
    parts.flatMap((part) => part[key]);
  const firstSecondMicros = median(parts.map((part) => part.firstSecondMicros));
  return {
    cpuMicros: join('cpuMicros'),
    busy: join('busy'),
    perSecond: join('perSecond'),
    p99Ms: join('p99Ms'),
    firstSecondMicros,
  };
}

/** @returns {Promise<Samples[]>} In the order of `settings.peers`. */
async function measureProcesses(name, settings, onStep) {
  const { rounds, sliceSeconds, peers, node, hasAsyncHandlers } = settings;
  const subjects = [];
  try {
    for (const peer of peers) {
      onStep(`warming up ${peer}`);
      const server = await startServer(peer, name, node, hasAsyncHandlers);
      subjects.push({ peer, server, samples: emptySamples() });
      await warmUp(subjects.at(-1), name, settings);
    }
    for (let round = 0; round < rounds; round++) {
      onStep(`round ${round + 1} of ${rounds}`);
      for (const i of orderOfTurn(peers.length, round)) await measureSlice(subjects[i], name, sliceSeconds);
    }
  } finally {
    for (const { server } of subjects) await server.stop();
  }
  return subjects.map(({ samples }) => samples);
}

/** Starts a peer, runs all checks that come before measuring, and stops it. */
export async function checkPeer(
  /** @type {string} */ peer,
  /** @type {string} */ name,
  /** @type {import('./runtimes.mjs').Runtime} */ node,
  /** @type {boolean} */ hasAsyncHandlers,
) {
  const server = await startServer(peer, name, node, hasAsyncHandlers);
  try {
    await withNames(peer, name, checkResponses(server.port, scenarios[name]));
  } finally {
    await server.stop();
  }
}

/** @returns {Samples} */
function emptySamples() {
  return { cpuMicros: [], busy: [], perSecond: [], p99Ms: [], firstSecondMicros: Number.NaN };
}

async function warmUp({ peer, server, samples }, name, { warmUpSeconds }) {
  await withNames(peer, name, checkResponses(server.port, scenarios[name]));
  const { result, cpuMicros } = await loadOnce(peer, server, name, 1);
  samples.firstSecondMicros = cpuMicros / result.requests;
  if (warmUpSeconds > 1) await loadOnce(peer, server, name, warmUpSeconds - 1);
}

async function measureSlice({ peer, server, samples }, name, seconds) {
  const { result, cpuMicros } = await loadOnce(peer, server, name, seconds);
  const { requests, micros, p99Micros } = result;
  samples.cpuMicros.push(cpuMicros / requests);
  samples.busy.push(cpuMicros / micros);
  samples.perSecond.push((requests / micros) * 1e6);
  samples.p99Ms.push(p99Micros / 1000);
}

function loadOnce(peer, server, name, seconds) {
  const work = server.measure(() => loadWithWrk(server.port, scenarios[name], seconds));
  return withNames(peer, name, work);
}

/** Adds the peer and the scenario to a failure. */
export async function withNames(
  /** @type {string} */ peer,
  /** @type {string} */ name,
  /** @type {Promise<any>} */ work,
) {
  try {
    return await work;
  } catch (error) {
    error.message = `${peer} in '${name}': ${error.message}`;
    throw error;
  }
}
