// The overload benchmark: how many requests a server still serves, and how fast, when it receives more than it can serve.
//
//   node bench/overload.mjs [--subjects ambit,nothing] [--seconds 6]
//
// The server uses one processor core, this process the other. First, it measures the capacity of a server without protection. Then it sends
// the same loads to all servers, as percentages of this capacity. It takes three minutes. Run it on a machine that does nothing else.
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
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
const connectionCount = 500;
const request = writeRequest({ path: '/' });

const { values } = parseArgs({
  options: {
    subjects: { type: 'string', default: Object.keys(labels).join() },
    seconds: { type: 'string', default: '6' },
  },
});
const seconds = Number(values.seconds);

/** Starts a server, passes its port to `use`, and stops it. */
async function withServer(subject, use) {
  const server = await startProcess([process.execPath, script, subject]);
  try {
    return await use(server.port);
  } finally {
    await server.stop();
  }
}

/** In requests per second, with a few connections that are never idle. Protection would reject some of their requests. */
function measureCapacity() {
  return withServer('nothing', async (port) => {
    const load = () => loadWithWrk(port, { load: { request: { path: '/' } } }, warmUpSeconds, 6);
    await load();
    const { requests, micros } = await load();
    return (requests / micros) * 1e6;
  });
}

function measure(subject, capacity) {
  return withServer(subject, async (port) => {
    await loadAtRate(port, request, capacity / 2, warmUpSeconds, connectionCount);
    const rows = [];
    for (const percent of percents) {
      const rate = (capacity * percent) / 100;
      const { durationsMs, delaysMs, servedInTime } = await loadAtRate(
        port,
        request,
        rate,
        seconds,
        connectionCount,
      );
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
    return rows;
  });
}

const round = (/** @type {number} */ ms) => Number(ms.toFixed(1));

/** The two figures that show the effect of overload protection, at three times the capacity. */
function summarize(rows, capacity) {
  const peak = Math.max(capacity, ...rows.map(({ served }) => served));
  const [normal, overloaded] = [rows[0], rows.at(-1)];
  const goodput = Math.round((overloaded.served / peak) * 100);
  const slower = (overloaded['p99 ms'] / normal['p99 ms']).toFixed(1);
  return `at ${overloaded.load}: ${goodput} % of the peak is served, the p99 is ${slower} times that at ${normal.load}`;
}

if (!isPinned) console.log('The server and this process share their cores: the figures say little.');
const capacity = await measureCapacity();
console.log(`Node ${process.version}, capacity without protection: ${Math.round(capacity)} requests/s\n`);
for (const subject of values.subjects.split(',')) {
  const rows = await measure(subject, capacity);
  console.log(labels[subject]);
  console.table(rows);
  console.log(`${summarize(rows, capacity)}\n`);
}
