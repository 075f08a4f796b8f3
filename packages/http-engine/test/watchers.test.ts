/** Code that watches node's server sees all requests, because connections then go to node. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { EventEmitter } from 'node:events';
import { createServer, Server } from 'node:http';
import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { attach, type Exchange, type HandOverReason } from '../src/index.ts';
import { connectTo, get, serve } from './support/serve.ts';
import { listen, passTurns } from './support/wire.ts';

const originalEmit = EventEmitter.prototype.emit;

const answer = (exchange: Exchange): void => exchange.respond(200, {}, `by ${exchange.lane}`);

async function askOnce(port: number): Promise<string> {
  const client = await connectTo(port);
  client.send(get());
  return /by \w+$/.exec(await client.end())![0];
}

test('a second listener of requests sees requests', async () => {
  const { server, port, engine } = await serve(answer);
  expect(await askOnce(port)).toBe('by engine');
  const seen: unknown[] = [];
  server.on('request', (request) => seen.push(request.url));
  expect(await askOnce(port)).toBe('by node');
  expect(seen).toEqual(['/']);
  expect(engine.counters.handedOver).toEqual({ 'request-listener': 1 });
});

test('code may replace the listeners of requests, as socket.io does', async () => {
  const { server, port } = await serve(answer);
  const listeners = server.listeners('request');
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (request.url === '/mine') response.end('by mine');
    else for (const listener of listeners) listener.call(server, request, response);
  });
  expect(await askOnce(port)).toBe('by node');
});

test('a patched emit of the server sees requests', async () => {
  const { server, port, engine } = await serve(answer);
  const emit = vi.spyOn(server, 'emit');
  expect(await askOnce(port)).toBe('by node');
  expect(emit.mock.calls.map(([name]) => name)).toContain('request');
  expect(engine.counters.handedOver).toEqual({ emit: 1 });
});

for (const [owner, prototype] of Object.entries({
  "node's servers": Server.prototype,
  'all emitters': EventEmitter.prototype,
})) {
  test(`a patched emit of ${owner} sees requests, also on a connection that is open already`, async () => {
    const { server, port } = await serve(answer);
    const client = await connectTo(port);
    client.send(get());
    await client.expectText('by engine');
    const seen: unknown[] = [];
    const emit = vi.spyOn(prototype, 'emit').mockImplementation(function (
      this: EventEmitter,
      name: string | symbol,
      ...args: unknown[]
    ) {
      if (this === server) seen.push(name);
      return originalEmit.call(this, name, ...args);
    });
    onTestFinished(() => emit.mockRestore());
    expect(await askOnce(port)).toBe('by node');
    expect(seen).toContain('request');
    client.send(get());
    await client.expectText('by node');
    emit.mockRestore();
    expect(await askOnce(port)).toBe('by engine');
  });
}

for (const name of ['http.server.request.start', 'http.server.response.finish']) {
  test(`a subscriber of ${name} sees requests`, async () => {
    const { port } = await serve(answer);
    const seen: unknown[] = [];
    const listener = (message: unknown): void => void seen.push(message);
    subscribe(name, listener);
    onTestFinished(() => void unsubscribe(name, listener));
    expect(await askOnce(port)).toBe('by node');
    expect(seen).toHaveLength(1);
    unsubscribe(name, listener);
    expect(await askOnce(port)).toBe('by engine');
  });
}

test('a connection that is open already goes to node with its next request but a few', async () => {
  const { server, connect } = await serve(answer);
  const client = await connect();
  client.send(get());
  await client.expectText('by engine');
  const seen: unknown[] = [];
  server.on('request', (request) => seen.push(request.url));
  await vi.waitFor(
    async () => {
      client.send(get('/again'));
      await passTurns(3);
      expect(seen.length).toBeGreaterThan(0);
    },
    { timeout: 5000, interval: 100 },
  );
});

test('onHandOver is called for each connection that goes to node, with the reason', async () => {
  const reasons: HandOverReason[] = [];
  const { connect } = await serve(answer, { onHandOver: (reason) => reasons.push(reason) });
  const client = await connect();
  client.send(get());
  await client.expectText('by engine');
  client.send(get().replace('1.1', '1.0'));
  await client.closed;
  expect(reasons).toEqual(['version']);
});

test('streams that are not sockets are served by node', async () => {
  const { server, engine } = await serve(answer);
  const stream = new PassThrough();
  server.emit('connection', stream as never);
  expect(engine.counters.handedOver).toEqual({ socket: 1 });
  stream.destroy();
});

test('a second engine cannot be attached to a server', async () => {
  const server = createServer();
  attach(server, answer);
  expect(() => attach(server, answer)).toThrow(TypeError);
});

test('node serves a server again after its engine was detached', async () => {
  const server = createServer();
  const before = ['connection', 'request', 'listening'].map((name) => server.listeners(name));
  const engine = attach(server, answer);
  engine.detach();
  expect(['connection', 'request', 'listening'].map((name) => server.listeners(name))).toEqual(before);
  server.on('request', (_request, response) => response.end('by itself'));
  onTestFinished(() => void server.close());
  expect(await askOnce(await listen(server))).toBe('by itself');
});

test('other listeners of connections keep their places', async () => {
  const server = createServer();
  const order: string[] = [];
  server.prependListener('connection', () => order.push('before'));
  server.on('connection', () => order.push('behind'));
  attach(server, (exchange) => {
    order.push('request');
    answer(exchange);
  });
  onTestFinished(() => void server.close());
  await askOnce(await listen(server));
  expect(order).toEqual(['before', 'behind', 'request']);
});
