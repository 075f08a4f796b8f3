// A soak test: runs servers for an hour under mixed traffic, errors, aborts and streams, and reports whether they leak:
// the heap after garbage collection, the memory of the process, file descriptors, timers and other resources. Build
// first. The exit code is 1 if Ambit leaks, sends a wrong response, emits a warning, or does not end by itself.
//   node scripts/soak.mjs [--minutes 60] [--rate 100] [--seed 1] [--servers ambit@20,ambit@26,fastify@20,fastify@26] [--out soak.json]
import { fork } from 'node:child_process';
import { on, once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { provideNode } from './provide-node.mjs';
import { findGrowth, formatReport } from './soak/report.mjs';
import { startTraffic } from './soak/traffic.mjs';

const program = fileURLToPath(new URL('soak/server.mjs', import.meta.url));
const { values: options } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    rate: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    servers: { type: 'string', default: 'ambit@20,ambit@26,fastify@20,fastify@26' },
    out: { type: 'string', default: 'soak.json' },
  },
});
const minutes = Number(options.minutes);
const rate = Number(options.rate);
/** 120 samples an hour, and 24 samples in a shorter run. */
const sampleMs = Math.min(30_000, (minutes * 60_000) / 24);
/** Caches, compiled code and pools fill in this time, so its samples are ignored. */
const warmUpMs = Math.min(600_000, minutes * 15_000);
/** In this time, a server notices that clients have disconnected. */
const settleMs = 500;
/** A process that does not end in this time is killed. */
const exitTimeoutMs = 20_000;

/** Requests a sample from a server. Fails if its process ends before it responds. */
async function takeSample(child) {
  const controller = new AbortController();
  const { signal } = controller;
  const ended = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`the process ended with code ${code}`);
  });
  ended.catch(() => {});
  child.send('sample');
  try {
    return await Promise.race([untilSample(child, signal), ended]);
  } finally {
    controller.abort();
  }
}

async function untilSample(child, signal) {
  for await (const [{ sample }] of on(child, 'message', { signal })) if (sample !== undefined) return sample;
}

/** Stops the server, and reports how its process ended. */
async function stop(child) {
  const ended = once(child, 'exit');
  child.send('stop');
  const timeout = wait(exitTimeoutMs, ['did not end by itself'], { ref: false });
  const [code] = await Promise.race([ended, timeout]);
  if (child.exitCode === null) child.kill('SIGKILL');
  return code === 0 ? 'by itself' : String(code);
}

async function soak(server, number, startedMs) {
  const [name, version] = server.split('@');
  const child = fork(program, [name], { execPath: provideNode(version), execArgv: ['--expose-gc'] });
  const warnings = [];
  child.on('message', ({ warning }) => warning !== undefined && warnings.push(warning));
  const [{ port }] = await once(child, 'message');
  const before = await takeSample(child);
  const isAmbit = name !== 'fastify';
  const traffic = startTraffic({ port, isAmbit, rate, seed: Number(options.seed) + number });
  const samples = [];
  try {
    while (performance.now() - startedMs < minutes * 60_000) {
      await wait(sampleMs);
      await traffic.pause();
      await wait(settleMs);
      const sample = await takeSample(child);
      const { started, skipped, counts, wrong } = traffic.state;
      samples.push({ ...sample, atMs: performance.now() - startedMs, started });
      await writeFile(
        `${options.out}.${number}`,
        JSON.stringify({ server, before, samples, skipped, counts, wrong, warnings }),
      );
      traffic.resume();
    }
  } finally {
    await traffic.pause();
  }
  await wait(settleMs * 4);
  const after = await takeSample(child);
  return { server, isAmbit, before, samples, after, warnings, ...traffic.state, end: await stop(child) };
}

const startedMs = performance.now();
const servers = options.servers.split(',');
const results = await Promise.all(servers.map((server, number) => soak(server, number, startedMs)));
const measured = results.map((result) => {
  const steady = result.samples.filter(({ atMs }) => atMs >= warmUpMs);
  return { ...result, growth: findGrowth(steady) };
});
await writeFile(options.out, JSON.stringify({ minutes, rate, seed: options.seed, warmUpMs, measured }));
const { text, failures } = formatReport(measured);
console.log(`${minutes} minutes, ${rate} actions a second for each server, seed ${options.seed}\n\n${text}`);
for (const failure of failures) console.log(`FAILED: ${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
