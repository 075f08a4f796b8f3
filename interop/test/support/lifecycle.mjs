// Owns an application in another process, on any runtime, that the tests steer by lines of JSON.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { application } from './run.mjs';
import { runtimes } from './runtimes.mjs';

/**
 * Starts the application, which listens at once.
 *
 * @param {string} runtime A name in `runtimes`.
 * @param {{ flavor?: string, options?: object, listen?: object }} settings
 */
export async function startLife(runtime, { flavor = 'ambit', options = {}, listen = {} } = {}) {
  const place = listen.path === undefined ? { port: 0, host: '127.0.0.1' } : {};
  const args = [flavor, JSON.stringify(options), JSON.stringify({ ...place, ...listen })];
  const [executable, ...before] = runtimes[runtime]();
  const env = { ...process.env, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1', NODE_OPTIONS: '' };
  const child = spawn(executable, [...before, 'runtimes/lifecycle.mjs', ...args], {
    cwd: application,
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exit = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const kept = [];

  /** The next line that has a key; those before it are kept for other callers. */
  const next = async (key) => {
    for (;;) {
      const at = kept.findIndex((line) => key in line);
      if (at !== -1) return kept.splice(at, 1)[0][key];
      const { value, done } = await lines.next();
      if (done) throw new Error(`the application ended before it has printed '${key}'`);
      kept.push(JSON.parse(value));
    }
  };
  /** Has the application do something, without waiting for it. */
  const order = (command, given) => void child.stdin.write(`${JSON.stringify({ command, given })}\n`);
  const { value } = await lines.next();
  return {
    /** What the application knows of itself after `listen`, or its error. */
    first: JSON.parse(value),
    next,
    order,
    /** Has the application do something. */
    async command(command, given) {
      order(command, given);
      return next(command);
    },
    async stop() {
      child.stdin.end();
      await exit;
    },
  };
}
