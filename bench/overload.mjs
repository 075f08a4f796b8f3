// The overload benchmark: how many requests a server still serves, and how fast, when it receives more than it can serve.
//
//   node bench/overload.mjs [--subjects ambit,nothing]
//
// The server uses one processor core, this process the other. First, it measures the capacity of a server without protection, with a few
// connections that are never idle. Then it sends the same loads to all servers, as percentages of this capacity. Requests are sent when
// they are due, even if earlier ones have no response yet. It takes three minutes. Run it on a machine that does nothing else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findCapacity, loadAtRate } from './overload/load.mjs';
import { isPinned, onServerCore } from './pinning.mjs';

const subjects = {
  ambit: 'Ambit, overload: true',
  nothing: 'no protection',
  'under-pressure': 'Fastify, @fastify/under-pressure',
  'under-pressure-tuned': 'the same, tuned',
};
const warmUpPercent = 50;
const percents = [80, 100, 200, 300];
const seconds = 6;
const warmUpSeconds = 3;
const serverScript = fileURLToPath(new URL('./overload/server.mjs', import.meta.url));

/** Starts a server, passes its port to `use`, and stops it. */
async function withServer(subject, use) {
  const [command, ...args] = [...onServerCore(process.execPath), serverScript, subject];
  const server = spawn(command, args, { stdio: ['ignore', 2, 2, 'ipc'] });
  const exit = once(server, 'exit');
  try {
    const [port] = await Promise.race([
      once(server, 'message'),
      exit.then(([code]) => Promise.reject(new Error(`the server ${subject} ended with ${code}`))),
    ]);
    return await use(port);
  } finally {
    server.kill();
    await exit;
  }
}

/** The capacity in requests per second. It is measured without protection, because a server with protection would reject some requests. */
function measureCapacity() {
  return withServer('nothing', async (port) => {
    await findCapacity(port, warmUpSeconds);
    return findCapacity(port, warmUpSeconds);
  });
}

function measure(subject, capacity) {
  return withServer(subject, async (port) => {
    const load = (percent, forSeconds) => loadAtRate(port, (capacity * percent) / 100, forSeconds);
    await load(warmUpPercent, warmUpSeconds);
    const rows = [];
    for (const percent of percents) rows.push({ percent, ...(await load(percent, seconds)) });
    return { subject, rows };
  });
}

/** The two figures that show the effect of overload protection, at three times the capacity. */
function summarize({ rows }, capacity) {
  const peak = Math.max(capacity, ...rows.map(({ servedPerSecond }) => servedPerSecond));
  const [normal, overloaded] = [rows[0], rows.at(-1)];
  const goodput = Math.round((overloaded.servedPerSecond / peak) * 100);
  const slower = (overloaded.p99Ms / normal.p99Ms).toFixed(1);
  return `at ${overloaded.percent} %: ${goodput} % of the peak is served, the p99 is ${slower} times that at ${normal.percent} %`;
}

function report(result, capacity) {
  console.log(subjects[result.subject]);
  console.table(
    result.rows.map((row) => ({
      load: `${row.percent} %`,
      served: Math.round(row.servedPerSecond),
      'of capacity': `${Math.round((row.servedPerSecond / capacity) * 100)} %`,
      'median ms': Number(row.medianMs.toFixed(1)),
      'p99 ms': Number(row.p99Ms.toFixed(1)),
      refused: row.refused,
      lost: row.lost,
      'sent late, p99 ms': Number(row.lateMs.toFixed(1)),
    })),
  );
  console.log(`${summarize(result, capacity)}\n`);
}

const { values } = parseArgs({
  options: {
    subjects: { type: 'string', default: Object.keys(subjects).join() },
  },
});
if (!isPinned) console.log('The server and this process share their cores: the figures say little.');
const capacity = await measureCapacity();
console.log(`Node ${process.version}, capacity without protection: ${Math.round(capacity)} requests/s\n`);
for (const subject of values.subjects.split(',')) {
  report(await measure(subject, capacity), capacity);
}
