/** The limits of a server apply to connections that the engine serves, and no time limit ends early. */
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, expect, test, vi } from 'vitest';
import type { Exchange } from '../src/index.ts';
import { get, serve } from './support/serve.ts';
import { passTurns } from './support/wire.ts';

const answer = (exchange: Exchange): void => exchange.respond(200, {}, 'done');
const timeout = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';

describe('a limit of time', () => {
  const slow: Readonly<Record<string, readonly [limits: object, bytes: string, answer: string]>> = {
    'for a head that never comes': [{ headersTimeout: 300 }, '', timeout],
    'for a head that stops': [{ headersTimeout: 300 }, 'GET / HTTP/1.1\r\nHo', timeout],
    'for a whole request, whose head stops': [{ headersTimeout: 0, requestTimeout: 300 }, 'GET /', timeout],
    'for a body that stops': [
      { headersTimeout: 0, requestTimeout: 300 },
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhe',
      timeout,
    ],
    'for the next request': [{ keepAliveTimeout: 300, keepAliveTimeoutBuffer: 0 }, get(), ''],
  };
  for (const [title, [limits, bytes, expected]] of Object.entries(slow)) {
    test(`${title} ends the connection`, async () => {
      const { connect, engine } = await serve(
        (exchange) =>
          exchange.readBody(
            () => answer(exchange),
            () => {},
          ),
        {
          prepare: (server) => Object.assign(server, limits),
        },
      );
      const client = await connect();
      client.send(bytes);
      await client.closed;
      expect(client.received.replace(/^HTTP\/1.1 200.*done$/s, '')).toBe(expected);
      expect(engine.counters.handedOver).toEqual({});
    });
  }

  test('does not pass while the application takes its time', async () => {
    const limits = { headersTimeout: 100, requestTimeout: 100, keepAliveTimeout: 100 };
    const { connect } = await serve((exchange) => void setTimeout(answer, 2000, exchange), {
      prepare: (server) => Object.assign(server, limits),
    });
    const client = await connect();
    client.send(get());
    await client.expectText('done');
  });

  test('does not pass for a client that asks again and again', async () => {
    const { connect } = await serve(answer, {
      prepare: (server) => Object.assign(server, { headersTimeout: 500, keepAliveTimeout: 500 }),
    });
    const client = await connect();
    for (let i = 1; i <= 10; i++) {
      client.send(get());
      await client.expectText('done', i);
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  });

  test('is reported to clientError, which answers', async () => {
    const { connect, server } = await serve(answer, {
      prepare: (each) => Object.assign(each, { headersTimeout: 100 }),
    });
    server.on('clientError', (error: Error & { code?: string }, socket) => socket.end(`own ${error.code}`));
    const client = await connect();
    client.send('GET ');
    await client.closed;
    expect(client.received).toBe('own ERR_HTTP_REQUEST_TIMEOUT');
  });

  test('is reported once, even if the listener destroys the socket with the error', async () => {
    const { connect, server } = await serve(answer, {
      prepare: (each) => Object.assign(each, { headersTimeout: 100 }),
    });
    const errors: unknown[] = [];
    server.on('clientError', (error, socket) => {
      errors.push(error.message);
      socket.destroy(error);
    });
    const client = await connect();
    client.send('GET ');
    await client.closed;
    await passTurns();
    expect(errors).toEqual(['Request timeout']);
  });

  test('for silent sockets is reported to the server, and closes the socket if nothing listens', async () => {
    const { connect, server } = await serve(() => {}, {
      prepare: (each) => {
        each.timeout = 100;
      },
    });
    const client = await connect();
    client.send(get());
    await client.closed;
    const reportedSockets: Socket[] = [];
    server.on('timeout', (socket: Socket) => {
      reportedSockets.push(socket);
      socket.end('told');
    });
    const other = await connect();
    other.send(get());
    await other.closed;
    expect(other.received).toBe('told');
    expect(reportedSockets).toHaveLength(1);
  });

  test('for silent sockets is reported to the response object, if there is one', async () => {
    const { connect } = await serve((exchange) =>
      exchange.rawResponse.setTimeout(100, () => exchange.rawResponse.end('too slow')),
    );
    const client = await connect();
    client.send(get());
    await client.expectText('too slow');
  });
});

describe('requests of one connection', () => {
  for (const isRaw of [false, true]) {
    test(`end at maxRequestsPerSocket, answered ${isRaw ? 'by node' : 'by the engine'}`, async () => {
      const { connect, engine } = await serve(
        (exchange) => (isRaw ? exchange.rawResponse.end('done') : answer(exchange)),
        {
          prepare: (server) => {
            server.maxRequestsPerSocket = 3;
          },
        },
      );
      const client = await connect();
      client.send(get().repeat(5));
      await client.closed;
      expect(client.received.split('done')).toHaveLength(4);
      expect(client.received.match(/Connection: (.*)\r/g)).toEqual([
        'Connection: keep-alive\r',
        'Connection: keep-alive\r',
        'Connection: close\r',
      ]);
      expect(engine.counters.requests).toBe(3);
    });
  }
});

describe('a head of more than the server takes', () => {
  for (const [bytes, status] of [
    [1990, 200],
    [2100, 431],
  ] as const) {
    test(`of ${bytes} bytes under a limit of 2000 is answered ${status}`, async () => {
      const { connect } = await serve(answer, { http: { maxHeaderSize: 2000 } });
      const client = await connect();
      const line = 'GET / HTTP/1.1\r\nHost: a\r\nX: ';
      client.send(`${line}${'x'.repeat(bytes - line.length - 4)}\r\n\r\n`);
      expect(await client.end()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    });
  }

  test('that never ends is answered 431, however it comes', async () => {
    const { connect, engine } = await serve(answer);
    const client = await connect();
    client.send('GET / HTTP/1.1\r\nHost: a\r\nX: ');
    for (let i = 0; i < 20 && !client.isEnded; i++) {
      client.send('x'.repeat(1000));
      await passTurns();
    }
    await client.closed;
    expect(client.received).toMatch(/^HTTP\/1.1 431 /);
    expect(engine.counters.handedOver).toEqual({ 'head-too-large': 1 });
  });

  for (const [count, reason] of [
    [199, {}],
    [200, { 'too-many-fields': 1 }],
  ] as const) {
    test(`of ${count} fields and Host is counted so: ${JSON.stringify(reason)}`, async () => {
      const { connect, engine } = await serve((exchange) =>
        exchange.respond(200, {}, `<${exchange.rawHeaders.length / 2}>`),
      );
      const client = await connect();
      client.send(get('/', 'X: 1\r\n'.repeat(count)));
      await client.expectText(`<${count + 1}>`);
      expect(engine.counters.handedOver).toEqual(reason);
    });
  }
});

describe('closing', () => {
  test('ends idle connections, and others behind their answer', async () => {
    const waiting: Exchange[] = [];
    const { connect, server } = await serve((exchange) =>
      exchange.target === '/wait' ? waiting.push(exchange) : answer(exchange),
    );
    const [idle, busy] = [await connect(), await connect()];
    idle.send(get());
    await idle.expectText('done');
    busy.send(get('/wait'));
    await vi.waitFor(() => expect(waiting).toHaveLength(1));
    const closed = once(server, 'close');
    server.close();
    await idle.closed;
    expect(busy.socket.closed).toBe(false);
    answer(waiting[0]!);
    expect(await busy.expectText('done')).toContain('Connection: close\r\n');
    await busy.closed;
    await closed;
  });

  test('serves what has come already, and then ends', async () => {
    const waiting: Exchange[] = [];
    const { connect, server } = await serve((exchange) => waiting.push(exchange));
    const client = await connect();
    client.send(get('/1') + get('/2'));
    await vi.waitFor(() => expect(waiting).toHaveLength(2));
    server.close();
    for (const exchange of waiting) exchange.respond(200, {}, `<${exchange.target}>`);
    await client.closed;
    expect(client.received.match(/<.*>|Connection: .*(?=\r)/g)).toEqual([
      'Connection: keep-alive',
      '</1>',
      'Connection: close',
      '</2>',
    ]);
  });

  test('of idle connections leaves those that have not asked, and those that wait for an answer', async () => {
    const { connect, server } = await serve((exchange) => exchange.target === '/' && answer(exchange));
    const [idle, busy, fresh] = [await connect(), await connect(), await connect()];
    idle.send(get());
    busy.send(get('/wait'));
    await idle.expectText('done');
    server.closeIdleConnections();
    await idle.closed;
    await passTurns();
    expect([busy.socket.closed, fresh.socket.closed]).toEqual([false, false]);
    server.closeAllConnections();
    await Promise.all([busy.closed, fresh.closed]);
  });

  test('of all connections ends those of the engine and of node', async () => {
    const { connect, server, engine } = await serve(() => {});
    const [own, nodes] = [await connect(), await connect()];
    own.send(get());
    nodes.send(get().replace('1.1', '1.0'));
    await vi.waitFor(() => expect(engine.counters.handedOver).toEqual({ version: 1 }));
    await passTurns();
    server.closeAllConnections();
    await Promise.all([own.closed, nodes.closed]);
  });

  test('is not hindered by the timer of the engine, and connections are counted', async () => {
    const { connect, server } = await serve(answer);
    const client = await connect();
    client.send(get());
    await client.expectText('done');
    const count = await new Promise((resolve) => server.getConnections((_error, found) => resolve(found)));
    expect(count).toBe(1);
    server.close();
    await client.closed;
  });

  test('keeps the method by which a plugin has replaced one of the server', async () => {
    const { server, engine } = await serve(answer);
    const own = (): void => {};
    server.closeIdleConnections = own;
    engine.detach();
    expect(server.closeIdleConnections).toBe(own);
    expect(Object.keys(server)).not.toContain('closeAllConnections');
  });
});
