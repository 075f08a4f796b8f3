/**
 * Owns the order of measuring requests: rounds, and slices in turn within a round.
 *
 * @typedef {{ rounds: number, requests: number, warmUp: number, peers: string[] }} Settings
 * @typedef {{ cpuMicros: number[], busy: number[], perSecond: number[], p99Ms: number[] }} Samples One entry per round:
 *   server CPU time per request, its share of the wall time, requests per second, 99th percentile of the waits.
 */
import { checkAnswers } from './check.mjs';
import { openConnections, writeQuestion } from './load.mjs';
import { scenarios } from './scenarios.mjs';
import { startServer } from './server-process.mjs';
import { quantile } from './statistics.mjs';
import { orderOfTurn } from './turns.mjs';

const connectionCount = 32;
/** A round is cut in slices of this length, and the peers take turns slice by slice: a slow second hits them all. */
const sliceRequests = 5_000;
/** Asked before each slice's window: accepting connections, and what the other peers pushed out of the caches, is no request's cost. */
const settlingRequests = 640;

/**
 * @param {string} name Of the scenario.
 * @param {Settings} settings
 * @param {(round: number) => void} onRound Called before each round.
 * @returns {Promise<Samples[]>} In the order of `settings.peers`.
 */
export async function measureScenario(name, { rounds, requests, warmUp, peers }, onRound) {
  const samples = peers.map(
    () => /** @type {Samples} */ ({ cpuMicros: [], busy: [], perSecond: [], p99Ms: [] }),
  );
  const { share } = scenarios[name];
  for (let round = 0; round < rounds; round++) {
    onRound(round);
    const counts = { requests: Math.ceil(requests * share), warmUp: Math.ceil(warmUp * share) };
    const lanes = await runRound(name, peers, round, counts);
    for (const [i, lane] of lanes.entries()) addSample(samples[i], lane);
  }
  return samples;
}

/** Starts each peer, asks all that is checked before measuring, and stops it. */
export async function checkPeer(/** @type {string} */ peer, /** @type {string} */ name) {
  const server = await startServer(peer, name);
  await naming(peer, name, checkAnswers(server.port, scenarios[name]));
  await server.stop();
}

/** New processes each round: how an engine laid out and optimized one process is part of the noise to average over. */
async function runRound(name, peers, round, { requests, warmUp }) {
  const slices = Math.ceil(requests / sliceRequests);
  const turn = (/** @type {number} */ slice) => orderOfTurn(peers.length, round * slices + slice);
  const lanes = [];
  for (const i of turn(0)) lanes[i] = await openLane(peers[i], name, warmUp);
  for (let slice = 0; slice < slices; slice++) {
    const count = Math.min(requests - slice * sliceRequests, sliceRequests);
    for (const i of turn(slice)) await lanes[i].run(count);
  }
  for (const lane of lanes) await lane.close();
  return lanes;
}

/** One peer in one round: a checked, warm server. */
async function openLane(peer, name, warmUp) {
  const scenario = scenarios[name];
  const server = await startServer(peer, name);
  const load = {
    request: writeQuestion(scenario.load.question),
    status: scenario.load.status,
    body: await naming(peer, name, checkAnswers(server.port, scenario)),
    pipelining: scenario.pipelining,
    known: { bytes: undefined },
  };
  // Connections of their own for each slice, opened outside the window: a server closes those that wait for their turn too long.
  const withConnections = async (work) => {
    const connections = await openConnections(server.port, connectionCount);
    const result = await naming(peer, name, work(connections));
    connections.close();
    return result;
  };
  await withConnections((connections) => connections.repeat(load, warmUp));
  return {
    cpuMicros: 0,
    wallMicros: 0,
    waits: /** @type {number[]} */ ([]),
    async run(/** @type {number} */ count) {
      const slice = await withConnections(async (connections) => {
        await connections.repeat(load, settlingRequests);
        return measureSlice(server, connections, load, count);
      });
      this.cpuMicros += slice.cpuMicros;
      this.wallMicros += slice.wallMicros;
      for (const wait of slice.waits) this.waits.push(wait);
    },
    close: () => server.stop(),
  };
}

async function measureSlice(server, connections, load, count) {
  const { result, cpuMicros } = await server.measure(async () => {
    const begun = performance.now();
    const waits = await connections.repeat(load, count);
    return { waits, wallMicros: (performance.now() - begun) * 1000 };
  });
  return { ...result, cpuMicros };
}

function addSample(/** @type {Samples} */ samples, { cpuMicros, wallMicros, waits }) {
  samples.cpuMicros.push(cpuMicros / waits.length);
  samples.busy.push(cpuMicros / wallMicros);
  samples.perSecond.push((waits.length / wallMicros) * 1e6);
  samples.p99Ms.push(quantile(Float64Array.from(waits), 0.99));
}

/** Adds to a failure whose it is. */
async function naming(peer, name, work) {
  try {
    return await work;
  } catch (error) {
    error.message = `${peer} in '${name}': ${error.message}`;
    throw error;
  }
}
