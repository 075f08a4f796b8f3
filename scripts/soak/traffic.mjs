// Mixed traffic for one server, at a constant rate: the mix of `actions.mjs`, in a random order that the seed decides.
import { Agent } from 'node:http';
import { makeActions } from './actions.mjs';
import { seededRandom } from './random.mjs';

/** Actions start in batches. */
const tickMs = 20;
/** Above that many at the same time, no more start: the machine is too slow for the rate. */
const mostRunning = 300;

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
  const actions = makeActions({ port, agent, random, isAmbit });
  const total = actions.reduce((sum, { weight }) => sum + weight, 0);
  const state = { started: 0, left: 0, counts: {}, wrong: {} };
  const running = new Set();

  const pick = () => {
    const at = random() * total;
    let sum = 0;
    return actions.find(({ weight }) => {
      sum += weight;
      return at < sum;
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

  let owed = 0;
  const tick = () => {
    for (owed += (rate * tickMs) / 1_000; owed >= 1; owed--) {
      if (running.size < mostRunning) start();
      else state.left++;
    }
  };
  let timer = setInterval(tick, tickMs);
  return {
    state,
    /** Starts nothing more, waits for what runs, and closes kept connections, so that they do not count. */
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
