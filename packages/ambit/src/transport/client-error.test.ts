/** What node cannot read as a request: garbage, heads that are too large, clients that are too slow. */
import type { Socket } from 'node:net';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { hurry } from '../../test/support/hurry.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { converse, lastRequest, open, request, statuses } from '../../test/support/raw-client.ts';
import { servePort } from '../../test/support/serve.ts';

forbidProcessFaults();

function make(options?: AmbitOptions): Context {
  const app = ambit(options);
  app.get('/', () => 'done');
  app.post('/', (request) => request.body);
  return app;
}

describe('garbage', () => {
  for (const [what, text] of [
    ['no HTTP at all', 'hello there\r\n\r\n'],
    ['binary noise', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc'],
    ['a method that does not exist', request('FLY', '/')],
    ['a version that does not exist', 'GET / HTTP/9.9\r\nHost: localhost\r\n\r\n'],
    ['a header without a colon', request('GET', '/', 'no colon here')],
    ['a header name with a space', request('GET', '/', 'bad name: value')],
    ['a content length that is no number', request('POST', '/', 'Content-Length: many')],
    ['two content lengths', request('POST', '/', 'Content-Length: 1', 'Content-Length: 2')],
    ['a length next to chunks', request('POST', '/', 'Content-Length: 1', 'Transfer-Encoding: chunked')],
    [
      'a chunk whose size is no number',
      `${request('POST', '/', 'Content-Type: text/plain', 'Transfer-Encoding: chunked')}zz\r\nbody\r\n`,
    ],
  ] as const) {
    test(`${what} is answered 400, and the connection ends`, async () => {
      const received = await converse(await servePort(make()), text);
      expect(statuses(received)).toEqual([400]);
    });
  }

  test('the answer is JSON like every other', async () => {
    const received = await converse(await servePort(make()), 'hello there\r\n\r\n');
    const [head, body] = received.split('\r\n\r\n') as [string, string];
    expect(head.toLowerCase()).toContain('content-type: application/json');
    expect(head.toLowerCase()).toContain(`content-length: ${body.length}`);
    expect(JSON.parse(body)).toEqual({ error: 'Bad Request', message: 'Client Error', statusCode: 400 });
  });

  test('after a good request, both are answered', async () => {
    const received = await converse(await servePort(make()), `${request('GET', '/')}hello there\r\n\r\n`);
    expect(statuses(received)).toEqual([200, 400]);
  });

  test("in the middle of a reply that has begun cuts it off on node's server, and writes nothing into it", async () => {
    const app = make({ engine: 'node' });
    app.get('/endless', (_request, reply) => {
      reply.hijack();
      reply.raw.writeHead(200);
      reply.raw.write('begun');
    });
    const { socket, until, ended } = await open(await servePort(app));
    socket.write(request('GET', '/endless'));
    await until('begun');
    socket.write('hello there\r\n\r\n');
    expect(statuses(await ended)).toEqual([200]);
  });

  test('does not disturb other connections', async () => {
    const port = await servePort(make());
    const { socket, ended } = await open(port);
    await converse(port, 'hello there\r\n\r\n');
    socket.write(lastRequest('GET', '/'));
    expect(statuses(await ended)).toEqual([200]);
  });

  test('is logged at the level trace only', async () => {
    const lines = new LogLines();
    const app = make({ logger: { stream: lines, level: 'trace' } });
    await converse(await servePort(app), 'hello there\r\n\r\n');
    expect((await lines.until('client error')).level).toBe(10);
  });
});

describe('a head that is too large', () => {
  const limit = 1024;
  const headOf = (bytes: number): string => {
    const bare = lastRequest('GET', '/');
    return lastRequest('GET', '/').replace(
      '\r\n\r\n',
      `\r\nX: ${'x'.repeat(bytes - bare.length - 5)}\r\n\r\n`,
    );
  };

  test('is answered 431, and the connection ends', async () => {
    const app = make({ http: { maxHeaderSize: limit } });
    const received = await converse(await servePort(app), headOf(limit * 2));
    expect(statuses(received)).toEqual([431]);
    expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toEqual({
      error: 'Request Header Fields Too Large',
      message: 'Exceeded maximum allowed HTTP header size',
      statusCode: 431,
    });
  });

  test('one below the limit is served', async () => {
    const app = make({ http: { maxHeaderSize: limit } });
    const received = await converse(await servePort(app), headOf(limit / 2));
    expect(statuses(received)).toEqual([200]);
  });
});

describe('a client that is too slow', () => {
  const http = { connectionsCheckingInterval: 20 };

  test('with its head is answered 408', async () => {
    hurry(10);
    const app = make({ http, headersTimeout: 50, requestTimeout: 60_000 });
    const received = await converse(await servePort(app), 'GET / HTTP/1.1\r\nHost: local');
    expect(statuses(received)).toEqual([408]);
    expect(JSON.parse(received.split('\r\n\r\n')[1]!)).toEqual({
      error: 'Request Timeout',
      message: 'Client Timeout',
      statusCode: 408,
    });
  });

  test('with its body is answered 408', async () => {
    hurry(10);
    const app = make({ http, requestTimeout: 50 });
    const text = `${request('POST', '/', 'Content-Type: text/plain', 'Content-Length: 100')}half`;
    expect(statuses(await converse(await servePort(app), text))).toEqual([408]);
  });
});

describe('a body that ends early', () => {
  test('is not handled', async () => {
    const app = ambit();
    let runs = 0;
    app.post('/', () => ++runs);
    const port = await servePort(app);
    const { socket, ended } = await open(port);
    socket.end(`${request('POST', '/', 'Content-Type: text/plain', 'Content-Length: 100')}half`);
    await ended;
    expect(statuses(await converse(port, lastRequest('GET', '/')))).toEqual([404]);
    expect(runs).toBe(0);
  });
});

describe('clientErrorHandler', () => {
  test('answers in the place of the default, with this as the root', async () => {
    const seen: unknown[] = [];
    const app = make({
      clientErrorHandler(error, socket: Socket) {
        seen.push({ isRoot: this === app, code: error.code });
        socket.end('HTTP/1.1 418 Short And Stout\r\nContent-Length: 0\r\n\r\n');
      },
    });
    const received = await converse(await servePort(app), 'hello there\r\n\r\n');
    expect(statuses(received)).toEqual([418]);
    expect(seen).toEqual([{ isRoot: true, code: expect.stringMatching(/^HPE_/) }]);
  });
});
