// Owns a server process from the side of the parent: starts it, begins and ends a measurement, stops it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { peers } from './peers.mjs';
import { onServerCore } from './pinning.mjs';
import { otherRuntimes } from './runtimes.mjs';
import { scenarios } from './scenarios.mjs';

const serverScript = fileURLToPath(new URL('server.mjs', import.meta.url));
// Every documentation recommends this for production. Without it, some peers write a long explanation for each error.
const env = { ...process.env, NODE_ENV: 'production', DENO_NO_UPDATE_CHECK: '1' };
/** What comes before the script. Deno also looks for packages of npm where they are installed. */
const flags = { deno: ['run', '--allow-all', '--node-modules-dir=manual'] };

/**
 * @param {string} peer
 * @param {string} name Of the scenario.
 * @param {import('./runtimes.mjs').Runtime} node The runtime of peers on Node.
 */
export async function startServer(peer, name, node) {
  const { routes = name, isSecure } = scenarios[name];
  const { runtime } = peers[peer];
  const { executable } = runtime === 'node' ? node : otherRuntimes[runtime];
  const program = [...(flags[runtime] ?? []), serverScript, peer, routes];
  const [command, ...args] = [...onServerCore(executable), ...program];
  if (isSecure) args.push('secure');
  // The output of a server goes to the log, because stdout is for the report.
  const child = spawn(command, args, { stdio: ['ignore', 2, 2, 'ipc'], serialization: 'json', env });
  const exit = once(child, 'exit');

  /** The next message of the child; rejects if the child ends instead. */
  const answer = () =>
    Promise.race([
      once(child, 'message').then(([message]) => message),
      exit.then(() => {
        throw new Error(`the server process of ${peer} ended during '${name}'`);
      }),
    ]);
  const request = (/** @type {string} */ message) => {
    child.send(message);
    return answer();
  };

  const { port } = await answer();
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
