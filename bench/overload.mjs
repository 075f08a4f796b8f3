// The overload benchmark: how many requests a server still serves, and how fast, when it receives more than it can serve.
// `node bench/overload.mjs`: the server uses one processor core, this process the other. First, it measures the capacity of a server
// without protection. Then it sends the same loads to all servers, as percentages of this capacity. It takes three minutes. Run it on a
// machine that does nothing else.
import { fileURLToPath } from 'node:url';
import { isPinned } from './machine.mjs';
import { writeRequest } from './scenarios.mjs';
import { startProcess } from './server-process.mjs';
import { quantile } from './statistics.mjs';
import { loadAtRate } from './steady-load.mjs';
import { loadWithWrk } from './wrk.mjs';

const labels = {
  ambit: 'Ambit, overload: true',
  nothing: 'no protection',
  'under-pressure': 'Fastify, @fastify/under-pressure',
  'under-pressure-tuned': 'the same, tuned',
};
const script = fileURLToPath(new URL('overload-server.mjs', import.meta.url));
const percents = [80, 100, 200, 300];
const warmUpSeconds = 3;
const seconds = 6;
const request = writeRequest({ path: '/' });

const start = (/** @type {string} */ subject) => startProcess([process.execPath, script, subject]);

/** In requests per second, with a few connections that are never idle. Protection would reject some of their requests. */
async function measureCapacity() {
  const server = await start('nothing');
  const load = () => loadWithWrk(server.port, { load: { request: { path: '/' } } }, warmUpSeconds, 6);
  await load();
  const { requests, micros } = await load();
  await server.stop();
  return (requests / micros) * 1e6;
}

async function measure(/** @type {string} */ subject, /** @type {number} */ capacity) {
  const server = await start(subject);
  await loadAtRate(server.port, request, capacity / 2, warmUpSeconds);
  const rows = [];
  for (const percent of percents) {
    const load = await loadAtRate(server.port, request, (capacity * percent) / 100, seconds);
    const { durationsMs, delaysMs, servedInTime } = load;
    const { 200: served = [0], 503: refused = [], 0: lost = [] } = durationsMs;
    rows.push({
      load: `${percent} %`,
      served: Math.round(servedInTime / seconds),
      'of capacity': `${Math.round((servedInTime / seconds / capacity) * 100)} %`,
      'median ms': round(quantile(served, 0.5)),
      'p99 ms': round(quantile(served, 0.99)),
      refused: refused.length,
      lost: lost.length,
      'sent late, p99 ms': round(quantile(delaysMs, 0.99)),
    });
  }
  await server.stop();
  return rows;
}

const round = (/** @type {number} */ ms) => Number(ms.toFixed(1));

if (!isPinned) console.log('The server and this process share their cores: the figures say little.');
const capacity = await measureCapacity();
console.log(`Node ${process.version}, capacity without protection: ${Math.round(capacity)} requests/s\n`);
for (const [subject, label] of Object.entries(labels)) {
  console.log(label);
  console.table(await measure(subject, capacity));
}
