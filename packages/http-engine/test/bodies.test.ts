/** Bodies: whole or as streams, early, late, never read, and cut off. */
import { createHash } from 'node:crypto';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { expect, test, vi } from 'vitest';
import type { Exchange } from '../src/index.ts';
import { get, post, serve } from './support/serve.ts';
import { passTurns } from './support/wire.ts';

function digest(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

const head = (length: number): string => `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${length}\r\n\r\n`;
const fail = (exchange: Exchange) => (): void => exchange.destroy();

const readers: Readonly<Record<string, (exchange: Exchange) => void>> = {
  whole: (exchange) => exchange.readBody((body) => exchange.respond(200, {}, digest(body)), fail(exchange)),
  'whole, asked for later': (exchange) => {
    setTimeout(
      () => exchange.readBody((body) => exchange.respond(200, {}, digest(body)), fail(exchange)),
      20,
    );
  },
  'as a stream': async (exchange) => exchange.respond(200, {}, digest(await buffer(exchange.bodyStream))),
  'as a stream, later': async (exchange) => {
    await passTurns(20);
    exchange.respond(200, {}, digest(await buffer(exchange.bodyStream)));
  },
  'as a stream that is asked for, and read whole': (exchange) => {
    expect(exchange.rawRequest.method).toBe('POST');
    exchange.readBody((body) => exchange.respond(200, {}, digest(body)), fail(exchange));
  },
};

for (const [way, read] of Object.entries(readers)) {
  for (const length of [0, 1, 1000, 65_535, 65_536, 65_537, 3_000_000]) {
    test(`a body of ${length} bytes is read ${way}, and the connection serves the next request`, async () => {
      const body = Buffer.from(Array.from({ length }, (_, i) => i % 251));
      const { connect, engine } = await serve(read);
      const client = await connect();
      for (let i = 1; i <= 2; i++) {
        client.send(head(length));
        client.send(body);
        await client.expectText(digest(body), i);
      }
      expect(engine.counters).toMatchObject({ connections: 1, requests: 2 });
      expect(engine.counters.handedOver).toEqual({});
    });
  }
}

for (const [maxBytes, expected] of [
  [5, 'hello'],
  [4, 'ERR_BODY_TOO_LONG'],
] as const) {
  for (const framing of [
    'Content-Length: 5\r\n\r\nhello',
    'Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n',
  ]) {
    test(`a body of 5 bytes, read up to ${maxBytes}, is ${expected}, ${framing.slice(0, 8)}`, async () => {
      const { connect } = await serve((exchange) =>
        exchange.readBody(
          (body) => exchange.respond(200, {}, `<${body}>`),
          (error) => exchange.respond(413, {}, `<${(error as Error & { code: string }).code}>`),
          maxBytes,
        ),
      );
      const client = await connect();
      client.send(`POST / HTTP/1.1\r\nHost: a\r\n${framing}`);
      await client.expectText(`<${expected}>`);
    });
  }
}

test('a client waits while nobody reads its body', async () => {
  const { connect, server } = await serve(() => {});
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  const client = await connect();
  const body = Buffer.alloc(20_000_000, 'x');
  client.send(head(body.length));
  client.send(body);
  await passTurns(300);
  expect(sockets[0]!.bytesRead).toBeLessThan(1_000_000);
});

test('a stream that is not read makes the client wait, and goes on when it is', async () => {
  const exchanges: Exchange[] = [];
  const { connect, server } = await serve((exchange) => exchanges.push(exchange));
  const sockets: Socket[] = [];
  server.on('connection', (socket: Socket) => sockets.push(socket));
  const client = await connect();
  const body = Buffer.alloc(20_000_000, 'x');
  client.send(head(body.length));
  client.send(body);
  await vi.waitFor(() => expect(exchanges).toHaveLength(1));
  const stream = exchanges[0]!.bodyStream;
  stream.once('readable', () => {});
  await passTurns(300);
  expect(sockets[0]!.bytesRead).toBeLessThan(1_000_000);
  expect((await buffer(stream)).length).toBe(body.length);
  exchanges[0]!.respond(200, {}, 'read');
  await client.expectText('read');
});

for (const [way, answer] of Object.entries({
  'by the engine': (exchange: Exchange) => exchange.respond(413, {}, 'too long'),
  'by node': (exchange: Exchange) => {
    exchange.rawResponse.statusCode = 413;
    exchange.rawResponse.end('too long');
  },
})) {
  test(`a body that nobody reads is dropped after an early answer ${way}, and the next request is served`, async () => {
    const { connect, engine } = await serve((exchange) => {
      if (exchange.method === 'POST') answer(exchange);
      else exchange.respond(200, {}, 'next');
    });
    const client = await connect();
    client.send(head(5_000_000));
    await client.expectText('too long');
    client.send(Buffer.alloc(5_000_000, 'x'));
    client.send(get());
    await client.expectText('next');
    expect(engine.counters).toMatchObject({ requests: 2 });
    expect(engine.counters.handedOver).toEqual({});
  });
}

test('a body may be read after an early answer', async () => {
  const bodies: string[] = [];
  const { connect } = await serve((exchange) => {
    exchange.readBody((body) => bodies.push(body.toString()), fail(exchange));
    exchange.respond(200, {}, 'early');
  });
  const client = await connect();
  client.send(head(5));
  await client.expectText('early');
  client.send('hel');
  await passTurns();
  client.send(`lo${head(5)}again`);
  await client.expectText('early', 2);
  expect(bodies).toEqual(['hello', 'again']);
});

test('a body that was dropped after the answer cannot be read any more', async () => {
  const errors: Error[] = [];
  const { connect } = await serve((exchange) => {
    exchange.respond(200, {}, 'early');
    exchange.readBody(
      () => {},
      (error) => errors.push(error),
    );
  });
  const client = await connect();
  client.send(post('body') + head(4));
  await client.expectText('early', 2);
  expect(errors.map(({ message }) => message)).toEqual(new Array(2).fill(expect.stringContaining('dropped')));
});

test('requests wait behind a body that comes slowly', async () => {
  const { connect } = await serve((exchange) =>
    exchange.readBody((body) => exchange.respond(200, {}, `<${body}>`), fail(exchange)),
  );
  const client = await connect();
  client.send(head(4));
  await passTurns();
  client.send('ab');
  await passTurns();
  client.send(`cd${post('ef')}${post('gh')}`);
  await client.expectText('<gh>');
  expect(client.received.match(/<..+?>/g)).toEqual(['<abcd>', '<ef>', '<gh>']);
});

for (const way of ['whole', 'as a stream'] as const) {
  test(`a body that is cut off fails for whoever reads it ${way}`, async () => {
    const errors: Promise<Error>[] = [];
    const { connect } = await serve((exchange) => {
      const failed = new Promise<Error>((resolve) => {
        if (way === 'whole') exchange.readBody(() => {}, resolve);
        else buffer(exchange.bodyStream).catch(resolve);
      });
      errors.push(failed);
    });
    const client = await connect();
    client.send(`${head(10)}half`);
    await vi.waitFor(() => expect(errors).toHaveLength(1));
    client.socket.resetAndDestroy();
    expect(await errors[0]).toMatchObject({ code: 'ECONNRESET', message: 'aborted' });
  });
}

test('what waits for a body runs in the asynchronous context of whoever asked', async () => {
  const { AsyncLocalStorage } = await import('node:async_hooks');
  const storage = new AsyncLocalStorage<string>();
  const { connect } = await serve((exchange) =>
    storage.run('mine', () =>
      exchange.readBody(
        (body) => exchange.respond(200, {}, `<${body} ${storage.getStore()}>`),
        fail(exchange),
      ),
    ),
  );
  const client = await connect();
  client.send(head(4));
  await passTurns();
  client.send('body');
  await client.expectText('<body mine>');
});
