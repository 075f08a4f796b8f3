/** Many connections, and clients that do not read or do not continue: limits apply, and memory and descriptors are released. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test, vi } from 'vitest';
import type { Exchange } from '../src/index.ts';
import { get, type Served, serve } from './support/serve.ts';
import { Client } from './support/wire.ts';

const longTimeout = { timeout: 20_000 };

async function countConnections({ server }: Served): Promise<number> {
  return new Promise((resolve) => server.getConnections((_error, count) => resolve(count)));
}

async function expectNoConnections(served: Served): Promise<void> {
  await vi.waitFor(async () => expect(await countConnections(served)).toBe(0), longTimeout);
}

/** The clients are closed by the test, which must not keep their memory until its end. */
async function connectMany({ port }: Served, count: number): Promise<Client[]> {
  const clients: Client[] = [];
  while (clients.length < count) {
    const more = Array.from({ length: 100 }, () => new Client(port).open());
    clients.push(...(await Promise.all(more)));
  }
  return clients;
}

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Of the objects and buffers that are in use. */
function readMemoryBytes(): number {
  for (let i = 0; i < 3; i++) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function countDescriptors(): number {
  return readdirSync('/proc/self/fd').length;
}

/** In a process of its own, because half of the descriptors belong to the clients. */
const idleClients = fileURLToPath(new URL('fixtures/idle-clients.mjs', import.meta.url));

/** Opens this many idle connections at the same time, and waits until their time limit has ended all of them. */
async function openAndAwaitEnd(served: Served, count: number): Promise<void> {
  const { server, engine, port } = served;
  const requests = engine.counters.requests + count;
  Object.assign(server, { keepAliveTimeout: 0, keepAliveTimeoutBuffer: 0 });
  const clients = promisify(execFile)(process.execPath, [idleClients, String(port), String(count)]);
  await vi.waitFor(() => expect(engine.counters.requests).toBe(requests), { timeout: 60_000 });
  expect(await countConnections(served)).toBe(count);
  server.keepAliveTimeout = 500;
  expect((await clients).stdout).toBe(`${count}\n`);
  await expectNoConnections(served);
}

test('ten thousand idle connections end at their limit, and give their memory and descriptors back', async () => {
  const served = await serve((exchange) => exchange.respond(200, {}, 'done'));
  await openAndAwaitEnd(served, 500);
  const before = { memoryBytes: readMemoryBytes(), descriptors: countDescriptors() };
  await openAndAwaitEnd(served, 10_000);
  // If the engine alone kept them, they would take 20 MB.
  expect(readMemoryBytes() - before.memoryBytes).toBeLessThan(5_000_000);
  expect(countDescriptors() - before.descriptors).toBeLessThan(100);
  expect(served.engine.counters.handedOver).toEqual({});
}, 120_000);

test('memory that a flood of heads, bodies and pipelined requests took is given back', async () => {
  const served = await serve((exchange) => exchange.respond(200, {}, 'x'.repeat(10_000)));
  const flood = async (): Promise<void> => {
    const clients = await connectMany(served, 200);
    for (const [i, client] of clients.entries()) {
      client.send(get(`/${i}`, `X-Long: ${'y'.repeat(10_000)}\r\n`));
      client.send(get().repeat(20));
      client.send(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n${'z'.repeat(50_000)}`);
    }
    await Promise.all(clients.map((client) => client.expectText('x'.repeat(10_000), 22)));
    for (const client of clients) client.socket.resetAndDestroy();
    await Promise.all(clients.map(({ closed }) => closed));
    await expectNoConnections(served);
  };
  await flood();
  const before = readMemoryBytes();
  for (let i = 0; i < 3; i++) await flood();
  // One flood takes more than 50 MB.
  expect(readMemoryBytes() - before).toBeLessThan(5_000_000);
}, 120_000);

test('a client that resets while it does not read its answers leaves nothing behind', async () => {
  const served = await serve((exchange) => exchange.respond(200, {}, Buffer.alloc(1_000_000)));
  const client = await served.connect();
  client.socket.pause();
  client.send(get().repeat(100));
  await vi.waitFor(() => expect(served.engine.counters.requests).toBeGreaterThan(1), longTimeout);
  client.socket.resetAndDestroy();
  await expectNoConnections(served);
  expect(served.engine.counters.requests).toBeLessThan(100);
});

test('a client that resets before a request that waits for node leaves nothing behind', async () => {
  const exchanges: Exchange[] = [];
  const served = await serve((exchange) => exchanges.push(exchange));
  const client = await served.connect();
  client.send(`${get()}GET / HTTP/1.0\r\nHost: a\r\n\r\n`);
  await vi.waitFor(() => expect(exchanges).toHaveLength(1), longTimeout);
  client.socket.resetAndDestroy();
  await expectNoConnections(served);
  expect(exchanges[0]!.isDestroyed).toBe(true);
  expect(served.engine.counters.handedOver).toEqual({});
});

test('a body that nobody reads ends at the limit for requests', async () => {
  const served = await serve(() => {}, {
    prepare: (server) => Object.assign(server, { headersTimeout: 0, requestTimeout: 500 }),
  });
  const client = await served.connect();
  client.send(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(500_000)}`);
  await client.closed;
  expect(client.received).toBe('HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n');
  await expectNoConnections(served);
});
