// Proves that the steady load has its rate, measures from the time when a request was due, and sees every status.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { writeRequest } from './scenarios.mjs';
import { loadAtRate } from './steady-load.mjs';

/** @type {import('node:http').Server | undefined} */
let server;
afterEach(() => server?.close());

async function load(/** @type {import('node:http').RequestListener} */ listener, connections) {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return loadAtRate(server.address().port, writeRequest({ path: '/' }), 500, 1, connections);
}

test('the mean rate is the requested one, and the times are those of the responses', async () => {
  const { durationsMs, delaysMs } = await load((_request, response) => response.end('{}'), 8);
  expect(Object.keys(durationsMs)).toEqual(['200']);
  expect(Math.abs(durationsMs[200].length - 500)).toBeLessThan(100);
  expect(delaysMs).toHaveLength(durationsMs[200].length);
});

test('other statuses and broken connections are counted, and the load goes on', async () => {
  let count = 0;
  const { durationsMs } = await load((request, response) => {
    if (++count === 10) request.socket.destroy();
    else response.writeHead(count % 2 === 0 ? 503 : 200, { 'content-length': 0 }).end();
  }, 8);
  expect(Object.keys(durationsMs)).toEqual(['0', '200', '503']);
  expect(durationsMs[0]).toHaveLength(1);
});
