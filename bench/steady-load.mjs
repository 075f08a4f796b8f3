/**
 * Load at a steady rate: requests are sent when they are due, at random times, even if earlier ones have no response yet. A request's time
 * begins when it is due. So if a server stalls, the time of all requests that were due meanwhile includes the stall.
 */
import { connect } from 'node:net';
import { nextArrivalMs, randomFrom } from './random.mjs';

/** How long a client waits for a response. */
const patienceMs = 2_000;

/** One connection. It sends a request when the one before has its response. */
class Connection {
  #socket;
  #settle;
  #timer;
  #received = '';
  isBroken = false;

  constructor(port) {
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
    this.#socket.on('data', (text) => this.#append(text));
    this.#socket.on('error', () => this.close());
    this.#socket.on('close', () => this.close());
  }

  /** @param {(status: number) => void} settle Called with the status, or with 0 if there is no response in time. */
  send(request, waitMs, settle) {
    this.#settle = settle;
    this.#timer = setTimeout(() => this.close(), waitMs);
    this.#socket.write(request);
  }

  /** The servers under steady load send every response with its length. */
  #append(text) {
    this.#received += text;
    const headEnd = this.#received.indexOf('\r\n\r\n');
    if (headEnd < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#received)?.[1] ?? 0);
    if (this.#received.length < headEnd + 4 + length) return;
    const status = Number(this.#received.slice(9, 12));
    if (/connection: close/i.test(this.#received)) this.isBroken = true;
    this.#received = '';
    this.#finish(status);
  }

  #finish(status) {
    clearTimeout(this.#timer);
    const settle = this.#settle;
    this.#settle = undefined;
    settle?.(status);
  }

  close() {
    this.isBroken = true;
    this.#socket.destroy();
    this.#finish(0);
  }
}

/**
 * Sends requests with a mean rate. Connections are kept open, as by a load balancer, because Node accepts only one new connection in each
 * turn of its event loop.
 *
 * @returns `durationsMs` by status, with status 0 for requests without a response in time; `delaysMs` says of each request that was sent
 *   how late; `servedInTime` counts the responses with status 200 before the last request was due: later, the load is lower.
 */
export async function loadAtRate(port, request, perSecond, seconds, connectionCount = 500) {
  const random = randomFrom(1);
  /** @type {Record<number, number[]>} */
  const durationsMs = {};
  const delaysMs = [];
  let servedInTime = 0;
  let openRequests = 0;
  /** The due times of requests that wait for a free connection. */
  const waiting = [];
  const connections = [];
  const open = () => {
    const connection = new Connection(port);
    connections.push(connection);
    return connection;
  };
  const free = Array.from({ length: connectionCount }, open);
  await new Promise((resolve) => setTimeout(resolve, 1_000));

  let dueMs = performance.now();
  const endMs = dueMs + seconds * 1_000;
  const finish = (status, ofMs) => {
    const nowMs = performance.now();
    if (status === 200 && nowMs <= endMs) servedInTime++;
    durationsMs[status] ??= [];
    durationsMs[status].push(nowMs - ofMs);
  };
  const send = (connection, ofMs) => {
    const lateMs = performance.now() - ofMs;
    delaysMs.push(lateMs);
    openRequests++;
    connection.send(request, patienceMs - lateMs, (status) => {
      openRequests--;
      finish(status, ofMs);
      free.push(connection.isBroken ? open() : connection);
    });
  };
  while (performance.now() < endMs || openRequests > 0 || waiting.length > 0) {
    const nowMs = performance.now();
    for (; dueMs <= nowMs && dueMs < endMs; dueMs += nextArrivalMs(random, perSecond)) waiting.push(dueMs);
    while (waiting.length > 0 && waiting[0] < nowMs - patienceMs) finish(0, waiting.shift());
    while (waiting.length > 0 && free.length > 0) send(free.pop(), waiting.shift());
    await new Promise(setImmediate);
  }
  for (const connection of connections) connection.close();
  return { durationsMs, delaysMs, servedInTime };
}
