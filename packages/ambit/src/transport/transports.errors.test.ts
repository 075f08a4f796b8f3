/** Which fields a reply to an error keeps: the same on every transport. */
import { Readable } from 'node:stream';
import { ambit, type Context, type Handler, type Reply } from 'ambit';
import { describe, expect, test } from 'vitest';
import { exampleTransport, textOf, transports } from '../../test/support/transports.ts';

/** Fields of the content that failed. */
const dropped = {
  'accept-ranges': 'bytes',
  age: '1',
  'cache-control': 'public, max-age=60',
  'cdn-cache-control': 'max-age=60',
  'content-digest': 'sha-256=:AAAA:',
  'content-disposition': 'attachment; filename="a.gz"',
  'content-encoding': 'gzip',
  'content-language': 'de',
  'content-location': '/a.gz',
  'content-md5': 'AAAA',
  'content-range': 'bytes 0-1/2',
  digest: 'sha-256=AAAA',
  etag: '"a"',
  expires: 'Thu, 01 Jan 2099 00:00:00 GMT',
  'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
  'repr-digest': 'sha-256=:AAAA:',
  'surrogate-control': 'max-age=60',
};

/** Fields of the connection with the client, and of the whole site. */
const kept = {
  'access-control-allow-origin': '*',
  allow: 'GET',
  'content-security-policy': "default-src 'self'",
  'ratelimit-remaining': '1',
  'retry-after': '9',
  'set-cookie': ['a=1', 'b=2'],
  'strict-transport-security': 'max-age=1',
  vary: 'accept-encoding',
  'www-authenticate': 'Bearer',
  'x-content-type-options': 'nosniff',
  'x-request-id': '1',
};

const broken = (): Readable =>
  new Readable({
    read() {
      this.destroy(new Error('broken'));
    },
  });
const headed = (reply: Reply): Reply =>
  reply.type('application/gzip').headers({ ...dropped, ...kept, 'content-length': '12345' });

/** Ways to fail after the fields were set. */
const failures: Readonly<Record<string, Handler>> = {
  'a handler that throws': (_request, reply) => {
    headed(reply);
    throw new Error('broken');
  },
  'an error that is sent': (_request, reply) => headed(reply).send(new Error('broken')),
  'a stream that fails before its first byte': (_request, reply) => headed(reply).send(broken()),
  'a web stream that fails before its first byte': (_request, reply) =>
    headed(reply).send(Readable.toWeb(broken())),
  'a payload that cannot be serialized': (_request, reply) =>
    headed(reply)
      .type('application/json')
      .send({
        toJSON: () => {
          throw new Error('broken');
        },
      }),
  'a chunked reply': (_request, reply) => headed(reply).header('transfer-encoding', 'chunked').send(broken()),
  'a time limit': (_request, reply) => {
    headed(reply);
    return new Promise(() => {});
  },
  'a route that is not found': (_request, reply) => headed(reply).callNotFound(),
};

const all = [...transports, exampleTransport];

describe.each(all)('over $name', ({ options, ask }) => {
  test.each(Object.entries(failures))(
    '%s: the fields of its content are left out, the others stay',
    async (_what, handler) => {
      const app = ambit(options);
      app.get('/', { handlerTimeout: 50 }, handler);
      const answer = await ask(app);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers['content-type']).toMatch('application/json');
      const text = await textOf(answer);
      expect(answer.headers['content-length']).toBe(String(text.length));
      expect(JSON.parse(text).statusCode).toBe(answer.status);
      for (const name of Object.keys(dropped))
        expect([name, answer.headers[name]]).toEqual([name, undefined]);
      expect(answer.headers).toMatchObject(kept);
    },
  );

  test('a not-found handler of the application gets none of these fields when a route calls it', async () => {
    const app = ambit(options);
    app.setNotFoundHandler((_request, reply) => reply.code(404).type('text/plain').send('none'));
    app.get('/', failures['a route that is not found']!);
    const answer = await ask(app);
    expect([answer.status, await textOf(answer)]).toEqual([404, 'none']);
    for (const name of Object.keys(dropped)) expect([name, answer.headers[name]]).toEqual([name, undefined]);
    expect(answer.headers).toMatchObject(kept);
  });

  test('an error handler that replies gets none of these fields, and keeps those that it sets', async () => {
    const app = ambit(options);
    app.setErrorHandler((_error, _request, reply) =>
      reply.code(503).headers({ 'cache-control': 'max-age=5', 'content-language': 'en' }).send('busy'),
    );
    app.get('/', failures['a stream that fails before its first byte']!);
    const answer = await ask(app);
    const {
      'cache-control': cache,
      'content-language': language,
      'content-encoding': coding,
      etag,
    } = answer.headers;
    expect([answer.status, cache, language, coding, etag, await textOf(answer)]).toEqual([
      503,
      'max-age=5',
      'en',
      undefined,
      undefined,
      'busy',
    ]);
  });

  test('fields of the error itself are sent', async () => {
    const app = ambit(options);
    const headers = { 'content-range': 'bytes */5', 'cache-control': 'max-age=5', etag: '"error"' };
    app.get('/', () => {
      throw Object.assign(new Error('no such range'), { statusCode: 416, headers });
    });
    const answer = await ask(app);
    expect(answer.status).toBe(416);
    expect(answer.headers).toMatchObject(headers);
  });

  test('a range that was not satisfied, and `no-store`, stay', async () => {
    const app = ambit(options);
    const headers = { 'content-range': 'bytes */5', 'cache-control': 'private, no-store' };
    app.get('/', (_request, reply) => reply.code(416).headers(headers).send(new Error('no such range')));
    expect((await ask(app)).headers).toMatchObject(headers);
  });

  test('a hook that fails on the reply to an error leaves out the fields that hooks have set for its content', async () => {
    const app = ambit(options);
    app.addHook('onSend', async (_request, reply) => {
      reply.header('content-encoding', 'gzip');
      throw new Error('broken');
    });
    app.get('/', () => 'text');
    const answer = await ask(app);
    expect([
      answer.status,
      answer.headers['content-encoding'],
      JSON.parse(await textOf(answer)).message,
    ]).toEqual([500, undefined, 'broken']);
  });
});

describe.each(transports)('over $name', ({ options, ask }) => {
  test('fields that were set on `reply.raw` are left out as well', async () => {
    const app: Context = ambit(options);
    app.get('/', (_request, reply) => {
      for (const [name, value] of Object.entries({ ...dropped, ...kept })) reply.raw.setHeader(name, value);
      throw new Error('broken');
    });
    const { status, headers } = await ask(app);
    expect(status).toBe(500);
    for (const name of Object.keys(dropped)) expect([name, headers[name]]).toEqual([name, undefined]);
    expect(headers).toMatchObject(kept);
  });
});

describe.each(transports.filter(({ name }) => name.startsWith('HTTP/1.1')))(
  'over $name',
  ({ options, ask }) => {
    test.each<[string, Handler]>([
      ['a reply', (_request, reply) => reply.header('trailer', 'x-end').send('text')],
      [
        'an error',
        (_request, reply) => {
          reply.header('trailer', 'x-end');
          throw new Error('broken');
        },
      ],
    ])('%s with a field that node refuses together with a length is answered 500', async (_what, handler) => {
      const app = ambit(options);
      app.get('/', handler);
      const answer = await ask(app);
      expect([answer.status, JSON.parse(await textOf(answer)).code]).toEqual([
        500,
        'ERR_HTTP_TRAILER_INVALID',
      ]);
      expect(answer.headers.trailer).toBe(undefined);
    });
  },
);
