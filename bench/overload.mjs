// Owns the overload benchmark: what a server still serves, and how fast, when more requests come than it can serve.
//
//   node bench/overload.mjs [--write]
//
// The server has one processor core, this process the other. It finds the capacity with a few connections that are never
// idle, then sends requests when they are due, whether earlier ones have an answer or not. --write draws
// docs/benchmarks/overload.svg. Run it on a machine that does nothing else. It needs the install of `ecosystem`, which
// `npm run test:ecosystem` makes.
import { execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { drawChart } from './report/chart.mjs';
import { quantile } from './statistics.mjs';

const subjects = {
  nothing: 'no protection',
  'under-pressure': 'Fastify with @fastify/under-pressure',
  ambit: 'Ambit with overload: true',
};
const percents = [80, 100, 200, 300];
const seconds = 6;
const warmUpSeconds = 3;
const patienceMs = 2_000;
/** As behind a balancer that keeps its connections: node accepts only one new connection in each turn of its event loop. */
const connectionCount = 500;
const request = Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');

/** One connection: it sends a request when the one before has its answer. */
class Connection {
  #socket;
  #settle;
  #timer;
  #received = '';
  /** Called when the connection can take another request. */
  onFree = () => {};
  isBroken = false;

  constructor(port) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text) => this.#take(text));
    this.#socket.on('error', () => this.#end(0));
    this.#socket.on('close', () => this.#end(0));
  }

  /** @param {(status: number) => void} settle Gets 0 if there is no answer in time. */
  send(settle) {
    this.#settle = settle;
    this.#timer = setTimeout(() => this.#end(0), patienceMs);
    this.#socket.write(request);
  }

  #take(text) {
    this.#received += text;
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#received)?.[1] ?? 0);
    if (this.#received.length < head + 4 + length) return;
    const status = Number(this.#received.slice(9, 12));
    const isLast = /connection: close/i.test(this.#received);
    this.#received = '';
    if (isLast) this.isBroken = true;
    this.#finish(status);
  }

  #end(status) {
    this.isBroken = true;
    this.#socket.destroy();
    this.#finish(status);
  }

  #finish(status) {
    clearTimeout(this.#timer);
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(status);
    if (settle !== undefined) this.onFree(this);
  }

  close() {
    this.onFree = () => {};
    this.#settle = undefined;
    clearTimeout(this.#timer);
    this.isBroken = true;
    this.#socket.destroy();
  }
}

/** Requests per second with connections that are never idle: the most that the server serves. */
async function findCapacity(port, forSeconds) {
  const endMs = performance.now() + forSeconds * 1_000;
  let served = 0;
  const run = (connection) =>
    new Promise((resolve) => {
      const next = () => {
        if (performance.now() >= endMs) resolve(undefined);
        else
          connection.send((status) => {
            if (status === 200) served++;
            setImmediate(next);
          });
      };
      next();
    });
  const connections = Array.from({ length: 6 }, () => new Connection(port));
  await Promise.all(connections.map(run));
  for (const connection of connections) connection.close();
  return served / forSeconds;
}

/** Sends requests at random times with a mean rate, and waits for none. */
async function load(port, perSecond) {
  const random = randomFrom(1);
  const durations = [];
  let refused = 0;
  let lost = 0;
  let open = 0;
  /** When requests were due for which there is no free connection yet. */
  const waiting = [];
  const free = [];
  const all = [];
  const connectAnew = () => {
    const connection = new Connection(port);
    connection.onFree = (each) => {
      if (each.isBroken) connectAnew();
      else free.push(each);
    };
    all.push(connection);
    free.push(connection);
  };
  for (let i = 0; i < connectionCount; i++) connectAnew();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const send = (connection, dueMs) => {
    open++;
    connection.send((status) => {
      open--;
      if (status === 200) durations.push(performance.now() - dueMs);
      else if (status === 503) refused++;
      else lost++;
    });
  };
  const endMs = performance.now() + seconds * 1_000;
  let dueMs = performance.now();
  while (performance.now() < endMs || open > 0 || waiting.length > 0) {
    const nowMs = performance.now();
    for (; dueMs <= nowMs && dueMs < endMs; dueMs += (-Math.log(1 - random()) / perSecond) * 1_000)
      waiting.push(dueMs);
    while (waiting.length > 0 && waiting[0] < nowMs - patienceMs) {
      waiting.shift();
      lost++;
    }
    while (waiting.length > 0 && free.length > 0) send(free.pop(), waiting.shift());
    await new Promise(setImmediate);
  }
  for (const connection of all) connection.close();
  const p99Ms = durations.length === 0 ? 0 : quantile(Float64Array.from(durations).sort(), 0.99);
  return { servedPerSecond: durations.length / seconds, p99Ms, refused, lost };
}

/** Numbers from 0 to 1, the same ones in each run (mulberry32). */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

async function measure(subject) {
  const server = fork(new URL('./overload-server.mjs', import.meta.url), [subject]);
  try {
    const [port] = await once(server, 'message');
    execFileSync('taskset', ['-acp', '0', String(server.pid)]);
    await findCapacity(port, warmUpSeconds);
    const capacity = await findCapacity(port, warmUpSeconds);
    const rows = [];
    for (const percent of percents) rows.push({ percent, ...(await load(port, (capacity * percent) / 100)) });
    return { subject, capacity, rows };
  } finally {
    server.kill();
    await once(server, 'exit');
  }
}

execFileSync('taskset', ['-acp', '1', String(process.pid)]);
const results = [];
for (const subject of Object.keys(subjects)) {
  const result = await measure(subject);
  results.push(result);
  console.log(`${subjects[subject]}: capacity ${Math.round(result.capacity)} requests/s`);
  console.table(
    result.rows.map((row) => ({
      load: `${row.percent} %`,
      served: Math.round(row.servedPerSecond),
      'of capacity': `${Math.round((row.servedPerSecond / result.capacity) * 100)} %`,
      'p99 ms': Math.round(row.p99Ms),
      refused: row.refused,
      lost: row.lost,
    })),
  );
}
if (process.argv.includes('--write')) write();

function write() {
  const series = { a: 'no protection', b: 'under-pressure', c: 'Ambit' };
  const keys = Object.keys(series);
  const chart = {
    title: 'Requests served in time, by load',
    axis: '% of the capacity (more is better)',
    series,
    groups: percents.map((percent, i) => ({
      label: `load ${percent} %`,
      bars: results.map(({ subject, capacity, rows }, at) => ({
        label: subject,
        series: keys[at],
        value: (rows[i].servedPerSecond / capacity) * 100,
      })),
    })),
  };
  writeFileSync(new URL('../docs/benchmarks/overload.svg', import.meta.url), drawChart(chart));
}
