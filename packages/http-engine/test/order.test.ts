/** Pipelined requests: answers in order, in few writes, and no more of them than the client reads. */
import { Socket } from 'node:net';
import { expect, test, vi } from 'vitest';
import type { Exchange } from '../src/index.ts';
import { get, post, serve } from './support/serve.ts';
import { passTurns } from './support/wire.ts';

/** Bodies of answers, each on a line. */
function linesOf(text: string): string[] {
  return [...text.matchAll(/<([^>]*)>/g)].map(([, line]) => line!);
}

const echo = (exchange: Exchange): void => exchange.respond(200, {}, `<${exchange.target}>`);

test('ten requests that come together are answered by one write', async () => {
  const write = vi.spyOn(Socket.prototype, 'write');
  const { connect } = await serve(echo);
  const client = await connect();
  client.socket.write(Array.from({ length: 10 }, (_, i) => get(`/${i}`)).join(''));
  await client.expectText('</9>');
  expect(linesOf(client.received)).toEqual(Array.from({ length: 10 }, (_, i) => `/${i}`));
  expect(write.mock.contexts.filter((socket) => socket !== client.socket)).toHaveLength(1);
  write.mockRestore();
});

test('answers that come later, in any order, leave in the order of the requests', async () => {
  const waiting: Exchange[] = [];
  const { connect } = await serve((exchange) => waiting.push(exchange));
  const client = await connect();
  client.send(get('/1') + get('/2') + get('/3') + get('/4'));
  await vi.waitFor(() => expect(waiting).toHaveLength(4));
  for (const index of [3, 1, 2]) waiting[index]!.respond(200, {}, `<${waiting[index]!.target}>`);
  await passTurns(5);
  expect(client.received).toBe('');
  waiting[0]!.respond(200, {}, '</1>');
  await client.expectText('</4>');
  expect(linesOf(client.received)).toEqual(['/1', '/2', '/3', '/4']);
});

test('answers by promises are collected, too', async () => {
  const write = vi.spyOn(Socket.prototype, 'write');
  const { connect } = await serve(async (exchange) => {
    await undefined;
    echo(exchange);
  });
  const client = await connect();
  client.socket.write(Array.from({ length: 10 }, (_, i) => get(`/${i}`)).join(''));
  await client.expectText('</9>');
  expect(write.mock.contexts.filter((socket) => socket !== client.socket).length).toBeLessThanOrEqual(2);
  write.mockRestore();
});

test('texts, bytes and streams of one connection keep their order', async () => {
  const { connect } = await serve((exchange) => {
    const kind = Number(exchange.target.slice(1)) % 4;
    if (kind === 0) exchange.respond(200, {}, `<${exchange.target}>`);
    if (kind === 1) exchange.respond(200, {}, Buffer.from(`<${exchange.target}>`));
    if (kind === 2) exchange.respond(200, { 'x-name': '\xfc' }, `<${exchange.target}> grüße`);
    if (kind === 3) {
      exchange.writeHead(200, { 'content-type': 'text/plain' });
      exchange.write(`<${exchange.target}`);
      setImmediate(() => exchange.end('>'));
    }
  });
  const client = await connect();
  const targets = Array.from({ length: 40 }, (_, i) => `/${i}`);
  client.send(targets.map((target) => get(target)).join(''));
  await client.expectText('</38>');
  await client.expectText('/39');
  const received = client.received.replaceAll(/\r\n1\r\n/g, '').replaceAll(/[0-9a-f]+\r\n</g, '<');
  expect(linesOf(received).slice(0, 39)).toEqual(targets.slice(0, 39));
});

test('ten thousand requests that come together are all answered, in order', async () => {
  const { connect, engine } = await serve(echo);
  const client = await connect();
  const targets = Array.from({ length: 10_000 }, (_, i) => `/${i}`);
  client.send(targets.map((target) => get(target)).join(''));
  await client.expectText('</9999>');
  expect(linesOf(client.received)).toEqual(targets);
  expect(engine.counters).toMatchObject({ requests: 10_000 });
  expect(engine.counters.handedOver).toEqual({});
});

test('ten thousand requests whose answers come later are all answered, in order', async () => {
  let most = 0;
  let running = 0;
  const { connect } = await serve(async (exchange) => {
    most = Math.max(most, ++running);
    await passTurns(1);
    running--;
    echo(exchange);
  });
  const client = await connect();
  const targets = Array.from({ length: 10_000 }, (_, i) => `/${i}`);
  client.send(targets.map((target) => get(target)).join(''));
  await client.expectText('</9999>');
  expect(linesOf(client.received)).toEqual(targets);
  expect(most).toBe(64);
});

test('a slow request holds up no more than those behind the limit', async () => {
  const waiting: Exchange[] = [];
  const { connect } = await serve((exchange) => waiting.push(exchange));
  const client = await connect();
  const targets = Array.from({ length: 70 }, (_, i) => `/${i}`);
  client.send(targets.map((target) => get(target)).join(''));
  await vi.waitFor(() => expect(waiting).toHaveLength(64));
  for (const exchange of waiting.slice(0, 3)) echo(exchange);
  await vi.waitFor(() => expect(waiting).toHaveLength(67));
  for (const exchange of waiting.slice(3)) echo(exchange);
  await vi.waitFor(() => expect(waiting).toHaveLength(70));
  for (const exchange of waiting.slice(67)) echo(exchange);
  await client.expectText('</69>');
  expect(linesOf(client.received)).toEqual(targets);
});

test('what only node serves waits for all answers before it, and what is behind it keeps its place', async () => {
  const { connect, engine } = await serve(async (exchange) => {
    await passTurns(3);
    exchange.readBody(
      (body) => exchange.respond(200, {}, `<${exchange.target} ${exchange.lane} ${body}>`),
      () => {},
    );
  });
  const client = await connect();
  const chunked =
    'POST /chunked HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n';
  client.send(get('/1').repeat(200) + chunked + get('/2').repeat(200));
  await client.expectText('</2 node >', 200);
  const lines = linesOf(client.received);
  expect(lines).toEqual([
    ...new Array(200).fill('/1 engine '),
    '/chunked node hello',
    ...new Array(200).fill('/2 node '),
  ]);
  expect(engine.counters).toMatchObject({ requests: 200, handedOver: { 'transfer-encoding': 1 } });
});

test('requests wait while the client does not read its answers', async () => {
  const payload = 'x'.repeat(100_000);
  const requests = 300;
  const { connect, engine } = await serve((exchange) => exchange.respond(200, {}, payload));
  const client = await connect();
  client.socket.pause();
  for (let i = 0; i < requests; i++) client.send(get(`/${i}`));
  await passTurns(200);
  // The kernel buffers at most a few megabytes for both ends.
  expect(engine.counters.requests).toBeLessThan(150);
  client.socket.resume();
  await client.expectLength(requests * payload.length);
  expect(engine.counters.requests).toBe(requests);
});

test('a handler that throws does not stop the requests after it', async () => {
  const errors: unknown[] = [];
  const { connect } = await serve((exchange) => {
    setImmediate(() => exchange.respond(200, {}, `<${exchange.target}>`));
    if (exchange.target === '/1') throw new Error('in the handler');
  });
  const listeners = process.listeners('uncaughtException');
  process
    .removeAllListeners('uncaughtException')
    .once('uncaughtException', (error) => errors.push(error.message));
  const client = await connect();
  client.send(get('/1') + get('/2') + post('body'));
  await client.expectText('</>');
  expect(linesOf(client.received)).toEqual(['/1', '/2', '/']);
  expect(errors).toEqual(['in the handler']);
  for (const listener of listeners) process.on('uncaughtException', listener);
});
