// The load of the overload benchmark: the maximum that a server can serve, or a constant rate.
import { nextArrivalMs, randomFrom } from '../random.mjs';
import { quantile } from '../statistics.mjs';
import { Connection, patienceMs } from './connection.mjs';

/** Connections are kept open, as by a load balancer, because Node accepts only one new connection in each turn of its event loop. */
const connectionCount = 500;

/** The maximum rate of a server in requests per second, measured with connections that are never idle. */
export async function findCapacity(port, forSeconds) {
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

/**
 * Sends requests when they are due, at random times with a mean rate, even if earlier ones have no response yet. The duration of a request
 * begins when it was due.
 */
export async function loadAtRate(port, perSecond, seconds) {
  const random = randomFrom(1);
  const durations = [];
  /** For each request, how late it was sent. */
  const delays = [];
  /** How many responses arrived before the last request was due. Later ones do not count, because the load is lower then. */
  let servedInTime = 0;
  let refused = 0;
  let lost = 0;
  let open = 0;
  /** The due times of requests that wait for a free connection. */
  const waiting = [];
  const free = [];
  const all = [];
  const openConnection = () => {
    const connection = new Connection(port);
    connection.onFree = (released) => {
      if (released.isBroken) openConnection();
      else free.push(released);
    };
    all.push(connection);
    free.push(connection);
  };
  for (let i = 0; i < connectionCount; i++) openConnection();
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const endMs = performance.now() + seconds * 1_000;
  const send = (connection, dueMs) => {
    open++;
    const lateMs = performance.now() - dueMs;
    delays.push(lateMs);
    connection.send((status) => {
      open--;
      const nowMs = performance.now();
      if (status === 200) {
        durations.push(nowMs - dueMs);
        if (nowMs <= endMs) servedInTime++;
      } else if (status === 503) refused++;
      else lost++;
    }, patienceMs - lateMs);
  };
  let dueMs = performance.now();
  while (performance.now() < endMs || open > 0 || waiting.length > 0) {
    const nowMs = performance.now();
    for (; dueMs <= nowMs && dueMs < endMs; dueMs += nextArrivalMs(random, perSecond)) waiting.push(dueMs);
    while (waiting.length > 0 && waiting[0] < nowMs - patienceMs) {
      waiting.shift();
      lost++;
    }
    while (waiting.length > 0 && free.length > 0) send(free.pop(), waiting.shift());
    await new Promise(setImmediate);
  }
  for (const connection of all) connection.close();
  return {
    servedPerSecond: servedInTime / seconds,
    medianMs: quantileOf(durations, 0.5),
    p99Ms: quantileOf(durations, 0.99),
    lateMs: quantileOf(delays, 0.99),
    refused,
    lost,
  };
}

function quantileOf(values, part) {
  return values.length === 0 ? 0 : quantile(Float64Array.from(values), part);
}
