// The replicas that are restarted: processes on ports of their own, or workers of a cluster that share one.
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

/** What does not end in time is killed, as platforms do it. */
const deadlineMs = 15_000;

async function stop(child) {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), deadlineMs);
  await ended;
  clearTimeout(timer);
}

/** One process after the other ends and is started again on its port. */
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
      const at = number % count;
      await stop(children[at]);
      children[at] = await start(ports[at]);
    },
    kill: () => {
      for (const child of children) child.kill('SIGKILL');
    },
  };
}

/** A new worker starts, then an old one ends. */
export async function startWorkers(framework, delayMs) {
  const port = await findFreePort();
  const start = async () => {
    // For each worker: another framework may have set up its own meanwhile.
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
