// Starts and restarts replicas: processes with a port each, or workers of a cluster that share a port.
import { fork } from 'node:child_process';
import cluster from 'node:cluster';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '../reverse-proxy.mjs';

const program = fileURLToPath(new URL('server.mjs', import.meta.url));
const count = 3;

async function untilListening(child) {
  const ended = once(child, 'exit').then(() => {
    throw new Error('a replica ended before it listened');
  });
  await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
}

/** A replica that does not end in this time is killed, as platforms do it. */
const deadlineMs = 15_000;

async function stop(child) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
  await ended;
  clearTimeout(timer);
}

/** Starts one process for each port. A restart stops a process and starts it again on its port. */
export async function startProcesses(framework, delayMs) {
  const ports = [];
  while (ports.length < count) ports.push(await findFreePort());
  const start = async (port) => {
    const child = fork(program, [framework, String(port), String(delayMs)]);
    await untilListening(child);
    return child;
  };
  const children = await Promise.all(ports.map(start));
  return {
    ports,
    async restart(number) {
      const index = number % count;
      await stop(children[index]);
      children[index] = await start(ports[index]);
    },
    kill: () => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** Starts workers of a cluster. A restart starts a new worker and then stops the oldest. */
export async function startWorkers(framework, delayMs) {
  const port = await findFreePort();
  const start = async () => {
    // Called before each fork, because the other framework calls it with its own arguments.
    cluster.setupPrimary({ exec: program, args: [framework, String(port), String(delayMs)] });
    const { process: child } = cluster.fork();
    await untilListening(child);
    return child;
  };
  const children = [];
  while (children.length < count) children.push(await start());
  return {
    ports: [port],
    async restart() {
      children.push(await start());
      await stop(children.shift());
    },
    kill: () => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}
