// Restarts three replicas one after the other under a constant load of GETs and POSTs over kept connections, and counts the requests that are
// lost: behind HAProxy and nginx, as workers of `node:cluster`, and without a proxy. Build first. On Debian, proxies that are missing are
// installed.
//   node scripts/rolling-restarts.mjs [--restarts 100] [--seconds 250] [--scenes haproxy,nginx,cluster,direct] [--frameworks ambit,fastify]
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { installPackages } from './debian.mjs';
import { startLoad } from './rolling/load.mjs';
import { startProxy } from './rolling/proxies.mjs';
import { startProcesses, startWorkers } from './rolling/replicas.mjs';

/** The mean time between two requests of a client, of which there are 40. */
const pauseMs = 50;
/** How long an old replica serves everything. */
const delayMs = 2_000;
/** Between two restarts, a proxy must notice that the replica is back. */
const settleMs = 300;

/** Where clients send their requests, and how often. */
const scenes = {
  haproxy: { isProxied: true, start: startProcesses, pauseMs, delayMs },
  nginx: { isProxied: true, start: startProcesses, pauseMs, delayMs },
  cluster: { start: startWorkers, pauseMs, delayMs },
  // Connections are idle most of the time: a client uses each of its three about every second.
  direct: { start: startProcesses, pauseMs: 150, delayMs },
};

/** Restarts replicas as often as was asked for, as far as the time is enough. */
async function run(name, framework, { restarts, seconds }, folder) {
  const scene = scenes[name];
  const replicas = await scene.start(framework, scene.delayMs);
  const proxy = scene.isProxied ? await startProxy(name, folder, replicas.ports) : undefined;
  const startedMs = performance.now();
  const load = startLoad(proxy === undefined ? replicas.ports : [proxy.port], scene.pauseMs);
  let count = 0;
  try {
    await wait(settleMs);
    while (count < restarts && secondsSince(startedMs) < seconds) {
      await replicas.restart(count++);
      await wait(settleMs);
    }
  } finally {
    const { sent, lost, reasons } = await load.stop();
    console.log(
      `${name}, ${framework}: ${count} restarts, ${lost} of ${sent} requests lost in ${secondsSince(startedMs).toFixed(0)} s`,
      lost === 0 ? '' : JSON.stringify(reasons),
    );
    await proxy?.stop();
    replicas.kill();
    if (framework === 'ambit' && lost > 0) process.exitCode = 1;
  }
}

function secondsSince(startedMs) {
  return (performance.now() - startedMs) / 1_000;
}

const { values } = parseArgs({
  options: {
    restarts: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '3600' },
    scenes: { type: 'string', default: Object.keys(scenes).join() },
    frameworks: { type: 'string', default: 'ambit,fastify' },
  },
});
const limits = { restarts: Number(values.restarts), seconds: Number(values.seconds) };
const names = values.scenes.split(',');
const isProxied = names.some((name) => scenes[name].isProxied);
if (isProxied && !installPackages(['nginx', 'haproxy']))
  throw new Error('install nginx and HAProxy and run again');
const folder = await mkdtemp(join(tmpdir(), 'rolling-restarts-'));
try {
  for (const name of names)
    for (const framework of values.frameworks.split(',')) await run(name, framework, limits, folder);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
}
