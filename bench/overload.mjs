// Owns the overload benchmark: what a server still serves, and how fast, when more requests come than it can serve.
//
//   node bench/overload.mjs [--subjects nothing,under-pressure,ambit] [--write]
//
// The server has one processor core, this process the other. It finds the capacity with a few connections that are never idle, then sends requests
// when they are due, whether earlier ones have an answer or not. It takes two and a half minutes. --write draws docs/benchmarks/overload.svg and
// overload-p99.svg. Run it on a machine that does nothing else. It needs the install of `ecosystem`, which `npm run test:ecosystem` makes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { findCapacity, loadAtRate } from './overload/load.mjs';
import { isPinned, onServerCore } from './pinning.mjs';
import { drawChart } from './report/chart.mjs';

const subjects = {
  nothing: 'no protection',
  'under-pressure': 'Fastify with @fastify/under-pressure',
  ambit: 'Ambit with overload: true',
};
const percents = [80, 100, 200, 300];
const seconds = 6;
const warmUpSeconds = 3;
const serverScript = fileURLToPath(new URL('./overload/server.mjs', import.meta.url));

async function measure(subject) {
  const [command, ...args] = [...onServerCore(process.execPath), serverScript, subject];
  const server = spawn(command, args, { stdio: ['ignore', 2, 2, 'ipc'] });
  try {
    const [port] = await once(server, 'message');
    await findCapacity(port, warmUpSeconds);
    const capacity = await findCapacity(port, warmUpSeconds);
    const rows = [];
    for (const percent of percents)
      rows.push({ percent, ...(await loadAtRate(port, (capacity * percent) / 100, seconds)) });
    return { subject, capacity, rows };
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

/** What is claimed of overload protection, at three times the capacity. */
function summarize({ capacity, rows }) {
  const peak = Math.max(capacity, ...rows.map(({ servedPerSecond }) => servedPerSecond));
  const [normal, overloaded] = [rows[0], rows.at(-1)];
  const goodput = Math.round((overloaded.servedPerSecond / peak) * 100);
  const slower = (overloaded.p99Ms / normal.p99Ms).toFixed(1);
  return `at ${overloaded.percent} %: ${goodput} % of the peak is served, the p99 is ${slower} times that at ${normal.percent} %`;
}

function report(result) {
  console.log(`${subjects[result.subject]}: capacity ${Math.round(result.capacity)} requests/s`);
  console.table(
    result.rows.map((row) => ({
      load: `${row.percent} %`,
      served: Math.round(row.servedPerSecond),
      'of capacity': `${Math.round((row.servedPerSecond / result.capacity) * 100)} %`,
      'p99 ms': Number(row.p99Ms.toFixed(1)),
      refused: row.refused,
      lost: row.lost,
    })),
  );
  console.log(`${summarize(result)}\n`);
}

/** A bar for each subject and load. */
function write(file, title, axis, results, pickValue) {
  const keys = ['a', 'b', 'c'];
  const series = Object.fromEntries(results.map(({ subject }, i) => [keys[i], subjects[subject]]));
  const groups = percents.map((percent, i) => ({
    label: `load ${percent} %`,
    bars: results.map((result, at) => ({
      label: result.subject,
      series: keys[at],
      value: pickValue(result, result.rows[i]),
    })),
  }));
  const url = new URL(`../docs/benchmarks/${file}.svg`, import.meta.url);
  writeFileSync(url, drawChart({ title, axis, series, groups }));
}

const { values } = parseArgs({
  options: {
    subjects: { type: 'string', default: Object.keys(subjects).join() },
    write: { type: 'boolean', default: false },
  },
});
if (!isPinned) console.log('The server and this process share their cores: the figures say little.');
const results = [];
for (const subject of values.subjects.split(',')) {
  results.push(await measure(subject));
  report(results.at(-1));
}
if (values.write) {
  const share = ({ capacity }, row) => (row.servedPerSecond / capacity) * 100;
  write('overload', 'Requests served in time, by load', '% of the capacity (more is better)', results, share);
  const time = (_result, row) => row.p99Ms;
  write('overload-p99', 'p99 of what is served, by load', 'milliseconds (less is better)', results, time);
}
