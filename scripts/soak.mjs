// A soak test: runs servers for an hour under mixed traffic, errors, aborts and streams, and reports whether they leak:
// the heap after garbage collection, the memory of the process, file descriptors, timers and other resources. Build
// first. The exit code is 1 if Ambit leaks, sends a wrong response, emits a warning, or does not end by itself.
//   node scripts/soak.mjs [--minutes 60] [--rate 100] [--seed 1] [--out soak.json]
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { createActions } from './load/actions.mjs';
import { startServer, stopServer, untilMessage } from './load/replicas.mjs';
import { findGrowth, printReport } from './load/report.mjs';
import { startTraffic } from './load/traffic.mjs';
import { provideNode } from './provide-node.mjs';

const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: 'soak.json' },
  },
});
const servers = ['ambit@20', 'ambit@26', 'fastify@20', 'fastify@26'];
const minutes = Number(options.minutes);
const rate = Number(options.rate);
/** 120 samples an hour, and 24 samples in a shorter run. */
const sampleMs = Math.min(30_000, (minutes * 60_000) / 24);
/** Caches, compiled code and pools fill in this time, so its samples are ignored. */
const warmUpMs = Math.min(600_000, minutes * 15_000);
/** In this time, a server notices that clients have disconnected. */
const settleMs = 500;
const startedMs = performance.now();

async function takeSample(child) {
  child.send('sample');
  const { sample } = await untilMessage(child, 'sample');
  return sample;
}

async function soak(server, number) {
  const [name, version] = server.split('@');
  const { child, port } = await startServer([name, '0'], {
    execPath: provideNode(version),
    execArgv: ['--expose-gc'],
  });
  const warnings = [];
  child.on('message', ({ warning }) => warning !== undefined && warnings.push(warning));
  const isAmbit = name !== 'fastify';
  const before = await takeSample(child);
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  const traffic = startTraffic({
    createActions: (random) => createActions({ port, agent, random, isAmbit }),
    rate,
    seed: Number(options.seed) + number,
  });
  /** Idle connections are closed, so that they are not counted. */
  const pause = async () => {
    await traffic.pause();
    agent.destroy();
    await wait(settleMs);
  };
  const samples = [];
  try {
    while (performance.now() - startedMs < minutes * 60_000) {
      await wait(sampleMs);
      await pause();
      samples.push({ ...(await takeSample(child)), atMs: performance.now() - startedMs });
      traffic.resume();
    }
  } finally {
    await pause();
  }
  await wait(settleMs * 4);
  const after = await takeSample(child);
  const ended = once(child, 'exit');
  child.send('stop');
  const end = (await stopServer(child, ended)) === 0 ? 'by itself' : 'otherwise';
  return { server, isAmbit, before, samples, after, warnings, ...traffic.state, end };
}

const results = await Promise.all(servers.map(soak));
const measured = results.map((result) => ({
  ...result,
  growth: findGrowth(result.samples.filter(({ atMs }) => atMs >= warmUpMs)),
}));
await writeFile(options.out, JSON.stringify({ minutes, rate, seed: options.seed, warmUpMs, measured }));
console.log(`${minutes} minutes, ${rate} actions a second for each server, seed ${options.seed}`);
const failures = printReport(measured);
for (const failure of failures) console.log(`FAILED: ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
