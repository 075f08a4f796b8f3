/** Whether our engine or node's own server serves HTTP/1.1, what must be the same with both, and how they differ. */
import { once } from 'node:events';
import http from 'node:http';
import { connect, Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { AmbitOptions, Context } from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import { cert, key } from '../../test/fixtures/certificate.ts';
import { flavors } from '../../test/support/flavors.ts';
import { hurry } from '../../test/support/hurry.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { converse, lastRequest, open, request, statuses } from '../../test/support/raw-client.ts';
import { serve, servePort } from '../../test/support/serve.ts';

type NodeSocket = Socket & { parser?: object | null };

/** Says at once that everything is written, and keeps it, as a socket that a library writes to later does. */
class KeepingSocket extends Socket {
  readonly kept: (string | Uint8Array)[] = [];

  _writeGeneric(isList: boolean, data: unknown, _encoding: string, done: () => void): void {
    if (isList) for (const { chunk } of data as { chunk: Uint8Array }[]) this.kept.push(chunk);
    else this.kept.push(data as string | Uint8Array);
    done();
  }
}

/** Answers whether the engine or node serves the connection: node's server sets its parser on each socket. */
function addLaneRoute(app: Context): Context {
  app.get('/', ({ socket }) => ((socket as NodeSocket).parser == null ? 'engine' : 'node'));
  return app;
}

describe.each(flavors)('on %s', (_flavor, make) => {
  const laneOf = async (options: AmbitOptions): Promise<string> =>
    (await fetch(await serve(addLaneRoute(make(options))))).text();

  test('the engine serves HTTP/1.1 unless the option says `node`', async () => {
    expect([await laneOf({}), await laneOf({ engine: 'node' })]).toEqual(['engine', 'node']);
  });

  test('the engine serves HTTPS', async () => {
    const app = addLaneRoute(make({ https: { key, cert } }));
    const port = await servePort(app);
    const { get } = await import('node:https');
    const [response] = await once(
      get({ port, host: '127.0.0.1', ca: cert, servername: 'localhost' }),
      'response',
    );
    expect(String((await response.toArray())[0])).toBe('engine');
  });

  test('node serves where connections carry a limited number of requests, and where the application makes its server', async () => {
    const serverFactory: AmbitOptions['serverFactory'] = (handler) => http.createServer(handler);
    expect([await laneOf({ maxRequestsPerSocket: 5 }), await laneOf({ serverFactory })]).toEqual([
      'node',
      'node',
    ]);
  });

  test('an application that listens by its server is served by the engine', async () => {
    const app = addLaneRoute(make());
    await app.ready();
    app.server.listen(0, '127.0.0.1');
    await once(app.server, 'listening');
    const { port } = app.server.address() as { port: number };
    expect(await (await fetch(`http://127.0.0.1:${port}`)).text()).toBe('engine');
    await app.close();
  });

  test.each([{}, { engine: 'node' }] as const)(
    'a content type that a hook changed decides about the body (%o)',
    async (options) => {
      const app = make(options);
      app.addHook('onRequest', async (request) => {
        if (request.url === '/assigned') request.headers = { 'content-type': 'text/plain' };
        if (request.url === '/changed') request.headers['content-type'] = 'text/plain';
      });
      app.post('/*', async ({ body }) => typeof body);
      const origin = await serve(app);
      const ask = async (path: string): Promise<string> => {
        const headers = { 'content-type': 'application/json' };
        return (await fetch(origin + path, { method: 'POST', headers, body: '{}' })).text();
      };
      expect([await ask('/changed'), await ask('/assigned'), await ask('/')]).toEqual([
        'string',
        'string',
        'object',
      ]);
    },
  );

  test('the value of `engine` is checked', () => {
    expect(() => make({ engine: 'bun' as never })).toThrow(
      expect.objectContaining({ code: 'FST_ERR_INIT_OPTS_INVALID' }),
    );
  });

  test('node serves if there is another request listener, and the log says so once', async () => {
    const lines = new LogLines();
    const app = addLaneRoute(make({ logger: { stream: lines } }));
    const seen: (string | undefined)[] = [];
    app.server.on('request', ({ url }) => seen.push(url));
    const url = await serve(app);
    expect([await (await fetch(url)).text(), await (await fetch(url)).text()]).toEqual(['node', 'node']);
    expect(seen).toEqual(['/', '/']);
    const line = await lines.until(
      "node:http serves the connections, not the HTTP engine: the server has another listener of 'request'",
    );
    expect(line.level).toBe(30);
  });

  for (const [lane, ...headers] of [
    ['the engine'],
    ['node', 'Upgrade: nothing', 'Transfer-Encoding: chunked'],
  ] as const) {
    test(`a second Host is answered 400 where ${lane} serves`, async () => {
      const body = headers.length > 0 ? '0\r\n\r\n' : '';
      const received = await converse(
        await servePort(addLaneRoute(make())),
        request('GET', '/', 'Host: other', ...headers, 'Connection: close') + body,
      );
      expect([statuses(received), received.includes('Client Error')]).toEqual([[400], true]);
    });
  }

  test("node's objects are made on demand, of node's classes, and are the same at each call", async () => {
    const app = make();
    app.addHook('onRequest', async (request, reply) => {
      reply.raw.setHeader('x-raw', 'yes');
      (request as unknown as { first: unknown[] }).first = [request.raw, reply.raw];
    });
    app.get('/', (request, reply) => {
      const { first } = request as unknown as { first: unknown[] };
      reply.code(201);
      return {
        same: first[0] === request.raw && first[1] === reply.raw,
        classes: [
          request.raw.constructor === http.IncomingMessage,
          reply.raw.constructor === http.ServerResponse,
        ],
        status: reply.raw.statusCode,
      };
    });
    const response = await fetch(await serve(app));
    expect([response.status, response.headers.get('x-raw'), await response.json()]).toEqual([
      201,
      'yes',
      { same: true, classes: [true, true], status: 201 },
    ]);
  });

  test('a request whose raw object is asked for while its body arrives gets the body', async () => {
    const app = make();
    const asked = new Promise<void>((resolve) => {
      app.addHook('onRequest', async (request) => {
        setTimeout(() => resolve(void request.raw.complete), 20);
      });
    });
    app.post('/', ({ body }) => body);
    const { socket, ended } = await open(await servePort(app));
    socket.write(
      `${request('POST', '/', 'Content-Type: text/plain', 'Content-Length: 5', 'Connection: close')}wh`,
    );
    await asked;
    socket.write('ole');
    expect((await ended).endsWith('\r\n\r\nwhole')).toBe(true);
  });

  test('a client that receives a response for longer than keepAliveTimeout gets all of it', async () => {
    hurry();
    const app = make({ keepAliveTimeout: 20 });
    const totalBytes = 32 * 1024 * 1024;
    app.get('/', () => Buffer.alloc(totalBytes, 'x'));
    const client = connect(await servePort(app), '127.0.0.1');
    client.write(request('GET', '/'));
    await once(client, 'readable');
    // The limit, the second that a client gets beyond it, and two ticks of the clock.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    let receivedBytes = 0;
    for await (const chunk of client) receivedBytes += chunk.length;
    expect(receivedBytes).toBeGreaterThan(totalBytes);
  });

  describe('the methods of a server', () => {
    async function keepOpen(app: Context): Promise<{ socket: Socket; ended: Promise<string> }> {
      const { socket, until, ended } = await open(await servePort(app));
      socket.write(request('GET', '/'));
      await until('engine');
      return { socket, ended };
    }

    test('getConnections counts connections that the engine serves', async () => {
      const app = addLaneRoute(make());
      await keepOpen(app);
      const count = await new Promise((resolve) =>
        app.server.getConnections((_error, count) => resolve(count)),
      );
      expect(count).toBe(1);
    });

    for (const method of ['closeIdleConnections', 'closeAllConnections'] as const) {
      test(`${method} ends one that is idle`, async () => {
        const app = addLaneRoute(make());
        const { ended } = await keepOpen(app);
        app.server[method]();
        expect(statuses(await ended)).toEqual([200]);
      });
    }

    test('close of the application ends one that is idle, and one on which nothing came', async () => {
      const app = addLaneRoute(make());
      const { ended } = await keepOpen(app);
      const silent = connect((app.server.address() as { port: number }).port, '127.0.0.1');
      await once(silent, 'connect');
      hurry();
      await app.close();
      expect(statuses(await ended)).toEqual([200]);
    });

    for (const usesRaw of [false, true]) {
      test(`a response that is sent while the application closes says that its connection ends, ${usesRaw ? 'with' : 'without'} node's objects`, async () => {
        const app = make();
        let release = (): void => {};
        const arrived = new Promise<void>((resolve) => {
          app.get('/', async (_request, reply) => {
            if (usesRaw) reply.raw.setHeader('x-raw', 'yes');
            resolve();
            await new Promise<void>((go) => {
              release = go;
            });
            return 'late';
          });
        });
        const { socket, ended } = await open(await servePort(app));
        socket.write(request('GET', '/'));
        await arrived;
        const closed = app.close();
        setTimeout(release, 20);
        const received = await ended;
        expect([statuses(received), /connection: close/i.test(received)]).toEqual([[200], true]);
        await closed;
      });
    }
  });

  test('bytes after a body that are not a request are not part of the body, and get 400 after its response', async () => {
    const app = make();
    app.post('/', ({ body }) => ({ body }));
    const head = request('POST', '/', 'Content-Type: text/plain', 'Content-Length: 3');
    const received = await converse(await servePort(app), `${head}abcdef`);
    expect([statuses(received), received.includes('{"body":"abc"}')]).toEqual([[200, 400], true]);
  });

  test('requests that come together are answered in order, whoever makes their responses', async () => {
    const app = make();
    app.get('/:name', async ({ params }, reply) => {
      const { name } = params as { name: string };
      if (name === 'raw') reply.raw.setHeader('x-raw', 'yes');
      await new Promise((resolve) => setTimeout(resolve, name === 'slow' ? 20 : 0));
      return name;
    });
    const received = await converse(
      await servePort(app),
      request('GET', '/slow') + request('GET', '/raw') + lastRequest('GET', '/fast'),
    );
    expect(received.match(/\r\n\r\n(slow|raw|fast)/g)?.map((text) => text.trim())).toEqual([
      'slow',
      'raw',
      'fast',
    ]);
  });

  test.each(['rows', 'items', 'text', 'bytes', 'stream', 'error'])(
    'each client gets its own bytes from a socket that keeps what it is given (%s)',
    async (kind) => {
      const app = make();
      const rowSchema = {
        type: 'object',
        properties: { name: { type: 'string' }, index: { type: 'integer' } },
      };
      const rowsOf = (name: string): object[] => Array.from({ length: 300 }, (_, index) => ({ name, index }));
      app.get('/rows/:name', {
        schema: { response: { 200: { type: 'array', items: rowSchema } } },
        handler: ({ params }) => rowsOf((params as { name: string }).name),
      });
      app.get('/items/:name', {
        schema: { response: { 200: { content: { 'application/x-ndjson': { itemSchema: rowSchema } } } } },
        handler: async function* ({ params }: { params: unknown }) {
          yield* rowsOf((params as { name: string }).name);
        } as never,
      });
      app.get('/text/:name', ({ params }) => (params as { name: string }).name.repeat(1000));
      app.get('/bytes/:name', ({ params }) => Buffer.from((params as { name: string }).name.repeat(1000)));
      app.get('/stream/:name', ({ params }) =>
        Readable.from([(params as { name: string }).name.repeat(1000)]),
      );
      app.get('/error/:name', ({ params }) => {
        throw Object.assign(new Error((params as { name: string }).name.repeat(1000)), { statusCode: 400 });
      });
      await serve(app);
      const clients = ['AAAA', 'BBBB', 'CCCC', 'DDDD'].map((name) => {
        const socket = new KeepingSocket();
        app.server.emit('connection', socket);
        socket.push(Buffer.from(lastRequest('GET', `/${kind}/${name}`)));
        return { name, socket };
      });
      for (const { name, socket } of clients) {
        const text = (): string => socket.kept.map((each) => Buffer.from(each as string)).join('');
        const names = (): string[] => text().match(/AAAA|BBBB|CCCC|DDDD/g) ?? [];
        await vi.waitFor(() => expect(names().length).toBeGreaterThanOrEqual(300));
        expect(new Set(names())).toEqual(new Set([name]));
      }
    },
  );

  for (const [when, delayMs] of [
    ['at once', 0],
    ['later', 20],
  ] as const) {
    test(`an invalid Host on a connection that node serves gets 400 behind the responses that are sent ${when}`, async () => {
      const app = make();
      app.get('/:name', ({ params }, reply) => {
        const send = (): void => void reply.send((params as { name: string }).name);
        if (delayMs === 0) send();
        else setTimeout(send, delayMs);
      });
      const handedOver = `${request('GET', '/second', 'Transfer-Encoding: chunked')}0\r\n\r\n`;
      const refused = 'GET /refused HTTP/1.1\r\nHost: a/b\r\n\r\n';
      const received = await converse(
        await servePort(app),
        request('GET', '/first') + handedOver + request('GET', '/third') + refused,
      );
      expect(statuses(received)).toEqual([200, 200, 200, 400]);
      expect(received.match(/first|second|third|Client Error/g)).toEqual([
        'first',
        'second',
        'third',
        'Client Error',
      ]);
    });
  }
});
