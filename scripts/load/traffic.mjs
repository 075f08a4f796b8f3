// Sends traffic to servers at a constant rate: actions in a random order of a seed. An action that throws is wrong.
import { request } from 'node:http';
import { randomFrom } from '../../bench/random.mjs';

const tickMs = 20;
/** If more actions than this are running, no more are started, because the machine is too slow for the rate. */
const maxRunning = 300;

/**
 * @param {object} options
 * @param {(random: () => number) => { name: string, weight: number, run: (number: number) => Promise<unknown> }[]} options.createActions
 *   `weight` is the relative frequency of an action; `run` gets the number of actions before it.
 * @param {number} options.rate Actions a second.
 * @param {number} options.seed
 */
export function startTraffic({ createActions, rate, seed }) {
  const random = randomFrom(seed);
  const actions = createActions(random);
  const total = actions.reduce((sum, { weight }) => sum + weight, 0);
  const state = { started: 0, skipped: 0, wrong: {} };
  const running = new Set();

  const pick = () => {
    let left = random() * total;
    return actions.find(({ weight }) => {
      left -= weight;
      return left < 0;
    });
  };
  const start = () => {
    const { name, run } = pick();
    const action = run(state.started++).catch((error) => {
      const reason = `${name}: ${error.code ?? error.message}`;
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
    async pause() {
      clearInterval(timer);
      await Promise.all(running);
    },
    resume() {
      timer = setInterval(tick, tickMs);
    },
  };
}

export function countWrong({ wrong }) {
  return Object.values(wrong).reduce((sum, count) => sum + count, 0);
}

/** Sends a request, and returns its response when the headers are received. The default limit is long enough for a slow machine. */
export function send(target, { method = 'GET', path = '/', headers = {}, body, timeoutMs = 60_000 }) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const options = { host: '127.0.0.1', ...target, method, path, headers: { ...length, ...headers } };
    const outgoing = request(options, resolve).on('error', reject);
    outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error('no response in time')));
    outgoing.end(body);
  });
}
