/** What is the same on every transport: the same requests get the same responses. */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { Readable, Transform } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { makeStorage } from '../../test/support/async-storage.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { exampleTransport, textOf, transports } from '../../test/support/transports.ts';

forbidProcessFaults();

const json = { 'content-type': 'application/json' };
const plain = { 'content-type': 'text/plain' };
const bytes = { 'content-type': 'application/octet-stream' };

const all = [...transports, exampleTransport];

describe.each(all)('over $name', ({ options: wire, scheme, ask }) => {
  const make = (options: AmbitOptions = {}): Context => ambit({ ...wire, ...options });

  describe('a request', () => {
    test('is routed by method and URL, with its parameters and query', async () => {
      const app = make();
      app.delete('/users/:id', ({ method, url, params, query }) => ({ method, url, params, query }));
      const answer = await ask(app, { method: 'DELETE', path: '/users/7?force=yes' });
      expect([answer.status, JSON.parse(await textOf(answer))]).toEqual([
        200,
        { method: 'DELETE', url: '/users/7?force=yes', params: { id: '7' }, query: { force: 'yes' } },
      ]);
    });

    test('has the headers that were sent, under names in lower case', async () => {
      const app = make();
      app.get('/', ({ headers }) => headers['x-one']);
      expect(await textOf(await ask(app, { headers: { 'X-One': 'first' } }))).toBe('first');
    });

    test('knows its host, its scheme and its id', async () => {
      const app = make({ genReqId: () => 'id-1' });
      app.get('/', ({ hostname, protocol, id }) => ({ hostname, protocol, id }));
      const { hostname, ...others } = JSON.parse(await textOf(await ask(app)));
      expect(['localhost', '127.0.0.1']).toContain(hostname);
      expect(others).toEqual({ protocol: scheme, id: 'id-1' });
    });

    test('reaches the route that its host and its version ask for', async () => {
      const app = make();
      app.get('/', { constraints: { version: '1.0.0' } }, () => 'one');
      app.get('/', { constraints: { version: '2.0.0', host: /localhost|127/ } }, () => 'two');
      expect(await textOf(await ask(app, { headers: { 'accept-version': '2.x' } }))).toBe('two');
    });

    test('is logged when it comes and when it has been answered', async () => {
      const lines = new LogLines();
      const app = make({ logger: { stream: lines } });
      app.get('/', () => 'ok');
      await textOf(await ask(app));
      expect((await lines.until('incoming request')).req).toMatchObject({ method: 'GET', url: '/' });
      expect((await lines.until('request completed')).res).toEqual({ statusCode: 200 });
    });

    test('that no route takes is answered 404', async () => {
      const answer = await ask(make(), { path: '/nowhere' });
      expect([answer.status, JSON.parse(await textOf(answer)).message]).toEqual([
        404,
        'Route GET:/nowhere not found',
      ]);
    });

    test('waits for boot', async () => {
      const app = make();
      app.register(async (child) => {
        await wait(5);
        child.get('/', () => 'booted');
      });
      expect(await textOf(await ask(app))).toBe('booted');
    });

    test('is answered independently of other requests that run', async () => {
      const app = make();
      app.get('/:name', async ({ params }) => {
        const { name } = params as { name: string };
        await wait(name === 'slow' ? 20 : 0);
        return name;
      });
      await app.ready();
      const [first, second] = await Promise.all([
        ask(app, { path: '/slow' }).then(textOf),
        wait(5).then(() => ask(app, { path: '/fast' }).then(textOf)),
      ]);
      expect([first, second]).toEqual(['slow', 'fast']);
    });
  });

  describe('a body', () => {
    for (const [kind, body] of [
      ['whole', () => '{"a":"ä"}'],
      [
        'in pieces',
        () => Readable.from([Buffer.from('{"a":"'), Buffer.from([0xc3]), Buffer.from([0xa4, 0x22, 0x7d])]),
      ],
    ] as const) {
      test(`that comes ${kind} is parsed`, async () => {
        const app = make();
        app.post('/', ({ body }) => body);
        const answer = await ask(app, { method: 'POST', headers: json, body: body() });
        expect([answer.status, await textOf(answer)]).toEqual([200, '{"a":"ä"}']);
      });

      test(`that comes ${kind} and is no JSON is answered 400`, async () => {
        const app = make();
        app.post('/', ({ body }) => body);
        const stop = Readable.from([Buffer.from('{')]);
        const answer = await ask(app, {
          method: 'POST',
          headers: json,
          body: { whole: '{', 'in pieces': stop }[kind],
        });
        expect(answer.status).toBe(400);
      });
    }

    test('keeps its bytes', async () => {
      const app = make();
      const sent = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
      app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
        done(null, body),
      );
      app.post('/', ({ body }) => body);
      const answer = await ask(app, { method: 'POST', headers: bytes, body: sent });
      expect(await buffer(answer.content)).toEqual(sent);
    });

    test('is a stream for a parser that takes one', async () => {
      const app = make();
      app.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload));
      app.post('/', async ({ body }) => {
        let lengthBytes = 0;
        for await (const chunk of body as Readable) lengthBytes += chunk.length;
        return { lengthBytes };
      });
      const body = Readable.from(Array.from({ length: 64 }, () => Buffer.alloc(4096)));
      const answer = await ask(app, { method: 'POST', headers: bytes, body });
      expect(JSON.parse(await textOf(answer))).toEqual({ lengthBytes: 64 * 4096 });
    });

    test('is what a preParsing hook makes of it', async () => {
      const app = make();
      app.addHook('preParsing', async (_request, _reply, payload) =>
        payload.pipe(
          new Transform({ transform: (chunk, _encoding, done) => done(null, String(chunk).toUpperCase()) }),
        ),
      );
      app.post('/', ({ body }) => body);
      expect(await textOf(await ask(app, { method: 'POST', headers: plain, body: 'loud' }))).toBe('LOUD');
    });

    test('that a preParsing hook leaves alone is parsed', async () => {
      const app = make();
      app.addHook('preParsing', async (_request, _reply, payload) => payload);
      app.post('/', ({ body }) => body);
      expect(await textOf(await ask(app, { method: 'POST', headers: plain, body: 'same' }))).toBe('same');
    });

    for (const [length, status] of [
      [8, 200],
      [9, 413],
    ] as const) {
      test(`of ${length} bytes under a limit of 8 is answered ${status}, announced or not`, async () => {
        const app = make({ bodyLimit: 8 });
        app.post('/', () => 'taken');
        const text = 'x'.repeat(length);
        const whole = await ask(app, { method: 'POST', headers: plain, body: text });
        const pieces = await ask(app, {
          method: 'POST',
          headers: plain,
          body: Readable.from([Buffer.from(text)]),
        });
        expect([whole.status, pieces.status]).toEqual([status, status]);
      });
    }

    test('of a type that nobody parses is answered 415', async () => {
      const app = make();
      app.post('/', () => 'taken');
      const answer = await ask(app, { method: 'POST', headers: { 'content-type': 'image/png' }, body: 'x' });
      expect(answer.status).toBe(415);
    });

    test('that is missing leaves the request without one', async () => {
      const app = make();
      app.post('/', ({ body }) => ({ hasBody: body !== undefined }));
      expect(JSON.parse(await textOf(await ask(app, { method: 'POST' })))).toEqual({ hasBody: false });
    });

    test('keeps the AsyncLocalStorage that a hook has entered', async () => {
      const storage = makeStorage<string>();
      const app = make();
      app.addHook('onRequest', (_request, _reply, done) => storage.run('entered', done));
      app.post('/', () => storage.getStore());
      const body = Readable.from([Buffer.from('a'), Buffer.from('b')]);
      expect(await textOf(await ask(app, { method: 'POST', headers: plain, body }))).toBe('entered');
    });
  });

  describe('a response', () => {
    for (const length of ['0x4', '4.0', '+4', '4e0', ' 4', '3', 'four']) {
      test(`whose content-length is '${length}' is sent with its own length`, async () => {
        const app = make();
        app.get('/', (_request, reply) => reply.header('content-length', length).send('text'));
        const answer = await ask(app);
        expect([answer.status, answer.headers['content-length'], await textOf(answer)]).toEqual([
          200,
          '4',
          'text',
        ]);
      });
    }

    test('can have a field __proto__ that is set twice, or removed', async () => {
      const app = make();
      app.get('/', (_request, reply) => {
        reply.header('__proto__', 'a').header('__proto__', 'b').removeHeader('__proto__');
        return reply.send('text');
      });
      expect((await ask(app)).status).toBe(200);
    });

    for (const [what, payload, type, text] of [
      ['a text', 'text', 'text/plain; charset=utf-8', 'text'],
      ['a text beyond ASCII', 'ä€😀', 'text/plain; charset=utf-8', 'ä€😀'],
      ['an empty text', '', 'text/plain; charset=utf-8', ''],
      ['an object', { a: 1 }, 'application/json; charset=utf-8', '{"a":1}'],
      ['bytes', Buffer.from('bytes'), 'application/octet-stream', 'bytes'],
    ] as const) {
      test(`of ${what} arrives whole, with its type and length`, async () => {
        const app = make();
        app.get('/', (_request, reply) => reply.send(payload));
        const answer = await ask(app);
        expect([answer.status, answer.headers['content-type'], await textOf(answer)]).toEqual([
          200,
          type,
          text,
        ]);
        expect(answer.headers['content-length']).toBe(String(Buffer.byteLength(text)));
      });
    }

    for (const [what, make] of [
      ['nothing', () => undefined],
      ['a text', () => 'text'],
      ['a text beyond ASCII', () => 'ä€'],
      ['an object', () => ({ a: 'ä' })],
      ['bytes', () => Buffer.from('bytes')],
      ['a blob', () => new Blob(['ä'])],
      ['a stream', () => Readable.from(['a', 'ä'])],
      ['a web stream', () => new Blob(['ä']).stream()],
    ] as const) {
      test(`of ${what} has the characters of its fields, each as one byte`, async () => {
        const app = ambit(wire);
        const value = 'attachment; filename="caf\xe9.pdf"';
        const fields = { 'content-disposition': value, 'x-name': 'J\xfcrgen \xff', etag: '"\xe9"' };
        app.get('/', (_request, reply) =>
          reply.headers(fields).header('set-cookie', ['a=\xe9']).send(make()),
        );
        app.get('/length', (_request, reply) =>
          reply
            .headers({ ...fields, 'content-length': 3 })
            .header('set-cookie', ['a=\xe9'])
            .send(Readable.from(['a', 'ä'])),
        );
        for (const path of ['/', '/length']) {
          const answer = await ask(app, { path });
          expect(answer.headers).toMatchObject({ ...fields, 'set-cookie': ['a=\xe9'] });
          await textOf(answer);
        }
      });
    }

    for (const lengthBytes of [65_536, 65_537, 1_000_000]) {
      test(`of ${lengthBytes} bytes arrives whole`, async () => {
        const app = make();
        app.get('/text', () => 'x'.repeat(lengthBytes));
        app.get('/bytes', () => Buffer.alloc(lengthBytes, 'x'));
        await app.ready();
        for (const path of ['/text', '/bytes'])
          expect((await textOf(await ask(app, { path }))).length).toBe(lengthBytes);
      });
    }

    test('has its status, its headers and each of its cookies', async () => {
      const app = make();
      app.get('/', (_request, reply) =>
        reply
          .code(201)
          .header('x-one', 'first')
          .header('set-cookie', 'a=1')
          .header('set-cookie', 'b=2')
          .send('made'),
      );
      const { status, headers } = await ask(app);
      expect([status, headers['x-one'], headers['set-cookie']]).toEqual([201, 'first', ['a=1', 'b=2']]);
    });

    for (const status of [204, 304]) {
      test(`with status ${status} has no content, whatever was sent`, async () => {
        const app = make();
        app.get('/text', (_request, reply) => reply.code(status).send('text'));
        app.get('/stream', (_request, reply) => reply.code(status).send(Readable.from(['text'])));
        app.get('/web', (_request, reply) => reply.code(status).send(new Blob(['text']).stream()));
        await app.ready();
        for (const path of ['/text', '/stream', '/web']) {
          const answer = await ask(app, { path });
          expect([answer.status, await textOf(answer)]).toEqual([status, '']);
        }
      });
    }

    test('to HEAD describes the content and brings none', async () => {
      const app = make();
      app.get('/', () => 'text');
      const answer = await ask(app, { method: 'HEAD' });
      expect([answer.status, answer.headers['content-length'], await textOf(answer)]).toEqual([200, '4', '']);
    });

    test('to HEAD of a stream brings none of it', async () => {
      const app = make();
      app.get('/node', (_request, reply) => reply.send(Readable.from(['text'])));
      app.get('/web', (_request, reply) => reply.send(new Blob(['text']).stream()));
      await app.ready();
      for (const path of ['/node', '/web'])
        expect(await textOf(await ask(app, { method: 'HEAD', path }))).toBe('');
    });

    test('to an error is the error, and the application goes on', async () => {
      const app = make();
      app.get('/', () => {
        throw Object.assign(new Error('full'), { statusCode: 507 });
      });
      app.get('/next', () => 'next');
      const answer = await ask(app);
      expect([answer.status, JSON.parse(await textOf(answer)).message]).toEqual([507, 'full']);
      expect(await textOf(await ask(app, { path: '/next' }))).toBe('next');
    });

    test('with a header that cannot be sent is answered 500', async () => {
      const app = make();
      app.get('/', (_request, reply) => reply.header('x-one', 'a\r\nb').send('text'));
      app.get('/stream', (_request, reply) => reply.header('x-one', 'a\r\nb').send(Readable.from(['text'])));
      await app.ready();
      for (const path of ['/', '/stream']) {
        const answer = await ask(app, { path });
        expect([answer.status, JSON.parse(await textOf(answer))]).toEqual([
          500,
          {
            statusCode: 500,
            code: 'ERR_INVALID_CHAR',
            error: 'Internal Server Error',
            message: 'Invalid character in header content ["x-one"]',
          },
        ]);
      }
    });

    test('that takes too long is answered 503', async () => {
      const app = make();
      app.get('/', { handlerTimeout: 20 }, () => new Promise(() => {}));
      expect((await ask(app)).status).toBe(503);
    });

    test('is followed by the onResponse hooks', async () => {
      const app = make();
      const finished = new Promise((resolve) => {
        app.addHook('onResponse', async (_request, reply) => resolve(reply.statusCode));
      });
      app.get('/', () => 'ok');
      await textOf(await ask(app));
      expect(await finished).toBe(200);
    });

    test('of a handler that awaits its reply is sent once', async () => {
      const app = make();
      app.get('/', async (_request, reply) => {
        await reply.send('sent');
        return reply;
      });
      expect(await textOf(await ask(app))).toBe('sent');
    });
  });

  describe('a stream', () => {
    const chunks = ['a', 'ä', 'b'.repeat(10)];
    for (const [what, stream] of [
      ['node stream', () => Readable.from(chunks.map((text) => Buffer.from(text)))],
      ['node stream of texts', () => Readable.from(chunks)],
      ['web stream', () => Readable.toWeb(Readable.from(chunks.map((text) => Buffer.from(text))))],
      [
        'Response',
        () => new Response(Readable.toWeb(Readable.from(chunks.map((text) => Buffer.from(text)))) as never),
      ],
    ] as const) {
      test(`that is a ${what} arrives whole`, async () => {
        const app = make();
        app.get('/', (_request, reply) => reply.header('x-one', 'first').send(stream()));
        const answer = await ask(app);
        expect([answer.headers['x-one'], await textOf(answer)]).toEqual(['first', chunks.join('')]);
      });
    }

    for (const [what, wrap] of [
      ['node', (stream: Readable) => stream],
      ['web', (stream: Readable) => Readable.toWeb(stream)],
    ] as const) {
      test(`of ${what}'s that fails before its first byte is answered 500`, async () => {
        const app = make();
        const broken = (): Readable =>
          new Readable({
            read() {
              this.destroy(new Error('broken'));
            },
          });
        app.get('/', (_request, reply) => reply.send(wrap(broken())));
        const answer = await ask(app);
        expect([answer.status, JSON.parse(await textOf(answer)).message]).toEqual([500, 'broken']);
      });

      test(`of ${what}'s that fails later cuts the response off`, async () => {
        const app = make();
        const stream = new Readable({ read() {} });
        app.get('/', (_request, reply) => {
          stream.push('first');
          return reply.send(wrap(stream));
        });
        const answer = await ask(app);
        setTimeout(() => stream.destroy(new Error('broken')), 10);
        await expect(textOf(answer)).rejects.toThrow();
      });

      for (const [is, lengthBytes] of [
        ['longer', 7],
        ['shorter', 9],
      ] as const) {
        test(`of ${what}'s that is ${is} than its content-length is cut off, and the error is logged`, async () => {
          const lines = new LogLines();
          const app = make({ logger: { stream: lines } });
          app.get('/', (_request, reply) =>
            reply
              .header('content-length', lengthBytes)
              .send(wrap(Readable.from(['first', 'end'].map(Buffer.from)))),
          );
          const received = await ask(app)
            .then(textOf)
            .catch(() => 'cut off');
          expect(received).not.toBe('firstend');
          await expect
            .poll(() => lines.lines.map(({ err }) => err?.code))
            .toContain('AMBIT_ERR_STREAM_LENGTH_MISMATCH');
        });
      }

      test(`of ${what}'s that has its content-length arrives whole`, async () => {
        const app = make();
        app.get('/', (_request, reply) =>
          reply.header('content-length', 8).send(wrap(Readable.from(['first', 'end'].map(Buffer.from)))),
        );
        expect(await textOf(await ask(app))).toBe('firstend');
      });
    }
  });

  describe('a client that leaves', () => {
    test('aborts the signal of its request, and the onRequestAbort hooks run', async () => {
      const app = make();
      const leaving = new AbortController();
      const hook = new Promise((resolve) => {
        app.addHook('onRequestAbort', async ({ signal }) => resolve(signal.aborted));
      });
      const handler = new Promise((resolve) => {
        app.get('/', ({ signal }) => {
          signal.addEventListener('abort', () => resolve(signal.aborted));
          leaving.abort();
          return new Promise(() => {});
        });
      });
      ask(app, { signal: leaving.signal }).catch(() => {});
      expect(await Promise.all([hook, handler])).toEqual([true, true]);
    });

    test('destroys the stream that is sent to it', async () => {
      const app = make();
      const leaving = new AbortController();
      const stream = new Readable({ read() {} });
      app.get('/', (_request, reply) => {
        stream.push('first');
        return reply.send(stream);
      });
      const { content } = await ask(app, { signal: leaving.signal });
      content.on('error', () => {});
      await once(content, 'data');
      const closed = once(stream, 'close');
      leaving.abort();
      content.destroy();
      await closed;
      expect(stream.destroyed).toBe(true);
    });
  });
});

const withBackpressure = all.filter(({ name }) => name !== 'inject');

describe.each(withBackpressure)('over $name, a client that does not read', ({ options, ask }) => {
  for (const [what, wrap] of [
    ['node', (stream: Readable) => stream],
    ['web', (stream: Readable) => Readable.toWeb(stream)],
  ] as const) {
    test(`is not sent more of a ${what} stream than its wire holds, and all of it in the end`, async () => {
      const app = ambit(options);
      const totalBytes = 32 * 1024 * 1024;
      let readBytes = 0;
      const chunk = Buffer.alloc(64 * 1024);
      const source = new Readable({
        highWaterMark: chunk.length,
        read() {
          readBytes += chunk.length;
          this.push(readBytes > totalBytes ? null : chunk);
        },
      });
      app.get('/', (_request, reply) => reply.send(wrap(source)));
      const answer = await ask(app);
      let before: number;
      do {
        before = readBytes;
        for (let turn = 0; turn < 50; turn++) await nextTurn();
      } while (readBytes !== before);
      expect(readBytes).toBeLessThan(totalBytes / 2);
      let receivedBytes = 0;
      for await (const { length } of answer.content) receivedBytes += length;
      expect(receivedBytes).toBe(totalBytes);
    });
  }
});

const lateUses: Readonly<Record<string, (raw: ServerResponse) => unknown>> = {
  'end(text)': (raw) => raw.end('late'),
  'end(text, callback)': (raw) => raw.end('late', () => {}),
  'end()': (raw) => raw.end(),
  'write(text)': (raw) => raw.write('late'),
  'write(text) and end(text)': (raw) => raw.write('late') || raw.end('later'),
  writeHead: (raw) => raw.writeHead(200).end('late'),
  'writeHead with fields': (raw) => raw.writeHead(200, { 'x-late': '1' }).end('late'),
  setHeader: (raw) => raw.setHeader('x-late', '1'),
  'a pipe': (raw) => Readable.from(['a', 'b']).pipe(raw),
  'a pipeline': (raw) => void pipeline(Readable.from(['a', 'b']), raw).catch(() => {}),
};

describe.each(transports)('over $name, `reply.raw` that is first read', ({ options, ask }) => {
  test.each(Object.entries(lateUses))(
    'after handlerTimeout has replied: `%s` harms nobody',
    async (_name, use) => {
      const app = ambit({ ...options, handlerTimeout: 20 });
      const isUsed = new Promise<void>((resolve) => {
        app.get('/', async (request, reply) => {
          await once(request.signal, 'abort');
          await wait(5);
          // Some of them throw, as they do with node's objects.
          await (async () => use(reply.raw))().catch(() => {});
          resolve();
          return reply;
        });
      });
      app.get('/next', () => 'next');
      const answer = await ask(app);
      expect([answer.status, await textOf(answer)]).toEqual([503, expect.not.stringContaining('late')]);
      await isUsed;
      expect(await textOf(await ask(app, { path: '/next' }))).toBe('next');
    },
  );

  test('after the reply gives a late `write` its error', async () => {
    const app = ambit(options);
    const late = new Promise((resolve) => {
      app.addHook('onResponse', async (_request, { raw }) => {
        await wait(5);
        raw.write('late', resolve);
      });
    });
    app.get('/', () => 'reply');
    expect(await textOf(await ask(app))).toBe('reply');
    expect(await late).toBeInstanceOf(Error);
  });

  test('in the turn of the reply emits its last events', async () => {
    const app = ambit(options);
    const closed = new Promise((resolve) => {
      app.get('/', (_request, reply) => {
        reply.send('reply');
        reply.raw.on('close', resolve);
      });
    });
    expect(await textOf(await ask(app))).toBe('reply');
    await closed;
  });
});
