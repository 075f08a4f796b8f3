// Starts and stops servers under load: processes with a port each, or workers of a cluster that share a port.
import { fork } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findFreePort } from './proxies.mjs';

const program = fileURLToPath(new URL('server.mjs', import.meta.url));
const count = 3;
/** A server that does not end in this time is killed, as platforms do it. */
const deadlineMs = 20_000;

/** The next message of a server that has a member of this name. Fails if its process ends before. */
export function untilMessage(child, key) {
  return new Promise((resolve, reject) => {
    const settle = (how, value) => {
      child.off('exit', end).off('message', receive);
      how(value);
    };
    const end = (code) => settle(reject, new Error(`the process of a server ended with code ${code}`));
    const receive = (message) => key in message && settle(resolve, message);
    child.on('exit', end).on('message', receive);
  });
}

export async function startServer(args, options) {
  const child = fork(program, args, options);
  return { child, port: (await untilMessage(child, 'port')).port };
}

/** Waits until a process has ended that was told to stop. @returns Its exit code; `null` if it had to be killed. */
export async function stopServer(child, ended) {
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
  const [code] = await ended;
  clearTimeout(timer);
  return code;
}

function terminate(child) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  return stopServer(child, ended);
}

const killAll = (children) => () => {
  for (const child of children) child.kill('SIGKILL');
};

/** Starts one process for each port. A restart stops a process and starts it again on its port. */
export async function startProcesses(framework, delayMs) {
  const ports = [];
  while (ports.length < count) ports.push(await findFreePort());
  const start = async (port) => (await startServer([framework, String(port), String(delayMs)])).child;
  const children = await Promise.all(ports.map(start));
  return {
    ports,
    async restart(number) {
      const index = number % count;
      await terminate(children[index]);
      children[index] = await start(ports[index]);
    },
    kill: killAll(children),
  };
}

/** Starts workers of a cluster. A restart starts a new worker and then stops the oldest. */
export async function startWorkers(framework, delayMs) {
  const port = await findFreePort();
  const start = async () => {
    // Called before each fork, because the other framework calls it with its own arguments.
    cluster.setupPrimary({ exec: program, args: [framework, String(port), String(delayMs)] });
    const { process: child } = cluster.fork();
    await untilMessage(child, 'port');
    return child;
  };
  const children = [];
  while (children.length < count) children.push(await start());
  return {
    ports: [port],
    async restart() {
      children.push(await start());
      await terminate(children.shift());
    },
    kill: killAll(children),
  };
}
