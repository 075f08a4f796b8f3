/**
 * Measures latency at a steady rate that is well below the maximum of the servers: half of Fastify's maximum.
 *
 * @typedef {{ scenario: string, perSecond: number, peers: string[], p99Ms: number[][] }} LatencyResult
 *   `p99Ms` has a list for each peer, with an entry per round.
 */
import { checkResponses } from './check.mjs';
import { openConnection } from './connection.mjs';
import { writeOneRequest } from './load.mjs';
import { withNames } from './measure.mjs';
import { scenarios } from './scenarios.mjs';
import { startServer } from './server-process.mjs';
import { quantile } from './statistics.mjs';
import { orderOfTurn } from './turns.mjs';
import { loadWithWrk } from './wrk.mjs';

const connectionCount = 64;
const warmUpSeconds = 3;

/**
 * @param {string} name The name of the scenario.
 * @param {number} perSecond
 * @param {{ rounds: number, sliceSeconds: number, peers: string[], node: import('./runtimes.mjs').Runtime }} settings
 * @returns {Promise<LatencyResult>}
 */
export async function measureLatency(name, perSecond, { rounds, sliceSeconds, peers, node }) {
  const scenario = scenarios[name];
  const subjects = [];
  try {
    for (const peer of peers) {
      const server = await startServer(peer, name, node);
      subjects.push({ peer, server, p99Ms: /** @type {number[]} */ ([]) });
      await withNames(peer, name, checkResponses(server.port, scenario));
      await withNames(peer, name, loadWithWrk(server.port, scenario, warmUpSeconds));
    }
    for (let round = 0; round < rounds; round++) {
      for (const i of orderOfTurn(peers.length, round)) {
        const { peer, server, p99Ms } = subjects[i];
        const waits = await withNames(peer, name, loadAtRate(server.port, scenario, perSecond, sliceSeconds));
        p99Ms.push(quantile(waits, 0.99));
      }
    }
  } finally {
    for (const { server } of subjects) await server.stop();
  }
  return { scenario: name, perSecond, peers, p99Ms: subjects.map(({ p99Ms }) => p99Ms) };
}

/**
 * Sends requests when they are due, even if earlier ones have no response yet. The latency is measured from the time
 * when the request was due. So if a server stalls, the latency of all requests that were due meanwhile includes the
 * stall.
 *
 * @returns {Promise<Float64Array>} Milliseconds.
 */
export async function loadAtRate(
  /** @type {number} */ port,
  /** @type {import('./scenarios.mjs').Scenario} */ { load },
  /** @type {number} */ perSecond,
  /** @type {number} */ seconds,
) {
  const bytes = writeOneRequest(load.request);
  const count = Math.floor(perSecond * seconds);
  const waits = new Float64Array(count);
  const connections = await Promise.all(Array.from({ length: connectionCount }, () => openConnection(port)));
  const known = { bytes: undefined };
  try {
    await new Promise((resolve, reject) => {
      const dueTimes = connections.map(() => /** @type {number[]} */ ([]));
      const startedMs = performance.now();
      let sent = 0;
      let completed = 0;
      for (const [i, connection] of connections.entries()) {
        connection.receiveWith({
          known,
          verify: ({ status }) => {
            if (status !== load.status) throw new Error(`status ${status} under load`);
          },
          onResponse() {
            waits[completed++] = performance.now() - dueTimes[i].shift();
            if (completed === count) resolve(undefined);
          },
          onFailure: reject,
        });
      }
      const sendDue = () => {
        const dueCount = Math.min(count, Math.floor(((performance.now() - startedMs) / 1000) * perSecond));
        for (; sent < dueCount; sent++) {
          const index = sent % connectionCount;
          dueTimes[index].push(startedMs + (sent / perSecond) * 1000);
          connections[index].write(bytes);
        }
        if (sent < count) setImmediate(sendDue);
      };
      sendDue();
    });
  } finally {
    for (const connection of connections) connection.close();
  }
  return waits;
}
