/** What of HTTP/1.1 and HTTP/1.0 only bytes on a connection show: with our engine and with node's server alone. */
import { PassThrough, Readable } from 'node:stream';
import { type AmbitOptions, ambit, type Context, type Reply, type Request } from 'ambit';
import { describe, expect, test } from 'vitest';
import { converse, open, statuses } from '../../test/support/raw-client.ts';
import { servePort } from '../../test/support/serve.ts';

describe.each([
  ['our engine', {}],
  ["node's server", { engine: 'node' }],
] as const satisfies [string, AmbitOptions][])('with %s', (_what, options) => {
  describe('a client of HTTP/1.0', () => {
    const ask = async (app: Context, ...fields: string[]): Promise<string> =>
      converse(await servePort(app), ['GET / HTTP/1.0', ...fields, '', ''].join('\r\n'));

    for (const fields of [[], ['TE: trailers, chunked']]) {
      test(`that sends ${fields.join(' and ') || 'nothing else'} gets no chunks and no trailers`, async () => {
        for (const send of [
          () => 'hello',
          () => Readable.from(['hel', 'lo']),
          () => new Blob(['hello']).stream(),
        ]) {
          const app = ambit(options);
          app.get('/', (_request, reply) =>
            reply
              .header('transfer-encoding', 'chunked')
              .trailer('x-end', async () => 'end')
              .send(send()),
          );
          const received = await ask(app, ...fields);
          expect(received).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\n\r\nhello$/s);
          expect(received.toLowerCase()).not.toMatch(/transfer-encoding|trailer|x-end/);
        }
      });
    }

    test('gets no early hints', async () => {
      const app = ambit(options);
      app.get('/', async (_request, reply) => {
        await new Promise<void>((resolve) =>
          reply.writeEarlyHints({ link: '</a.css>; rel=preload' }, resolve),
        );
        return 'hello';
      });
      expect(statuses(await ask(app))).toEqual([200]);
    });
  });

  describe('an absolute target', () => {
    const hosts = (host: string): string[] => [`Host: ${host}`, 'Connection: close', '', ''];
    const ask = async (target: string, host: string): Promise<string> => {
      const app = ambit(options);
      app.get('/', ({ host, headers, hostname }) => ({ host, field: headers.host, hostname }));
      app.get('/a', { constraints: { host: 'a.test' } }, () => 'route of a');
      app.get('/a', { constraints: { host: 'b.test' } }, () => 'route of b');
      return converse(await servePort(app), [`GET ${target} HTTP/1.1`, ...hosts(host)].join('\r\n'));
    };

    test('has the host that counts, not the field', async () => {
      const received = await ask('http://a.test:81/', 'b.test');
      expect(received).toContain('{"host":"a.test:81","field":"a.test:81","hostname":"a.test"}');
      expect(await ask('HTTPS://[::1]/', 'b.test')).toContain('"host":"[::1]"');
    });

    test('is routed by its host', async () => {
      expect(await ask('http://a.test/a', 'b.test')).toMatch(/route of a$/);
      expect(await ask('/a', 'b.test')).toMatch(/route of b$/);
    });

    for (const target of ['http://', 'http:///', 'http://a@b.test/', 'http://a.test:x/', 'http://a b/'])
      test(`${target} is answered 400`, async () => {
        expect(statuses(await ask(target, 'b.test'))).toEqual([400]);
      });
  });

  test('a client that leaves after its whole body: who reads it later gets the error of a client that has left', async () => {
    const app = ambit(options);
    const failed = new Promise<{ code?: string; message: string }>((resolve) => {
      app.setErrorHandler((error, _request, reply) => {
        resolve(error as Error);
        return reply.send();
      });
    });
    let leave = (): void => {};
    app.addHook('onRequest', async ({ signal }) => {
      leave();
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    });
    app.post('/', () => 'never');
    const { socket } = await open(await servePort(app));
    leave = () => socket.destroy();
    socket.write(
      'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello',
    );
    expect(await failed).toMatchObject({ code: 'ECONNRESET', message: 'aborted' });
  });

  describe('a client that expects 100 (Continue)', () => {
    const makeApp = (): Context => {
      const app = ambit({ ...options, bodyLimit: 10 });
      app.addContentTypeParser('application/octet-stream', async (_request, payload) => {
        let text = '';
        for await (const chunk of payload) text += chunk;
        return text;
      });
      app.post('/', ({ body }) => body);
      const onRequest = async ({ raw }: Request, reply: Reply): Promise<void> => {
        reply.hijack();
        raw.pipe(reply.raw);
      };
      app.post('/raw', { onRequest }, () => 'never');
      app.post(
        '/refused',
        { onRequest: async (_request, reply) => reply.code(401).send('no') },
        () => 'never',
      );
      app.post('/json', { schema: { body: { type: 'object' } } }, () => 'never');
      return app;
    };
    const head = (path: string, length: number, type = 'text/plain', method = 'POST'): string =>
      [
        `${method} ${path} HTTP/1.1`,
        'Host: localhost',
        'Expect: 100-continue',
        `Content-Type: ${type}`,
        `Content-Length: ${length}`,
        '',
        '',
      ].join('\r\n');

    for (const [what, path, type] of [
      ['a parser of texts', '/', 'text/plain'],
      ['a parser of streams', '/', 'application/octet-stream'],
    ] as const) {
      test(`gets it when ${what} begins to read, and the connection is kept`, async () => {
        const { socket, until, ended } = await open(await servePort(makeApp()));
        socket.write(head(path, 5, type));
        expect(await until('100 Continue\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
        socket.write('hello');
        expect(await until('hello')).toContain('200 OK');
        socket.write('GET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
        expect(statuses(await ended)).toEqual([100, 200, 404]);
      });
    }

    test('gets it when a handler pipes `request.raw`', async () => {
      const { socket, until } = await open(await servePort(makeApp()));
      socket.write(head('/raw', 5));
      await until('100 Continue');
      socket.write('hello');
      expect(await until('hello')).toContain('200 OK');
    });

    for (const [status, what, bytes] of [
      [401, 'a hook', head('/refused', 5)],
      [413, 'the length', head('/', 11)],
      [415, 'the schema', head('/json', 5)],
      [415, 'the type', head('/', 5, 'image/png')],
      [404, 'the URL', head('/nowhere', 5)],
    ] as const) {
      test(`gets ${status} without it if ${what} decides so, and the connection ends`, async () => {
        const received = await converse(await servePort(makeApp()), bytes);
        expect(statuses(received)).toEqual([status]);
        expect(received.toLowerCase()).toContain('connection: close');
      });
    }

    for (const [what, answer, set] of [
      [
        'a not-found handler',
        'hello',
        (app) => app.setNotFoundHandler(({ body }, reply) => reply.send(body)),
      ],
      [
        'a `preHandler` hook before the 404',
        'hello',
        (app) => app.addHook('preHandler', async ({ body }, reply) => reply.send(body)),
      ],
      [
        'the stream of a `preParsing` hook before the 404',
        'Not Found',
        (app) =>
          app.addHook('preParsing', async (_request, _reply, payload) => payload.pipe(new PassThrough())),
      ],
    ] as const satisfies [string, string, (app: Context) => unknown][]) {
      test(`gets it when ${what} reads the body`, async () => {
        const app = makeApp();
        set(app);
        const { socket, until } = await open(await servePort(app));
        socket.write(head('/nowhere', 5));
        await until('100 Continue');
        socket.write('hello');
        expect(await until(answer)).toMatch(/HTTP\/1.1 (200|404)/);
      });
    }

    test('is left to a listener of the application', async () => {
      const app = makeApp();
      app.server.on('checkContinue', (_request, response) =>
        response.writeHead(417, { connection: 'close' }).end(),
      );
      expect(statuses(await converse(await servePort(app), head('/', 5)))).toEqual([417]);
    });
  });
});
