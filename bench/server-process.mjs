// Owns the parent's side of a server process: start it, open and close a measuring window, stop it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { serverCommand } from './pinning.mjs';

const serverScript = fileURLToPath(new URL('server.mjs', import.meta.url));

/**
 * @param {string} peer
 * @param {string} scenario
 */
export async function startServer(peer, scenario) {
  const [command, ...args] = [...serverCommand, serverScript, peer, scenario];
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const exit = once(child, 'exit');

  /** The next message of the child; fails when the child ends instead. */
  const answer = () =>
    Promise.race([
      once(child, 'message').then(([message]) => message),
      exit.then(() => {
        throw new Error(`the server process of ${peer} ended during '${scenario}'`);
      }),
    ]);
  const ask = (/** @type {string} */ message) => {
    child.send(message);
    return answer();
  };

  const { port } = await answer();
  return {
    port: /** @type {number} */ (port),
    /** Runs `work` as one window. @returns CPU time of the server process in microseconds. */
    async measure(/** @type {() => Promise<void>} */ work) {
      await ask('begin');
      await work();
      return /** @type {number} */ ((await ask('end')).cpuMicros);
    },
    async stop() {
      child.send('stop');
      await exit;
    },
  };
}
