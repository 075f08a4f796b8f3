/** `app.fetch`: what is its own. What all transports have in common is in `transports.test.ts`. */
import { EventEmitter, once } from 'node:events';
import { Readable } from 'node:stream';
import { ambit, type Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { fastify } from '../../../fastify/src/index.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';

forbidProcessFaults();

const origin = 'http://localhost';
const get = (path: string, init?: RequestInit): Request => new Request(origin + path, init);

/** A request whose body comes chunk by chunk, for as long as somebody reads it. */
function upload(path: string, chunkBytes = 65_536) {
  const seen = { chunks: 0, cancelled: Promise.resolve<unknown>(undefined) };
  let cancel!: (reason: unknown) => void;
  seen.cancelled = new Promise((resolve) => {
    cancel = resolve;
  });
  const body = new ReadableStream(
    {
      pull(sink) {
        seen.chunks++;
        sink.enqueue(new Uint8Array(chunkBytes));
      },
      cancel,
    },
    { highWaterMark: 0 },
  );
  const headers = { 'content-type': 'application/octet-stream' };
  const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit;
  return { request: get(path, init), seen };
}

describe.each([
  { flavor: 'ambit', create: ambit as () => Context },
  { flavor: 'the facade', create: fastify as unknown as () => Context },
])('on $flavor', ({ create }) => {
  test('fetch boots the application, and needs no `this`', async () => {
    const app = create();
    app.register(async (child) => void child.get('/x', () => ({ a: 1 })));
    const { fetch } = app;
    const response = await fetch(get('/x'));
    expect(response).toBeInstanceOf(Response);
    expect([response.status, response.headers.get('content-type'), await response.json()]).toEqual([
      200,
      'application/json; charset=utf-8',
      { a: 1 },
    ]);
  });

  test('fields are sent whatever their names and types are, and not those of the connection', async () => {
    const app = create();
    app.get('/x', (_request, reply) =>
      reply.header('x-number', 7).header('__proto__', 'field').header('Connection', 'close').send({ a: 1 }),
    );
    const { headers } = await app.fetch(get('/x'));
    expect(Object.fromEntries([...headers])).toEqual({
      'content-length': '7',
      'content-type': 'application/json; charset=utf-8',
      'x-number': '7',
      ['__proto__']: 'field',
    });
  });

  test('requests are validated, and responses serialized, by the schemas of the route', async () => {
    const app = create();
    const schema = {
      body: { type: 'object', required: ['a'], properties: { a: { type: 'integer' } } },
      response: { 200: { type: 'object', properties: { a: { type: 'integer' } } } },
    } as const;
    app.post('/x', { schema }, ({ body }) => ({ ...body, secret: 1 }));
    const post = (body: unknown) =>
      app.fetch(
        get('/x', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }),
      );
    expect(await (await post({ a: '7' })).text()).toBe('{"a":7}');
    expect((await post({})).status).toBe(400);
  });

  test('each cookie is a field of its own', async () => {
    const app = create();
    app.get('/x', (_request, reply) =>
      reply.header('set-cookie', ['a=1', 'b=2']).header('set-cookie', 'c=3').send('ok'),
    );
    expect((await app.fetch(get('/x'))).headers.getSetCookie()).toEqual(['a=1', 'b=2', 'c=3']);
  });

  test('a closed application replies with 503', async () => {
    const app = create();
    app.get('/x', () => 'ok');
    expect((await app.fetch(get('/x'))).status).toBe(200);
    await app.close();
    const response = await app.fetch(get('/x'));
    expect([response.status, await response.json()]).toEqual([
      503,
      { error: 'Service Unavailable', message: 'Service Unavailable', statusCode: 503 },
    ]);
  });

  test('an application that closes replies with 503, and finishes what has begun', async () => {
    const app = create();
    const events = new EventEmitter();
    app.get('/slow', async () => {
      const closing = once(events, 'closing');
      events.emit('begun');
      await closing;
      return 'done';
    });
    app.addHook('preClose', async () => {
      expect((await app.fetch(get('/slow'))).status).toBe(503);
      events.emit('closing');
    });
    const begun = once(events, 'begun');
    const slow = app.fetch(get('/slow'));
    await begun;
    await app.close();
    expect(await (await slow).text()).toBe('done');
  });

  test('a decorator with the name `fetch` takes its place, once, and is reported only then', () => {
    const app = create();
    const own = (): string => 'own';
    expect(app.hasDecorator('fetch')).toBe(false);
    app.decorate('fetch' as never, own as never);
    expect(app.hasDecorator('fetch')).toBe(true);
    expect(app.fetch).toBe(own);
    expect(() => app.decorate('fetch' as never, own as never)).toThrow(
      expect.objectContaining({ code: 'FST_ERR_DEC_ALREADY_PRESENT' }),
    );
  });

  for (const [title, given, received] of [
    ['a text', '/x', 'string'],
    ['nothing', undefined, 'undefined'],
    ['null', null, 'null'],
    ['an object that is no Request', { url: '/x' }, 'object'],
  ] as const) {
    test(`${title} in place of a Request is refused`, async () => {
      await expect(create().fetch(given as never)).rejects.toMatchObject({
        code: 'AMBIT_ERR_FETCH_REQUEST_INVALID',
        message: `fetch must be called with a Request, instead got ${received}`,
      });
    });
  }
});

test('a boot that fails rejects each call', async () => {
  const app = ambit();
  app.register(async () => {
    throw new Error('no database');
  });
  await expect(app.fetch(get('/'))).rejects.toThrow('no database');
  await expect(app.fetch(get('/'))).rejects.toThrow('no database');
});

test('a context serves the whole application', async () => {
  const app = ambit();
  app.get('/root', () => 'root');
  const contexts: Context[] = [];
  app.register(async (child) => void contexts.push(child as never), { prefix: '/child' });
  await app.ready();
  expect(await (await contexts[0]!.fetch(get('/root'))).text()).toBe('root');
});

describe('a request', () => {
  test('has the path and the query of its URL, and no fragment', async () => {
    const app = ambit();
    app.get('/*', ({ url, originalUrl, query, host, protocol }) => ({
      url,
      originalUrl,
      query,
      host,
      protocol,
    }));
    const response = await app.fetch(new Request('https://example.com:8443/a%20b/?c=1&c=2#part'));
    expect(await response.json()).toEqual({
      url: '/a%20b/?c=1&c=2',
      originalUrl: '/a%20b/?c=1&c=2',
      query: { c: ['1', '2'] },
      host: 'example.com:8443',
      protocol: 'https',
    });
  });

  for (const [runtime, context, ip] of [
    ['Deno', { remoteAddr: { transport: 'tcp', hostname: '192.0.2.1', port: 1 } }, '192.0.2.1'],
    [
      'Bun',
      { requestIP: (request: Request) => ({ address: `2001:db8::${request.method}` }) },
      '2001:db8::GET',
    ],
    ['Bun, for a connection that has ended', { requestIP: () => null }, undefined],
    ['another runtime', { waitUntil() {} }, undefined],
    ['nobody', undefined, undefined],
  ] as const) {
    test(`has the address that ${runtime} tells`, async () => {
      const app = ambit();
      app.get('/x', ({ ip, socket }) => ({ ip, hasSocket: socket !== undefined }));
      expect(await (await app.fetch(get('/x'), context)).json()).toEqual({ ip, hasSocket: false });
    });
  }

  test('trusts forwarded addresses only of the proxies that the application trusts', async () => {
    const app = ambit({ trustProxy: '192.0.2.1' });
    app.get('/x', ({ ip }) => ip);
    const ask = async (hostname: string) =>
      (
        await app.fetch(get('/x', { headers: { 'x-forwarded-for': '198.51.100.7' } }), {
          remoteAddr: { hostname },
        })
      ).text();
    expect([await ask('192.0.2.1'), await ask('192.0.2.2')]).toEqual(['198.51.100.7', '192.0.2.2']);
  });

  test('has a `raw` with what functions such as genReqId and rewriteUrl read', async () => {
    const app = ambit({
      genReqId: (raw) => `${raw.method} ${raw.headers['x-id']}`,
      rewriteUrl: (raw) => raw.url!.replace('/old', '/new'),
    });
    app.get('/new', ({ id, raw }, reply) => ({
      id,
      url: raw.url,
      version: raw.httpVersion,
      socket: raw.socket,
      aborted: raw.aborted,
      response: reply.raw.statusCode,
    }));
    const response = await app.fetch(get('/old', { headers: { 'x-id': '7' } }), {
      remoteAddr: { hostname: '192.0.2.1' },
    });
    expect(await response.json()).toEqual({
      id: 'GET 7',
      url: '/new',
      version: '1.1',
      socket: { remoteAddress: '192.0.2.1', encrypted: false },
      aborted: false,
      response: 200,
    });
  });

  test('has a `reply.raw` whose status and fields are sent, under those of the reply', async () => {
    const app = ambit();
    app.addHook('onRequest', async (_request, reply) => {
      reply.raw.setHeader('X-Raw', '1').setHeader('x-both', 'raw').setHeader('x-gone', '1');
      reply.raw.removeHeader('x-gone');
      reply.raw.statusCode = 201;
    });
    app.get('/x', (_request, reply) => reply.header('x-both', 'reply').send(reply.getHeaders()));
    const { status, headers } = await app.fetch(get('/x'));
    expect([status, headers.get('x-raw'), headers.get('x-both'), headers.get('x-gone')]).toEqual([
      201,
      '1',
      'reply',
      null,
    ]);
  });

  test('has a `reply.raw` that writes the response of a route that hijacks it', async () => {
    const app = ambit();
    let end!: () => void;
    const closed = new Promise<string[]>((resolve) => {
      const events: string[] = [];
      end = () => resolve(events);
      app.get('/x', (_request, reply) => {
        const { raw } = reply.hijack();
        raw.on('finish', () => events.push(`finished ${raw.writableEnded}`));
        raw.on('close', end);
        raw.writeHead(202, { 'x-own': 'a' });
        raw.write('one, ');
        raw.end('two');
      });
    });
    const response = await app.fetch(get('/x'));
    expect([response.status, response.headers.get('x-own'), await response.text()]).toEqual([
      202,
      'a',
      'one, two',
    ]);
    expect(await closed).toEqual(['finished true']);
  });

  test('says what of `reply.raw` needs node, instead of failing somewhere else', async () => {
    const app = ambit();
    app.get('/x', (_request, reply) => reply.raw.assignSocket({} as never));
    const response = await app.fetch(get('/x'));
    expect([response.status, ((await response.json()) as { message: string }).message]).toEqual([
      500,
      expect.stringMatching(/^reply\.raw\.assignSocket: not available in this runtime\. Use the methods/),
    ]);
  });
});

describe('a body', () => {
  test('that is not read is not fetched, and is cancelled when there is a response', async () => {
    const app = ambit();
    app.get('/x', () => 'ok');
    const { request, seen } = upload('/nowhere');
    const response = await app.fetch(request);
    await seen.cancelled;
    expect([response.status, seen.chunks]).toEqual([404, 0]);
  });

  test('that is too large is cancelled, and answered before it ends', async () => {
    const app = ambit({ bodyLimit: 100_000 });
    app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, async () => 'read');
    app.post('/x', () => 'ok');
    const { request, seen } = upload('/x');
    const response = await app.fetch(request);
    await seen.cancelled;
    expect([response.status, seen.chunks]).toEqual([413, 2]);
  });

  test('is fetched at the pace of the handler that reads it', async () => {
    const app = ambit();
    app.addContentTypeParser(
      'application/octet-stream',
      async (_request: unknown, payload: Readable) => payload,
    );
    app.post('/x', async ({ body }) => {
      let lengthBytes = 0;
      for await (const chunk of body as Readable) {
        lengthBytes += chunk.length;
        if (lengthBytes >= 10 * 65_536) break;
      }
      return String(lengthBytes);
    });
    const { request, seen } = upload('/x');
    expect(await (await app.fetch(request)).text()).toBe('655360');
    await seen.cancelled;
    expect(seen.chunks).toBeLessThan(16);
  });

  test('with the length 0 is read as the same on other wires', async () => {
    const app = ambit();
    app.post('/x', ({ body }) => ({ body: String(body) }));
    for (const type of ['application/json', 'text/plain']) {
      const headers = { 'content-type': type, 'content-length': '0' };
      const response = await app.fetch(get('/x', { method: 'POST', headers, body: new Uint8Array(0) }));
      const injected = await app.inject({ method: 'POST', url: '/x', headers });
      expect([response.status, await response.text()]).toEqual([injected.statusCode, injected.body]);
    }
  });

  for (const [failure, status] of [
    [new Error('cut off'), 400],
    ['cut off', 400],
    [undefined, 500],
  ] as const) {
    for (const touches of [false, true]) {
      test(`that fails with ${failure}${touches ? ', whose stream a hook has touched,' : ''} is answered ${status}`, async () => {
        const app = ambit();
        app.addHook('onRequest', async (request) => void (touches && request.raw));
        app.post('/x', () => 'ok');
        const body = new ReadableStream({
          pull() {
            throw failure;
          },
        });
        const init = { method: 'POST', headers: { 'content-type': 'text/plain' }, body, duplex: 'half' };
        expect((await app.fetch(get('/x', init as RequestInit))).status).toBe(status);
      });
    }
  }

  test('whose stream a hook has touched is cancelled, too, when it is too large', async () => {
    const app = ambit({ bodyLimit: 100_000 });
    app.addHook('onRequest', async (request) => void request.raw);
    app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, async () => 'read');
    app.post('/x', () => 'ok');
    const { request, seen } = upload('/x');
    expect((await app.fetch(request)).status).toBe(413);
    await seen.cancelled;
  });

  const headers = { 'content-type': 'text/plain' };

  test.each([
    ['with a length', { ...headers, 'content-length': '100' }],
    ['without a length', headers],
  ])('%s that fails, of a request from a server, is one whose client has left', async (_, headers) => {
    const app = ambit();
    const ran: string[] = [];
    app.addHook('onRequestAbort', async ({ signal }) => void ran.push(`aborted: ${signal.aborted}`));
    app.addHook('onResponse', async () => void ran.push('onResponse'));
    app.post('/x', () => 'never');
    const body = new ReadableStream({
      pull() {
        throw new Error('the connection is lost');
      },
    });
    const request = get('/x', { method: 'POST', headers, body, duplex: 'half' } as RequestInit);
    expect((await app.fetch(request, {})).status).toBe(503);
    expect(ran).toEqual(['aborted: true']);
  });

  test('that somebody has read before is answered 400', async () => {
    const app = ambit();
    app.post('/x', () => 'never');
    const request = get('/x', { method: 'POST', headers, body: 'text' });
    await request.text();
    expect((await app.fetch(request, {})).status).toBe(400);
  });
});

describe('a response', () => {
  test('without content has no body and no type', async () => {
    const app = ambit();
    app.get('/empty', (_request, reply) => void reply.send());
    app.get('/204', (_request, reply) => reply.code(204).send('text'));
    app.get('/205', (_request, reply) => reply.code(205).send('text'));
    app.get('/304', (_request, reply) => reply.code(304).send('text'));
    for (const path of ['/empty', '/204', '/205', '/304'])
      expect((await app.fetch(get(path))).body).toBeNull();
    expect((await app.fetch(get('/empty'))).headers.get('content-type')).toBeNull();
    const head = await app.fetch(get('/empty', { method: 'HEAD' }));
    expect([head.status, head.body]).toEqual([200, null]);
  });

  test('has no fields of the connection, which is that of the runtime', async () => {
    const app = ambit();
    app.get('/x', (_request, reply) =>
      reply
        .headers({
          connection: 'close',
          'keep-alive': 'timeout=5',
          'transfer-encoding': 'chunked',
          'x-own': '1',
        })
        .send('ok'),
    );
    const { headers } = await app.fetch(get('/x'));
    expect(Object.keys(Object.fromEntries(headers)).sort()).toEqual(['content-type', 'x-own']);
  });

  test('has no trailers: they are left out with a warning, and the length is sent', async () => {
    const app = ambit();
    app.get('/trailers', (_request, reply) => {
      reply.trailer('x-sum', (_reply, _payload, done) => done(null, '1'));
      return reply.send('text');
    });
    const warned = once(process, 'warning');
    const response = await app.fetch(get('/trailers'));
    expect([response.headers.get('content-length'), await response.text()]).toEqual(['4', 'text']);
    expect(response.headers.has('trailer')).toBe(false);
    const [warning] = (await warned) as [Error & { code: string }];
    expect(warning).toMatchObject({
      code: 'AMBWRN006',
      message: expect.stringContaining('GET /trailers are left out (x-sum)'),
    });
  });

  test('has no early hints: they are left out with a warning', async () => {
    const app = ambit();
    app.get('/hints', (_request, reply) => {
      reply.writeEarlyHints({ link: '</style.css>; rel=preload' });
      return 'text';
    });
    const warned = once(process, 'warning');
    expect(await (await app.fetch(get('/hints'))).text()).toBe('text');
    expect((await warned)[0]).toMatchObject({
      code: 'AMBWRN007',
      message: expect.stringContaining('GET /hints'),
    });
  });

  test('to a server comes with a warning if the application has options of a server', async () => {
    const app = ambit({ requestTimeout: 5000, bodyLimit: 10 });
    app.get('/x', () => 'text');
    const warned = once(process, 'warning');
    await app.fetch(get('/x'), {});
    const [warning] = await warned;
    expect(warning).toMatchObject({
      code: 'AMBWRN008',
      message: expect.stringContaining('requestTimeout. The server'),
    });
  });

  test('of a stream begins before the stream ends', async () => {
    const app = ambit();
    const stream = new Readable({ read() {} });
    app.get('/x', (_request, reply) => {
      stream.push('first');
      return reply.send(stream);
    });
    const reader = (await app.fetch(get('/x'))).body!.getReader();
    const { value } = await reader.read();
    expect(Buffer.from(value!).toString()).toBe('first');
    stream.push(null);
    expect((await reader.read()).done).toBe(true);
  });

  test('whose body is cancelled lets go of its stream, and the request counts as aborted', async () => {
    const app = ambit();
    const stream = new Readable({ read() {} });
    const aborted = new Promise((resolve) => {
      app.get('/x', ({ signal }, reply) => {
        signal.addEventListener('abort', resolve);
        stream.push('first');
        return reply.send(stream);
      });
    });
    const { body } = await app.fetch(get('/x'));
    const closed = once(stream, 'close');
    await body!.cancel();
    await Promise.all([closed, aborted]);
    expect(stream.destroyed).toBe(true);
  });
});

describe('a client that leaves', () => {
  test('ends the call with the reason of its signal', async () => {
    const app = ambit();
    const leaving = new AbortController();
    const reason = new Error('not needed any more');
    const aborted = new Promise<boolean>((resolve) => {
      app.get('/x', ({ signal }) => {
        signal.addEventListener('abort', () => resolve(signal.aborted));
        leaving.abort(reason);
        return new Promise(() => {});
      });
    });
    await expect(app.fetch(get('/x', { signal: leaving.signal }))).rejects.toBe(reason);
    expect(await aborted).toBe(true);
  });

  test('before the call is not served', async () => {
    const app = ambit();
    let calls = 0;
    app.get('/x', () => calls++);
    await app.ready();
    await expect(app.fetch(get('/x', { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(calls).toBe(0);
  });

  test('in the middle of its body fails the body', async () => {
    const app = ambit();
    const leaving = new AbortController();
    const failed = new Promise((resolve) => app.setErrorHandler((error) => resolve(error)));
    app.post('/x', () => 'ok');
    const body = new ReadableStream({
      start: (sink) => sink.enqueue(Buffer.from('first')),
      pull: () => leaving.abort(),
    });
    const init = {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body,
      duplex: 'half',
      signal: leaving.signal,
    };
    await expect(app.fetch(get('/x', init as RequestInit))).rejects.toMatchObject({ name: 'AbortError' });
    await failed;
  });

  test('after its response is complete ends nothing', async () => {
    const app = ambit();
    const leaving = new AbortController();
    let isAborted: boolean | undefined;
    app.addHook('onResponse', async ({ signal }) => {
      leaving.abort();
      isAborted = signal.aborted;
    });
    app.get('/x', () => 'ok');
    expect(await (await app.fetch(get('/x', { signal: leaving.signal }))).text()).toBe('ok');
    expect(isAborted).not.toBe(true);
  });
});
