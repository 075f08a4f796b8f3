// Breaks a fleet under load, one thing after the other, and counts what users notice.
//
//   node examples/fleet/chaos/chaos.mjs [--rounds 3] [--seed 1]
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { startFleet } from '../fleet/fleet.mjs';
import { Load } from './load.mjs';

/** How many requests arrive while something is down. */
const outcomesWhileDown = 100;

/** What breaks in a round. A process that is killed with SIGKILL, or SIGQUIT in Postgres, can put nothing in order. */
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

/** How often `rounds` rounds end each process. */
export const endsOf = ({ replicas, redis, postgres }, rounds) =>
  new Map([
    ...replicas.map((replica, i) => [replica, rounds + Math.ceil((rounds - i) / replicas.length)]),
    [redis, 2 * rounds],
    [postgres, 2 * rounds],
  ]);

/**
 * Runs the load, and breaks everything in turn.
 *
 * @param {Awaited<ReturnType<typeof startFleet>>} fleet A fleet that is ready.
 * @param {{ rounds?: number, seed?: number, users?: number }} options
 * @returns What was counted: requests, and notes by comparing what was acknowledged with what is there at the end.
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
    twice: notes.flatMap(({ twice }) => twice),
  };
}

/** The fleet has recovered when every process runs again and users are served. The last refusal before that counts. */
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
  const found = await user.readAll();
  const texts = [...found.values()];
  return {
    lost: [...user.acknowledged].filter(([id, text]) => found.get(id) !== text),
    twice: texts.filter((text, i) => texts.indexOf(text) !== i),
  };
}

/** @returns {string} A table for people. */
export function describe({ results, served, refused, wrong, acknowledged, lost, twice }) {
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
    `acknowledged writes: ${acknowledged}, lost: ${lost.length}, written twice: ${twice.length}`,
  ].join('\n');
}

// When it runs as a program.
if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { values } = parseArgs({
    options: { rounds: { type: 'string', default: '3' }, seed: { type: 'string', default: '1' } },
  });
  const fleet = await startFleet({ env: { REQUESTS_PER_MINUTE: '1000000', LOG_LEVEL: 'warn' } });
  try {
    await fleet.untilReady();
    const result = await runChaos(fleet, { rounds: Number(values.rounds), seed: Number(values.seed) });
    console.log(describe(result));
    process.exitCode = result.wrong.length + result.lost.length + result.twice.length === 0 ? 0 : 1;
  } finally {
    await fleet.stop();
  }
}
