/**
 * Owns the order of measuring: rounds, and slices in turn within a round.
 *
 * @typedef {{ rounds: number, requests: number, peers: string[] }} Settings
 * @typedef {{ cpuMicros: number[], busy: number[] }} Samples Per request, and share of the wall time; one entry per round.
 */
import { checkAnswers } from './check.mjs';
import { openConnections, writeQuestion } from './load.mjs';
import { scenarios } from './scenarios.mjs';
import { startServer } from './server-process.mjs';

const connectionCount = 32;
const warmUpRequests = 30_000;
/** A round is cut in slices of this length, and the peers take turns slice by slice: a slow second hits them all. */
const sliceRequests = 5_000;

/**
 * @param {string} name Of the scenario.
 * @param {Settings} settings
 * @param {(round: number) => void} onRound Called before each round.
 * @returns {Promise<Samples[]>} In the order of `settings.peers`.
 */
export async function measureScenario(name, { rounds, requests, peers }, onRound) {
  const samples = peers.map(() => /** @type {Samples} */ ({ cpuMicros: [], busy: [] }));
  for (let round = 0; round < rounds; round++) {
    onRound(round);
    /** @type {Awaited<ReturnType<typeof openLane>>[]} */
    const lanes = [];
    const turns = inTurn(peers.keys(), round);
    // New processes each round: how V8 laid out and optimized one process is part of the noise to average over.
    for (const i of turns) lanes[i] = await openLane(peers[i], name);
    for (let left = requests; left > 0; left -= sliceRequests) {
      for (const i of turns) await lanes[i].run(Math.min(left, sliceRequests));
    }
    for (const [i, lane] of lanes.entries()) {
      samples[i].cpuMicros.push(lane.cpuMicros / requests);
      samples[i].busy.push(lane.cpuMicros / lane.wallMicros);
      await lane.close();
    }
  }
  return samples;
}

/** Who starts and runs first alternates, so that being first favours nobody. */
function inTurn(indices, round) {
  return round % 2 === 0 ? [...indices] : [...indices].reverse();
}

/** One peer in one round: a checked, warm server and the connections to it. */
async function openLane(peer, name) {
  const server = await startServer(peer, name);
  const connections = await openConnections(server.port, connectionCount);
  const request = writeQuestion(scenarios[name].load.question);
  const body = await naming(peer, name, checkAnswers(connections, scenarios[name]));
  const repeat = (count) => naming(peer, name, connections.repeat(request, body, count));
  await repeat(warmUpRequests);
  return {
    cpuMicros: 0,
    wallMicros: 0,
    async run(/** @type {number} */ count) {
      const begun = performance.now();
      this.cpuMicros += await server.measure(() => repeat(count));
      this.wallMicros += (performance.now() - begun) * 1000;
    },
    async close() {
      connections.close();
      await server.stop();
    },
  };
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
