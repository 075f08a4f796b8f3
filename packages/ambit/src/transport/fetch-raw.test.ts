/** `request.raw` and `reply.raw` of requests that come by `app.fetch`: what middleware and plugins use of node's objects. */
import { EventEmitter, once } from 'node:events';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ambit, type Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { fastify } from '../../../fastify/src/index.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';

forbidProcessFaults();

const get = (path: string, init?: RequestInit): Request => new Request(`http://localhost${path}`, init);
const post = (body: string | Uint8Array<ArrayBuffer>): Request =>
  get('/x', { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body });

describe.each([
  { flavor: 'ambit', create: ambit as () => Context },
  { flavor: 'the facade', create: fastify as unknown as () => Context },
])('on $flavor, request.raw', ({ create }) => {
  test('is the stream of a body that no parser has read', async () => {
    const app = create();
    app.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null, undefined));
    app.post('/x', async ({ raw }) => {
      const chunks: Buffer[] = [];
      for await (const chunk of raw) chunks.push(chunk);
      return { length: Buffer.concat(chunks).length, complete: raw.complete };
    });
    const response = await app.fetch(post(new Uint8Array(300_000)));
    expect(await response.json()).toEqual({ length: 300_000, complete: true });
  });

  test('that a hook has touched does not keep the body from its parser', async () => {
    const app = create();
    app.addHook('onRequest', async ({ raw }) => void raw.headers);
    app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
      done(null, body.length),
    );
    app.post('/x', ({ body }) => ({ length: body }));
    expect(await (await app.fetch(post('four'))).json()).toEqual({ length: 4 });
  });

  test('has an url that middleware may change, and the fields as lists', async () => {
    const app = create();
    app.addHook('onRequest', async ({ raw }) => {
      raw.url = raw.url!.replace('?a=1', '?a=2');
    });
    app.get('/x', ({ url, raw }) => ({
      url,
      raw: raw.rawHeaders.includes('x-a'),
      list: raw.headersDistinct['x-a'],
    }));
    const response = await app.fetch(get('/x?a=1', { headers: { 'x-a': 'b' } }));
    expect(await response.json()).toEqual({ url: '/x?a=2', raw: true, list: ['b'] });
  });

  test('fails with its body when the client leaves', async () => {
    const app = create();
    const failed = new EventEmitter();
    app.addContentTypeParser('application/octet-stream', (_request, _payload, done) => done(null, undefined));
    app.post('/x', ({ raw }, reply) => {
      raw.on('error', ({ code }: NodeJS.ErrnoException) => failed.emit('code', code));
      raw.once('data', () => leaving.abort());
      return reply.hijack();
    });
    const leaving = new AbortController();
    const endless = new ReadableStream({ pull: (sink) => sink.enqueue(new Uint8Array(10)) });
    const init = { method: 'POST', body: endless, duplex: 'half', signal: leaving.signal } as RequestInit;
    const headers = { 'content-type': 'application/octet-stream' };
    const code = once(failed, 'code');
    await expect(app.fetch(get('/x', { ...init, headers }))).rejects.toThrow();
    expect(await code).toEqual(['ERR_STREAM_PREMATURE_CLOSE']);
  });

  test.each(['write', 'getPeerCertificate'] as const)(
    'has a socket whose `%s` is an error that names it',
    async (member) => {
      const app = create();
      app.get('/x', ({ raw }) => (raw.socket as never as Record<string, () => unknown>)[member]!());
      const response = await app.fetch(get('/x'));
      expect(((await response.json()) as { message: string }).message).toContain(
        `request.raw.socket.${member}: not available in this runtime`,
      );
    },
  );

  test('names the plugin, the route and the caller of a member that only node has', async () => {
    const app = create();
    app.setErrorHandler((error, _request, reply) => reply.send((error as { where?: object }).where));
    app.register(async function sockets(plugin) {
      plugin.get('/x/:id', ({ raw }) => raw.socket.address());
      plugin.get('/y', (_request, reply) => reply.raw.assignSocket({} as never));
    });
    for (const [path, route] of [
      ['/x/1', 'GET /x/:id'],
      ['/y', 'GET /y'],
    ] as const)
      expect(await (await app.fetch(get(path))).json()).toEqual({
        plugin: expect.stringContaining('sockets'),
        route,
        file: expect.stringMatching(/fetch-raw\.test\.ts:\d+:\d+$/),
      });
  });
});

describe.each([
  { flavor: 'ambit', create: ambit as () => Context },
  { flavor: 'the facade', create: fastify as unknown as () => Context },
])('on $flavor, reply.raw', ({ create }) => {
  test('takes a stream that is piped to it, at the pace of the client', async () => {
    const app = create();
    const body = Buffer.alloc(1_000_000, 'x');
    app.get('/x', async (_request, reply) => {
      await pipeline(Readable.from([body, body]), reply.hijack().raw);
    });
    const response = await app.fetch(get('/x'));
    expect(Buffer.from(await response.arrayBuffer()).equals(Buffer.concat([body, body]))).toBe(true);
  });

  test('ends with text in an encoding, and calls back', async () => {
    const app = create();
    const ended = new EventEmitter();
    app.get('/x', (_request, reply) => {
      reply.hijack().raw.end('6869', 'hex', () => ended.emit('end'));
    });
    const end = once(ended, 'end');
    expect(await (await app.fetch(get('/x'))).text()).toBe('hi');
    await end;
  });

  test('keeps its members when a framework gives it the prototype of node, as Express does', async () => {
    const app = create();
    app.get('/x', (request, reply) => {
      const { raw } = reply.hijack();
      Object.setPrototypeOf(request.raw, Object.create(IncomingMessage.prototype));
      Object.setPrototypeOf(raw, Object.create(ServerResponse.prototype));
      raw.statusCode = 202;
      raw.setHeader('x-url', request.raw.url!);
      raw.write('a');
      raw.end('b');
    });
    const response = await app.fetch(get('/x?c'));
    expect([response.status, response.headers.get('x-url'), await response.text()]).toEqual([
      202,
      '/x?c',
      'ab',
    ]);
  });

  test('sends the head by its method `writeHead`, which middleware may replace', async () => {
    const app = create();
    app.get('/x', (_request, reply) => {
      const { raw } = reply.hijack();
      const { writeHead } = raw;
      raw.writeHead = (...given: unknown[]) => {
        raw.setHeader('x-late', '1');
        return writeHead.apply(raw, given as never);
      };
      raw.end('done');
    });
    expect((await app.fetch(get('/x'))).headers.get('x-late')).toBe('1');
  });

  test('takes fields in each form that node takes', async () => {
    const app = create();
    app.get('/x', (_request, reply) => {
      const { raw } = reply.hijack();
      raw.setHeaders(new Map([['x-map', '1']]));
      raw.appendHeader('x-list', 'a').appendHeader('x-list', 'b');
      raw.writeHead(200, 'Fine', ['x-array', '2']).end();
    });
    const { headers } = await app.fetch(get('/x'));
    expect(['x-map', 'x-list', 'x-array'].map((name) => headers.get(name))).toEqual(['1', 'a, b', '2']);
  });

  test('refuses fields once the head is sent', async () => {
    const app = create();
    app.get('/x', (_request, reply) => {
      const { raw } = reply.hijack();
      raw.write('a');
      let code: unknown;
      try {
        raw.setHeader('x-late', '1');
      } catch (error) {
        code = (error as NodeJS.ErrnoException).code;
      }
      raw.end(`, ${code}`);
    });
    expect(await (await app.fetch(get('/x'))).text()).toBe('a, ERR_HTTP_HEADERS_SENT');
  });

  test("emits 'finish' and 'close' for a reply that was sent without it", async () => {
    const app = create();
    const events = new EventEmitter();
    const seen: unknown[] = [];
    app.addHook('onRequest', async (_request, { raw }) => {
      raw.on('finish', () => seen.push('finish'));
      raw.on('close', () => events.emit('closed', raw.writableFinished, raw.writableEnded));
    });
    app.get('/x', () => 'sent');
    const closed = once(events, 'closed');
    expect(await (await app.fetch(get('/x'))).text()).toBe('sent');
    expect([await closed, seen]).toEqual([[true, true], ['finish']]);
  });

  test("emits 'close' and no 'finish' when the client leaves", async () => {
    const app = create();
    const events = new EventEmitter();
    const leaving = new AbortController();
    app.get('/x', (_request, reply) => {
      const { raw } = reply.hijack();
      raw.on('finish', () => events.emit('closed', 'finished'));
      raw.on('close', () => events.emit('closed', raw.writableFinished));
      leaving.abort();
    });
    const closed = once(events, 'closed');
    await expect(app.fetch(get('/x', { signal: leaving.signal }))).rejects.toThrow();
    expect(await closed).toEqual([false]);
  });

  test('that is destroyed ends the call with the error', async () => {
    const app = create();
    app.get('/x', (_request, reply) => void reply.hijack().raw.destroy(new Error('broken')));
    await expect(app.fetch(get('/x'))).rejects.toThrow('broken');
  });

  test('answers HEAD without content', async () => {
    const app = create();
    app.head(
      '/x',
      (_request, reply) => void reply.hijack().raw.writeHead(200, { 'x-a': '1' }).end('left out'),
    );
    const response = await app.fetch(get('/x', { method: 'HEAD' }));
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([200, '1', '']);
  });
});

describe('a request for a WebSocket', () => {
  const upgrade = { headers: { connection: 'Upgrade', upgrade: 'WebSocket' } };

  test('is refused where the application waits for upgrades of the server', async () => {
    const app = ambit();
    app.server.on('upgrade', () => {});
    app.get('/x', () => 'a request as others are');
    const response = await app.fetch(get('/x', upgrade));
    expect([response.status, await response.json()]).toEqual([
      501,
      expect.objectContaining({
        code: 'AMBIT_ERR_RUNTIME_UNSUPPORTED',
        message: expect.stringContaining("the event 'upgrade' of app.server: not available"),
      }),
    ]);
  });

  test('is served where nobody waits for upgrades', async () => {
    const app = ambit();
    app.get('/x', ({ headers }) => headers.upgrade);
    expect(await (await app.fetch(get('/x', upgrade))).text()).toBe('WebSocket');
  });
});
