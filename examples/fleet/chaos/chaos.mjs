// Causes failures in a fleet under load, one after the other, and counts how they affect users.
//
//   node examples/fleet/chaos/chaos.mjs [--rounds 3] [--seed 1]
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startFleet } from '../fleet/fleet.mjs';
import { Load } from './load.mjs';

/** The number of requests while a process is down. */
const outcomesWhileDown = 100;

/** The failures of a round. A process that gets SIGKILL (or Postgres with SIGQUIT) cannot shut down gracefully. */
const disruptions = {
  'a replica is killed': ({ replicas }, down, round) =>
    replicas[round % replicas.length].restart('SIGKILL', down),
  'all replicas are killed': ({ replicas }, down) =>
    Promise.all(replicas.map((replica) => replica.restart('SIGKILL', down))),
  'Redis is killed': ({ redis }, down) => redis.restart('SIGKILL', down),
  'Postgres crashes': ({ postgres }, down) => postgres.restart('SIGQUIT', down),
  'Postgres and Redis end': ({ postgres, redis }, down) =>
    Promise.all([postgres.restart('SIGINT', down), redis.restart('SIGTERM', down)]),
};

/** Returns how often each process is ended in a number of rounds. */
export const expectedExits = ({ replicas, redis, postgres }, rounds) =>
  new Map([
    ...replicas.map((replica, i) => [replica, rounds + Math.ceil((rounds - i) / replicas.length)]),
    [redis, 2 * rounds],
    [postgres, 2 * rounds],
  ]);

/**
 * Runs the load, and causes all failures one after the other.
 *
 * @param {Awaited<ReturnType<typeof startFleet>>} fleet A fleet that is ready.
 * @param {{ rounds?: number, seed?: number, users?: number }} options
 * @returns Counts of requests and notes. Acknowledged notes are compared with those that are stored at the end.
 */
export async function runChaos(fleet, { rounds = 1, seed = 1, users = 12 } = {}) {
  const load = new Load({ origin: fleet.origin, seed, count: users });
  await load.start();
  const results = [];
  for (let round = 0; round < rounds; round++) {
    for (const [what, disrupt] of Object.entries(disruptions))
      results.push({ what, ...(await measure(fleet, load, (down) => disrupt(fleet, down, round))) });
  }
  await load.stop();
  const notes = await Promise.all(load.users.map(compareNotes));
  return {
    results,
    served: load.served,
    refused: load.refused,
    wrong: load.wrong,
    acknowledged: load.users.reduce((sum, user) => sum + user.acknowledged.size, 0),
    lost: notes.flatMap(({ lost }) => lost),
    duplicates: notes.flatMap(({ duplicates }) => duplicates),
  };
}

/**
 * Measures one failure. The fleet has recovered at the last refused request, or when every process is ready, whichever is
 * later.
 */
async function measure(fleet, load, disrupt) {
  await load.untilServed();
  const [startedMs, servedBefore, refusedBefore] = [performance.now(), load.served, load.refusedCount];
  let upMs = startedMs;
  await disrupt(async () => {
    await load.untilOutcomes(outcomesWhileDown);
    upMs = performance.now();
  });
  await fleet.untilReady();
  const readyMs = performance.now();
  await load.untilServed();
  return {
    downMs: upMs - startedMs,
    recoveredMs: Math.max(readyMs, load.lastRefusalMs) - upMs,
    served: load.served - servedBefore,
    refused: load.refusedCount - refusedBefore,
  };
}

async function compareNotes(user) {
  const stored = await user.readAll();
  const texts = [...stored.values()];
  return {
    lost: [...user.acknowledged].filter(([id, text]) => stored.get(id) !== text),
    duplicates: texts.filter((text, i) => texts.indexOf(text) !== i),
  };
}

/** @returns {string} The result as text. */
export function describe({ results, served, refused, wrong, acknowledged, lost, duplicates }) {
  const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`;
  const lines = results.map(
    (result) =>
      `${result.what.padEnd(24)}  served ${String(result.served).padStart(5)}, refused ${String(result.refused).padStart(4)}, down ${seconds(result.downMs)}, recovered ${seconds(result.recoveredMs)} later`,
  );
  const reasons = [...refused].map(([reason, count]) => `${String(count).padStart(6)}  ${reason}`);
  return [
    ...lines,
    `served ${served}; refused with a reason:`,
    ...reasons,
    `without a response or a reason: ${wrong.length}`,
    ...wrong.slice(0, 20),
    `acknowledged writes: ${acknowledged}, lost: ${lost.length}, written twice: ${duplicates.length}`,
  ].join('\n');
}

// If this file runs as a program.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '3' }, seed: { type: 'string', default: '1' } },
  });
  const fleet = await startFleet({ env: { REQUESTS_PER_MINUTE: '1000000', LOG_LEVEL: 'warn' } });
  try {
    await fleet.untilReady();
    const result = await runChaos(fleet, { rounds: Number(values.rounds), seed: Number(values.seed) });
    console.log(describe(result));
    process.exitCode = result.wrong.length + result.lost.length + result.duplicates.length === 0 ? 0 : 1;
  } finally {
    await fleet.stop();
  }
}
