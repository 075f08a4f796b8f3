/** Connections in every state: half closed, reset, secure, many; and real clients. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { createServer as createSecureServer, request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { attach, type Exchange } from '../src/index.ts';
import { cert, key } from './fixtures/certificate.ts';
import { get, post, serve } from './support/serve.ts';
import { type Client, listen, passTurns } from './support/wire.ts';

/** A busy machine may need this time to close a connection. */
const longTimeout = { timeout: 20_000 };

const echo = (exchange: Exchange): void =>
  exchange.readBody(
    (body) => exchange.respond(200, { 'content-type': 'text/plain' }, `<${exchange.target} ${body}>`),
    () => {},
  );

describe('a client that has closed its side', () => {
  test('has its answers, where they were ready', async () => {
    const { connect } = await serve(echo);
    const client = await connect();
    client.socket.end(get('/1') + get('/2'));
    await client.closed;
    expect(client.received.match(/<.*>/g)).toEqual(['</1 >', '</2 >']);
  });

  test('in a head is answered 400', async () => {
    const { connect } = await serve(echo);
    const client = await connect();
    client.socket.end('GET / HT');
    await client.closed;
    expect(client.received).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n');
  });

  test('has later answers where the server allows it', async () => {
    const { connect } = await serve((exchange) => void setTimeout(echo, 50, exchange), {
      prepare: (server) => Object.assign(server, { httpAllowHalfOpen: true }),
    });
    const client = await connect();
    client.socket.end(get('/1') + get('/2'));
    await client.closed;
    expect(client.received.match(/<.*>/g)).toEqual(['</1 >', '</2 >']);
  });

  test('has left, where the server does not', async () => {
    const gone = vi.fn();
    const { connect } = await serve((exchange) => void exchange.onClientGone(gone));
    const client = await connect();
    client.socket.end(get());
    await client.closed;
    await vi.waitFor(() => expect(gone).toHaveBeenCalledOnce());
  });
});

test('an answer after the end of a socket is dropped, and does not count as a failure of the client', async () => {
  const results: unknown[] = [];
  const { connect, server } = await serve((exchange) => {
    exchange.onFinished((error) => results.push((error as Error & { code: string }).code));
    exchange.socket.on('end', () =>
      exchange.respond(200, {}, exchange.target === '/long' ? 'x'.repeat(5000) : 'late'),
    );
  });
  server.on('clientError', (error) => results.push(error));
  for (const target of ['/short', '/long']) {
    const client = await connect();
    client.socket.end(get(target));
    await client.closed;
    expect(client.received).toBe('');
  }
  expect(results).toEqual(['EPIPE', 'EPIPE']);
});

describe('a client that resets the connection', () => {
  const states: Readonly<Record<string, string>> = {
    'before a byte': '',
    'in a request line': 'GE',
    'in a head': 'GET / HTTP/1.1\r\nHo',
    'in a body': 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf',
    'behind a request': get(),
    'behind many requests': get().repeat(100),
    'behind an answer': get('/now'),
    'in a stream': get('/stream'),
  };
  for (const [title, bytes] of Object.entries(states)) {
    test(`${title} leaves nothing behind`, async () => {
      const { connect, server, engine } = await serve((exchange) => {
        if (exchange.target === '/now') echo(exchange);
        if (exchange.target === '/stream') exchange.rawResponse.write('piece');
        // A handler that answers late must not fail.
        exchange.onClientGone(() =>
          setImmediate(() => exchange.isHeadWritten || exchange.respond(200, {}, 'late')),
        );
      });
      const clients = await Promise.all(Array.from({ length: 10 }, connect));
      for (const client of clients) client.send(bytes);
      await passTurns(5);
      for (const client of clients) client.socket.resetAndDestroy();
      await vi.waitFor(async () => {
        const count = await new Promise((resolve) =>
          server.getConnections((_error, found) => resolve(found)),
        );
        expect(count).toBe(0);
      }, longTimeout);
      await passTurns();
      expect(engine.counters.handedOver).toEqual({});
    });
  }

  test('is reported to clientError', async () => {
    const { connect, server } = await serve(() => {});
    const errors: unknown[] = [];
    server.on('clientError', (error: Error & { code?: string }, socket) => {
      errors.push(error.code);
      socket.destroy();
    });
    const client = await connect();
    client.send(get());
    await passTurns(5);
    client.socket.resetAndDestroy();
    await vi.waitFor(() => expect(errors).toEqual(['ECONNRESET']));
  });
});

test('an answer after the client has left is dropped, a whole one and a stream', async () => {
  const exchanges: Exchange[] = [];
  const { connect } = await serve((exchange) => exchanges.push(exchange));
  const client = await connect();
  client.send(get() + get());
  await vi.waitFor(() => expect(exchanges).toHaveLength(2));
  client.socket.resetAndDestroy();
  await vi.waitFor(() => expect(exchanges[1]!.isDestroyed).toBe(true));
  exchanges[0]!.respond(200, {}, 'late');
  exchanges[1]!.writeHead(200);
  exchanges[1]!.write('late');
  exchanges[1]!.end();
  await passTurns();
  expect(exchanges[0]!.isEnded).toBe(true);
});

test('file descriptors are released', async () => {
  const { connect, server } = await serve(echo);
  const count = (): number => readdirSync('/proc/self/fd').length;
  const before = count();
  for (let round = 0; round < 5; round++) {
    const clients: Client[] = await Promise.all(Array.from({ length: 50 }, connect));
    for (const [i, client] of clients.entries()) client.send([get(), 'GET /', post('x'), '\x16\x03'][i % 4]!);
    await passTurns(5);
    for (const client of clients) client.socket.resetAndDestroy();
    await Promise.all(clients.map(({ closed }) => closed));
  }
  await vi.waitFor(async () => {
    const open = await new Promise((resolve) => server.getConnections((_error, found) => resolve(found)));
    expect(open).toBe(0);
  }, longTimeout);
  expect(count()).toBeLessThanOrEqual(before + 5);
});

describe('real clients stay with the engine', () => {
  test('fetch', async () => {
    const { port, engine } = await serve(echo);
    const url = `http://127.0.0.1:${port}/a`;
    expect(await (await fetch(url)).text()).toBe('</a >');
    expect(await (await fetch(url, { method: 'POST', body: 'hello' })).text()).toBe('</a hello>');
    expect(engine.counters).toMatchObject({ requests: 2 });
    expect(engine.counters.handedOver).toEqual({});
  });

  test('node’s own, with connections that are kept', async () => {
    const { port, engine } = await serve(echo);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    for (let i = 0; i < 3; i++) {
      const body = await new Promise<string>((resolve, reject) => {
        const outgoing = httpRequest({
          port,
          agent,
          method: 'PUT',
          path: `/${i}`,
          headers: { 'content-length': 4 },
        });
        outgoing.on('response', (response) => resolve(text(response))).on('error', reject);
        outgoing.end('body');
      });
      expect(body).toBe(`</${i} body>`);
    }
    expect(engine.counters).toMatchObject({ connections: 1, requests: 3 });
    expect(engine.counters.handedOver).toEqual({});
  });

  test('curl', async () => {
    const { port, engine } = await serve(echo);
    const url = `http://127.0.0.1:${port}`;
    const run = promisify(execFile);
    const { stdout } = await run('curl', [
      '-s',
      `${url}/1`,
      `${url}/2`,
      '-d',
      'hello',
      `${url}/3`,
      '--http1.1',
    ]);
    expect(stdout).toBe('</1 hello></2 hello></3 hello>');
    expect(engine.counters).toMatchObject({ connections: 1, requests: 3 });
    expect(engine.counters.handedOver).toEqual({});
  });
});

test('HTTPS is served, and what is node’s is handed over', async () => {
  const server = createSecureServer({ key, cert });
  const engine = attach(server, echo);
  const port = await listen(server);
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const agent = new (await import('node:https')).Agent({
    keepAlive: true,
    maxSockets: 1,
    rejectUnauthorized: false,
  });
  onTestFinished(() => agent.destroy());
  const ask = (headers: object, body: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const outgoing = httpsRequest({ port, agent, method: 'POST', path: '/s', headers: { ...headers } });
      outgoing.on('response', (response) => resolve(text(response))).on('error', reject);
      outgoing.end(body);
    });
  const long = 'long '.repeat(100_000);
  expect(await ask({ 'content-length': 5 }, 'hello')).toBe('</s hello>');
  expect(await ask({ 'content-length': long.length }, long)).toBe(`</s ${long}>`);
  expect(engine.counters).toMatchObject({ connections: 1, requests: 2 });
  expect(engine.counters.handedOver).toEqual({});
  expect(await ask({ 'transfer-encoding': 'chunked' }, 'hello')).toBe('</s hello>');
  expect(engine.counters.handedOver).toEqual({ 'transfer-encoding': 1 });
});
