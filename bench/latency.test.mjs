// Proves that the steady load sends the requested number of requests, and measures latency from the time when a request
// was due.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterEach, expect, test } from 'vitest';
import { loadAtRate } from './latency.mjs';
import { scenarios } from './scenarios.mjs';

/** @type {import('node:http').Server | undefined} */
let server;
afterEach(() => server?.close());

async function serve(/** @type {import('node:http').RequestListener} */ listener) {
  server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}

test('the number of requests is the rate multiplied by the time', async () => {
  let count = 0;
  const port = await serve((_request, response) => {
    count++;
    response.end('{}');
  });
  const waits = await loadAtRate(port, scenarios.get, 500, 1);
  expect([waits.length, count]).toEqual([500, 500]);
  expect(waits.every((wait) => wait > 0)).toBe(true);
});

test('a wrong status ends the load', async () => {
  const port = await serve((_request, response) => response.writeHead(500).end());
  await expect(loadAtRate(port, scenarios.get, 10, 1)).rejects.toThrow('status 500');
});
