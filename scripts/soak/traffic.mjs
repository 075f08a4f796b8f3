// Sends mixed traffic to one server at a constant rate: the actions of `actions.mjs` in a random order of a seed.
import { Agent } from 'node:http';
import { createActions } from './actions.mjs';
import { seededRandom } from './random.mjs';

/** The time between two batches of actions. */
const tickMs = 20;
/** If more actions than this are running, no more are started, because the machine is too slow for the rate. */
const maxRunning = 300;

/**
 * @param {object} options
 * @param {number} options.port
 * @param {boolean} options.isAmbit
 * @param {number} options.rate Actions a second.
 * @param {number} options.seed
 */
export function startTraffic({ port, isAmbit, rate, seed }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const random = seededRandom(seed);
  const actions = createActions({ port, agent, random, isAmbit });
  const total = actions.reduce((sum, { weight }) => sum + weight, 0);
  const state = { started: 0, skipped: 0, counts: {}, wrong: {} };
  const running = new Set();

  const pick = () => {
    const position = random() * total;
    let sum = 0;
    return actions.find(({ weight }) => {
      sum += weight;
      return position < sum;
    });
  };
  const start = () => {
    const { name, run } = pick();
    state.started++;
    state.counts[name] = (state.counts[name] ?? 0) + 1;
    const action = run().catch((error) => {
      const reason = `${name}: ${error.message}`;
      state.wrong[reason] = (state.wrong[reason] ?? 0) + 1;
    });
    running.add(action);
    action.then(() => running.delete(action));
  };

  let pendingStarts = 0;
  const tick = () => {
    for (pendingStarts += (rate * tickMs) / 1_000; pendingStarts >= 1; pendingStarts--) {
      if (running.size < maxRunning) start();
      else state.skipped++;
    }
  };
  let timer = setInterval(tick, tickMs);
  return {
    state,
    /** Stops starting actions, waits for the running ones, and closes idle connections, so that they are not counted. */
    async pause() {
      clearInterval(timer);
      await Promise.all(running);
      agent.destroy();
    },
    resume() {
      timer = setInterval(tick, tickMs);
    },
  };
}
