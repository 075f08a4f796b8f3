/** The typed client and the typed calls of `inject`, against a server. */
import { Readable } from 'node:stream';
import { ambit, type Context } from 'ambit';
import { client, isProblem, type ProblemDetails } from 'ambit/client';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serve } from '../../test/support/serve.ts';

function makeApp() {
  return ambit()
    .get(
      '/users/:id',
      { schema: { querystring: { full: { type: 'boolean' } } } },
      ({ params, query, headers }) => ({
        params,
        query,
        token: headers['x-token'],
      }),
    )
    .post('/users', { schema: { body: z.object({ name: z.string() }) } }, ({ body }, reply) =>
      reply.code(201).send(body),
    )
    .put('/text', async (request) => request.body)
    .delete('/users/:id', (_request, reply) => reply.code(204).send())
    .post('/json', { schema: { body: { enum: ['text', 0, null] } } }, async ({ body }) => ({ body }))
    .post('/types', async (request) => `${request.headers['content-type']} ${request.body}`)
    .get('/bytes', async () => Buffer.from([0, 255, 254]))
    .get('/empty', async (_request, reply) => reply.type('text/plain').send(''))
    .get('/maybe/:a/:b?', async ({ params }) => params)
    .get('/files/*', async ({ params }) => params['*'])
    .get('/fail', async () => {
      throw new Error('broken');
    });
}

describe('client', () => {
  test('fills in parameters, query and headers, and parses JSON', async () => {
    const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()), { headers: { 'x-token': 't' } });
    const reply = await api.get('/users/:id', { params: { id: 'a/b' }, query: { full: true } });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ params: { id: 'a/b' }, query: { full: true }, token: 't' });
    expect(reply.headers.get('content-type')).toContain('json');
  });

  test('sends objects as JSON, and strings as they are', async () => {
    const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()));
    expect(await api.post('/users', { body: { name: 'ada' } })).toMatchObject({
      status: 201,
      body: { name: 'ada' },
    });
    expect(await api.put('/text', { body: 'plain' })).toMatchObject({ status: 200, body: 'plain' });
  });

  test('sends a string as JSON if the Content-Type is JSON', async () => {
    const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()));
    const headers = { 'Content-Type': 'application/json' } as const;
    expect(await api.post('/json', { body: 'text', headers })).toMatchObject({ body: { body: 'text' } });
    expect(await api.post('/json', { body: null })).toMatchObject({ body: { body: null } });
  });

  test('sends forms, blobs and bytes with their own media type, or with the one in the headers', async () => {
    const app = makeApp();
    app.addContentTypeParser(
      /^(text|application\/x-)/,
      { parseAs: 'string' },
      async (_request, text) => text,
    );
    const api = client<ReturnType<typeof makeApp>>(await serve(app), { headers: { 'X-Common': '1' } });
    const form = new URLSearchParams({ a: 'b' });
    expect((await api.post('/types', { body: form })).body).toMatch(/urlencoded.* a=b$/);
    const csv = { body: 'a,b', headers: { 'Content-Type': 'text/csv', 'x-absent': undefined } };
    expect((await api.post('/types', csv)).body).toBe('text/csv a,b');
  });

  test('returns bytes as a Blob, empty text as a string, and no body for HEAD', async () => {
    const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()));
    const { body } = await api.get('/bytes');
    expect(new Uint8Array(await (body as Blob).arrayBuffer())).toEqual(new Uint8Array([0, 255, 254]));
    expect((await api.get('/empty')).body).toBe('');
    expect(await api.head('/users/:id', { params: { id: 1 } })).toMatchObject({
      status: 200,
      body: undefined,
    });
  });

  test('leaves out an optional parameter', async () => {
    const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()));
    expect((await api.get('/maybe/:a/:b?', { params: { a: 'x' } })).body).toEqual({ a: 'x' });
  });

  test('returns error statuses as replies, and an empty body as undefined', async () => {
    const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()));
    expect(await api.get('/fail')).toMatchObject({ status: 500, body: { message: 'broken' } });
    expect(await api.post('/users', { body: { name: 1 as never } })).toMatchObject({ status: 400 });
    expect(await api.delete('/users/:id', { params: { id: 1 } })).toMatchObject({
      status: 204,
      body: undefined,
    });
  });

  test('keeps the slashes of a wildcard, and the path of the base URL', async () => {
    const seen: string[] = [];
    const fetch = async (url: string): Promise<Response> => {
      seen.push(url);
      return new Response('');
    };
    const api = client<ReturnType<typeof makeApp>>('http://host/base/', { fetch });
    await api.get('/files/*', { params: { '*': 'a b/c' } });
    await api.get('/users/:id', { params: { id: 1 }, query: { full: undefined } as never });
    expect(seen).toEqual(['http://host/base/files/a%20b/c', 'http://host/base/users/1']);
  });

  test('can be returned by an async function, because it has no method then', async () => {
    const connect = async () => client<ReturnType<typeof makeApp>>(await serve(makeApp()));
    const api = await connect();
    expect(await api.get('/files/*', { params: { '*': 'a' } })).toMatchObject({ body: 'a' });
  });

  test('an aborted call rejects', async () => {
    const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()));
    await expect(api.get('/fail', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test('a parameter without a value is refused before anything is sent', async () => {
    const api = client<ReturnType<typeof makeApp>>('http://localhost:1');
    await expect(api.get('/users/:id', { params: {} as never })).rejects.toThrow(
      "no value for 'id' of /users/:id",
    );
  });
});

describe('inject', () => {
  test('has a method for each kind of call', async () => {
    const app = makeApp();
    const found = await app.inject.get('/users/:id', { params: { id: 7 }, query: { full: false } });
    expect([found.statusCode, found.json()]).toEqual([200, { params: { id: '7' }, query: { full: false } }]);
    const made = await app.inject.post('/users', { body: { name: 'ada' }, headers: { accept: 'text/html' } });
    expect(made.statusCode).toBe(201);
  });

  test('sends bodies as the client does', async () => {
    const app = makeApp();
    app.addContentTypeParser(
      /^(text|application\/x-)/,
      { parseAs: 'string' },
      async (_request, text) => text,
    );
    const headers = { 'Content-Type': 'application/json' } as const;
    expect((await app.inject.post('/json', { body: 'text', headers })).json()).toEqual({ body: 'text' });
    expect((await app.inject.post('/json', { body: 0 })).json()).toEqual({ body: 0 });
    expect((await app.inject.post('/json', { body: null })).json()).toEqual({ body: null });
    const form = new URLSearchParams({ a: 'b' });
    expect((await app.inject.post('/types', { body: form })).body).toMatch(/urlencoded.* a=b$/);
    expect((await app.inject.post('/types', { body: 'a' })).body).toMatch(/^text\/plain.* a$/);
    const stream = Readable.from([Buffer.from('a,b')]);
    const csv = await app.inject.post('/types', { body: stream, headers: { 'content-type': 'text/csv' } });
    expect(csv.body).toBe('text/csv a,b');
    const bytes = { body: Buffer.from('a,b'), headers: { 'content-type': 'text/csv' } };
    expect((await app.inject.post('/types', bytes)).body).toBe('text/csv a,b');
    expect((await app.inject.head('/users/:id', { params: { id: 7 } })).body).toBe('');
  });

  test('also takes options, a URL or a callback, or starts a chain', async () => {
    const app = makeApp();
    expect((await app.inject('/users/1')).statusCode).toBe(200);
    expect((await app.inject({ method: 'DELETE', url: '/users/1' })).statusCode).toBe(204);
    expect((await app.inject().get('/users/1').end()).statusCode).toBe(200);
    const status = await new Promise((resolve) =>
      app.inject('/users/1', (_error, response) => resolve(response?.statusCode)),
    );
    expect(status).toBe(200);
  });

  test('is inherited by children', async () => {
    const app = ambit();
    app.register(async (child) => {
      child.get('/', () => 'child');
      expect(child.inject).toBe(app.inject);
    });
    expect((await app.inject.get('/')).body).toBe('child');
  });
});

/** An application that returns what it received, and the calls of both kinds: over a socket, and with `inject`. */
function makeEcho() {
  return ambit()
    .get('/echo/:id', async ({ params, query, headers }) => ({ params, query, headers }))
    .get('/files/*', async ({ params }) => params)
    .post('/echo', async ({ body }) => ({ body }));
}
type Call = (path: string, request?: object) => Promise<Record<string, unknown>>;
type Method = 'get' | 'post';
const callers: readonly [string, (method: Method) => Promise<Call>][] = [
  [
    'the client',
    async (method) => {
      const api = client(await serve(makeEcho()));
      return async (path, request) => (await api[method](path, request as never)).body as never;
    },
  ],
  [
    'inject',
    async (method) => {
      const { inject } = makeEcho() as Context;
      return async (path, request) => (await inject[method](path, request as never)).json() as never;
    },
  ],
];

for (const [caller, connect] of callers) {
  describe(`the values of a request of ${caller}`, () => {
    test('are texts: dates in ISO 8601, the digits of a bigint, and what toJSON returns', async () => {
      const call = await connect('get');
      const since = new Date('2026-01-02T03:04:05.678Z');
      const query = {
        since,
        big: 2n ** 64n,
        no: false,
        zero: 0,
        url: new URL('http://host/a?b'),
        text: '&=',
      };
      const received = await call('/echo/:id', { params: { id: since }, query });
      expect(received.params).toEqual({ id: '2026-01-02T03:04:05.678Z' });
      expect(received.query).toEqual({
        since: '2026-01-02T03:04:05.678Z',
        big: '18446744073709551616',
        no: 'false',
        zero: '0',
        url: 'http://host/a?b',
        text: '&=',
      });
    });

    test('are repeated for arrays, and left out if they are null or undefined', async () => {
      const call = await connect('get');
      const query = { list: [new Date(0), null, 1, undefined], empty: [], none: null, absent: undefined };
      expect(await call('/echo/:id', { params: { id: 1 }, query })).toMatchObject({
        query: { list: ['1970-01-01T00:00:00.000Z', '1'] },
      });
      expect(await call('/echo/:id', { params: { id: 1 }, query: { none: null } })).toMatchObject({
        query: {},
      });
    });

    test('are dates of HTTP in headers', async () => {
      const call = await connect('get');
      const headers = { 'if-modified-since': new Date(0), 'x-none': null, 'x-big': 1n, 'x-list': ['a', 1] };
      const { headers: received } = (await call('/echo/:id', { params: { id: 1 }, headers })) as never;
      expect(received).toMatchObject({
        'if-modified-since': 'Thu, 01 Jan 1970 00:00:00 GMT',
        'x-big': '1',
        'x-list': 'a, 1',
      });
      expect(received).not.toHaveProperty('x-none');
    });

    for (const [what, query] of [
      ['an object', { value: { a: 1 } }],
      ['a list in a list', { value: [[1], 2] }],
      ['an object in a list', { value: [{}] }],
      ['a function', { value: () => 1 }],
      ['a map', { value: new Map() }],
    ] as const) {
      test(`must not be ${what}`, async () => {
        const call = await connect('get');
        const rejection = { name: 'TypeError', message: "the value of 'value' has no text form" };
        await expect(call('/echo/:id', { params: { id: 1 }, query })).rejects.toMatchObject(rejection);
      });
    }

    test('must not be an invalid date', async () => {
      const call = await connect('get');
      const query = { since: new Date(Number.NaN) };
      await expect(call('/echo/:id', { params: { id: 1 }, query })).rejects.toThrow(RangeError);
    });

    test('are JSON in a body, in which a bigint is a text', async () => {
      const call = await connect('post');
      const body = { big: [2n ** 64n], since: new Date(0), none: null };
      expect(await call('/echo', { body })).toEqual({
        body: { big: ['18446744073709551616'], since: '1970-01-01T00:00:00.000Z', none: null },
      });
    });

    test('do not lead to another route', async () => {
      const call = await connect('get');
      for (const id of ['.', '..']) {
        const rejection = { name: 'TypeError', message: expect.stringContaining('than /echo/:id') };
        await expect(call('/echo/:id', { params: { id } })).rejects.toMatchObject(rejection);
      }
      await expect(call('/files/*', { params: { '*': 'a/../../echo/1' } })).rejects.toThrow(TypeError);
    });

    for (const id of ['%2e', '%2e%2e', '...', '../a', '%2F', 'a%', '?#', '\\', ' . ']) {
      test(`arrive as they are: the parameter ${id}`, async () => {
        const call = await connect('get');
        expect(await call('/echo/:id', { params: { id } })).toMatchObject({ params: { id } });
      });
    }

    test('arrive as they are in wildcards', async () => {
      const call = await connect('get');
      for (const path of ['%2e%2e/a', '.git/config', 'a/...', '/host.test/a'])
        expect(await call('/files/*', { params: { '*': path } })).toEqual({ '*': path });
    });
  });
}

describe('the body of a response', () => {
  const office = 'application/vnd.openxmlformats-officedocument.';
  const makeApp = () =>
    ambit().get('/', async ({ query }, reply) =>
      reply.type((query as { type: string }).type).send(Buffer.from((query as { hex: string }).hex, 'hex')),
    );
  const json = Buffer.from('{"a":"é"}').toString('hex');

  for (const type of [
    'application/json',
    'Application/JSON; charset=utf-8',
    'application/problem+json',
    'application/vnd.api+JSON;v=1',
    'text/json',
  ]) {
    test(`is parsed as JSON: ${type}`, async () => {
      const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()));
      expect((await api.get('/', { query: { type, hex: json } })).body).toEqual({ a: 'é' });
    });
  }

  for (const [type, hex, text] of [
    ['text/plain', 'c3a9', 'é'],
    ['TEXT/CSV', 'c3a9', 'é'],
    ['text/plain; charset=iso-8859-1', 'e9', 'é'],
    ['text/csv; header=present; charset="UTF-16LE"', '6100e900', 'aé'],
    ['application/xml', '3c612f3e', '<a/>'],
    ['image/svg+xml; charset=utf-8', '3c612f3e', '<a/>'],
    ['application/x-ndjson', '310a320a', '1\n2\n'],
    ['application/jsonl', '310a', '1\n'],
    ['application/json-seq', '1e310a', '\x1e1\n'],
  ] as const) {
    test(`is text: ${type}`, async () => {
      const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()));
      expect((await api.get('/', { query: { type, hex } })).body).toBe(text);
    });
  }

  for (const type of [
    `${office}spreadsheetml.sheet`,
    `${office}wordprocessingml.document`,
    'application/vnd.oasis.opendocument.text',
    'application/octet-stream; name=text.json',
    'application/x-textbook',
    'application/jsonp+bytes',
    'video/mp4; a="text/plain"',
    'text/plain; charset=unheard-of',
  ]) {
    test(`is a Blob with all bytes: ${type}`, async () => {
      const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()));
      const { body } = await api.get('/', { query: { type, hex: '00ff80e9' } });
      expect(new Uint8Array(await (body as Blob).arrayBuffer())).toEqual(new Uint8Array([0, 255, 128, 233]));
    });
  }

  test('of a request is sent as it is if it is text of a type that only contains the word JSON', async () => {
    const app = makeApp();
    app.addContentTypeParser('application/x-ndjson', { parseAs: 'string' }, async (_request, text) => text);
    app.post('/lines', async ({ body }) => ({ body }));
    const request = { body: '1\n2\n', headers: { 'content-type': 'application/x-ndjson' } };
    const api = client(await serve(app));
    expect((await api.post('/lines', request)).body).toEqual({ body: '1\n2\n' });
    expect((await app.inject.post('/lines' as never, request as never)).json()).toEqual({ body: '1\n2\n' });
  });
});

describe('problem details', () => {
  const makeApp = () =>
    ambit({ errors: 'problem' })
      .get('/users/:id', { schema: { params: { id: { type: 'integer' } } } }, async () => 'ada')
      .get('/plain', async (_request, reply) => reply.code(400).send({ error: 'in words of its own' }));

  test('are distinguished from other replies', async () => {
    const api = client<ReturnType<typeof makeApp>, ProblemDetails>(await serve(makeApp()));
    const reply = await api.get('/users/:id', { params: { id: 'x' as never } });
    const pointers = isProblem(reply) ? reply.body.errors?.map(({ pointer }) => pointer) : undefined;
    expect(pointers).toEqual(['#/id']);
    expect(isProblem(await api.get('/users/:id', { params: { id: 7 } }))).toBe(false);
    expect(isProblem(await api.get('/plain'))).toBe(false);
  });
});
