// Owns programs that serve in a process group of their own, such as a script of a package manager.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** What the commands `ambit start` and `ambit dev` print. */
const listens = /^(?:ambit: .*?| +Local +)(http:\/\/[\w.:[\]]+)/;

/**
 * Starts a command that serves, and prints its address.
 *
 * @param {RegExp} [findOrigin] Its first group is the address, in the line that has it.
 * @returns The address, and what stops it.
 */
export async function startServer(folder, [program, ...args], env, findOrigin = listens) {
  const { NODE_ENV: _, VITEST: __, ...outer } = process.env;
  const child = spawn(program, args, {
    cwd: folder,
    env: { ...outer, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: a package manager, its shell and node get a signal together, as from a terminal.
    detached: true,
  });
  const exited = once(child, 'exit');
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text) => {
    complaints += text;
  });
  const lines = createInterface({ input: child.stdout });
  const origin = await new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const [, found] = findOrigin.exec(line) ?? [];
      if (found) resolve(found);
    });
    child.once('error', reject);
    exited.then(() => reject(new Error(`\`${program} ${args.join(' ')}\` did not listen\n${complaints}`)));
  });
  return {
    origin,
    /** @returns What it has written to standard error, and its exit code. */
    async stop(signal = 'SIGINT') {
      process.kill(-child.pid, signal);
      const [status] = await exited;
      return { status, complaints };
    },
  };
}
