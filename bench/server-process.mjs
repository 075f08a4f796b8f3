// Controls a server process from its parent: starts it, begins and ends a measurement, and stops it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { peers } from './peers.mjs';
import { onServerCore } from './pinning.mjs';
import { otherRuntimes } from './runtimes.mjs';
import { scenarios } from './scenarios.mjs';

const serverScript = fileURLToPath(new URL('server.mjs', import.meta.url));
// The documentation of every peer recommends this for production. Without it, some peers write a long explanation for each error.
const env = { ...process.env, NODE_ENV: 'production', DENO_NO_UPDATE_CHECK: '1' };
/** The arguments before the script. With its flags, Deno uses the installed packages of npm. */
const flags = { deno: ['run', '--allow-all', '--node-modules-dir=manual'] };

/**
 * @param {string} peer
 * @param {string} name The name of the scenario.
 * @param {import('./runtimes.mjs').Runtime} node The runtime of peers on Node.
 * @param {boolean} hasAsyncHandlers Whether the handlers of peers on Bun and Deno are `async` functions.
 */
export async function startServer(peer, name, node, hasAsyncHandlers = false) {
  const { routes = name, isSecure } = scenarios[name];
  const { runtime } = peers[peer];
  const { executable } = runtime === 'node' ? node : otherRuntimes[runtime];
  const program = [...(flags[runtime] ?? []), serverScript, peer, routes];
  const [command, ...args] = [...onServerCore(executable), ...program];
  if (isSecure) args.push('secure');
  if (hasAsyncHandlers) args.push('async');
  // The output of a server goes to the log, because stdout is for the report.
  const child = spawn(command, args, { stdio: ['ignore', 2, 2, 'ipc'], serialization: 'json', env });
  const exit = once(child, 'exit');

  /** The next message of the child; rejects if the child ends instead. */
  const nextMessage = () =>
    Promise.race([
      once(child, 'message').then(([message]) => message),
      exit.then(() => {
        throw new Error(`the server process of ${peer} ended during '${name}'`);
      }),
    ]);
  const request = (/** @type {string} */ message) => {
    child.send(message);
    return nextMessage();
  };

  const { port } = await nextMessage();
  return {
    port: /** @type {number} */ (port),
    /**
     * Runs `work` as one measurement.
     *
     * @template T
     * @param {() => Promise<T>} work
     * @returns What it resolved to, and the CPU time of the server process in microseconds.
     */
    async measure(work) {
      await request('begin');
      const result = await work();
      const { cpuMicros } = await request('end');
      return { result, cpuMicros: /** @type {number} */ (cpuMicros) };
    },
    async stop() {
      child.send('stop');
      await exit;
    },
  };
}
