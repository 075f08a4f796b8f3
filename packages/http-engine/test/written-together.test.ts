/** Responses of several connections are written together: each reaches its client, whatever happens meanwhile. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WriteBatch } from '../src/batches.ts';
import type { Exchange } from '../src/index.ts';
import { connectTo, get, serve } from './support/serve.ts';
import { passTurns } from './support/wire.ts';

const clientCount = 70;

/** Sends a request on each of many connections, all in the same turn. Returns the bodies that came back. */
async function askTogether(port: number): Promise<string[]> {
  const clients = await Promise.all(Array.from({ length: clientCount }, () => connectTo(port)));
  for (const [i, client] of clients.entries()) client.send(get(`/${i}`));
  return Promise.all(clients.map(async (client) => /<.*>/.exec(await client.expectText('>'))![0]));
}

const ownBodies = Array.from({ length: clientCount }, (_, i) => `</${i}>`);
const echo = (exchange: Exchange): void => exchange.respond(200, {}, `<${exchange.target}>`);

/** When handlers respond: at once, or in a later microtask. */
const ways = {
  'at once': (respond: () => void) => respond(),
  later: (respond: () => void) => queueMicrotask(respond),
};

describe.each(Object.entries(ways))('handlers that respond %s', (way, go) => {
  test('every client gets the response to its own request', async () => {
    const { port } = await serve((exchange) => go(() => echo(exchange)));
    expect(await askTogether(port)).toEqual(ownBodies);
  });

  test('a server that is closed while responses wait sends them', async () => {
    let served = 0;
    const { port, server } = await serve((exchange) =>
      go(() => {
        echo(exchange);
        if (++served === clientCount) server.close();
      }),
    );
    expect(await askTogether(port)).toEqual(ownBodies);
  });

  test('a handler that ends the socket after its response does not lose the response', async () => {
    const { port } = await serve((exchange) =>
      go(() => {
        echo(exchange);
        exchange.socket.end();
      }),
    );
    expect(await askTogether(port)).toEqual(ownBodies);
  });

  test('a handler that destroys the connection after its response does not lose the response', async () => {
    const { port } = await serve((exchange) =>
      go(() => {
        echo(exchange);
        exchange.destroy();
      }),
    );
    expect(await askTogether(port)).toEqual(ownBodies);
  });

  test('a process that exits after its response sends it', async () => {
    const program = fileURLToPath(new URL('fixtures/exiting-program.mjs', import.meta.url));
    const child = fork(program, [way]);
    onTestFinished(() => void child.kill());
    const [port] = await once(child, 'message');
    const client = await connectTo(port as number);
    client.send(get());
    expect(await client.expectText('<goodbye>')).toContain('HTTP/1.1 200 OK');
  });

  test('a client that ends its side after its request gets the response', async () => {
    const { connect } = await serve((exchange) => go(() => echo(exchange)));
    const client = await connect();
    client.send(get('/only'));
    expect(await client.end()).toContain('</only>');
  });

  test('listeners of the end of a response run in the async context of that response', async () => {
    const storage = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const { port } = await serve((exchange) => {
      exchange.onFinished(() => seen.push(storage.getStore()));
      storage.run(exchange.target, () => go(() => echo(exchange)));
    });
    await askTogether(port);
    expect(seen.toSorted()).toEqual(Array.from({ length: clientCount }, (_, i) => `/${i}`).toSorted());
  });
});

test('if one writer throws, the error surfaces and the others still write', async () => {
  const written: number[] = [];
  const batch = new WriteBatch();
  const add = (settle: () => void): void => void setImmediate(() => batch.add({ settle }));
  const failed = new Promise((resolve) => {
    process.setUncaughtExceptionCaptureCallback(resolve);
    onTestFinished(() => process.setUncaughtExceptionCaptureCallback(null));
  });
  add(() => written.push(1));
  add(() => written.push(2));
  add(() => {
    throw new Error('a listener failed');
  });
  add(() => written.push(3));
  expect(await failed).toEqual(new Error('a listener failed'));
  await passTurns(3);
  expect(written).toEqual([1, 2, 3]);
});
