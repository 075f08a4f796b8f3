/**
 * Published advisories of Fastify and of its core plugins: what each one did must not work here, with either flavor and either lane of
 * HTTP/1.1. `ecosystem/test/path-guards.test.ts` tries those of plugins that guard paths with the plugins themselves.
 */
import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { AmbitOptions, Context, Request } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from './support/flavors.ts';
import { hurry } from './support/hurry.ts';
import { forbidProcessFaults } from './support/process-faults.ts';
import { converse, lastRequest, open, request as requestText, statuses } from './support/raw-client.ts';
import { servePort } from './support/serve.ts';
import { allTransports, textOf } from './support/transports.ts';

forbidProcessFaults();

const lanes: readonly (readonly [name: string, options: AmbitOptions])[] = [
  ['our engine', {}],
  ['node', { engine: 'node' }],
];
const cases = flavors.flatMap(([flavor, make]) =>
  lanes.map(([lane, options]) => ({ flavor, lane, make, options })),
);

const strict = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: { name: { type: 'string', maxLength: 3 } },
};
const bad = '{"name":"longer than three"}';

function post(contentType: string, body: string, url = '/'): string {
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return requestText('POST', url, `Content-Type:${contentType}`, length, 'Connection: close') + body;
}

const bodyOf = (received: string): string => received.slice(received.indexOf('\r\n\r\n') + 4);

describe.each(cases)('on $flavor, $lane', ({ make, options: lane }) => {
  const create = (options: AmbitOptions = {}): Context => make({ ...lane, ...options });

  /** A route with a schema for each media type, and parsers for everything, so that only the schema stands guard. */
  async function guarded(): Promise<{ port: number; reached: unknown[] }> {
    const app = create();
    const reached: unknown[] = [];
    app.addContentTypeParser(
      /^application\/.*json/,
      { parseAs: 'string' },
      async (_request: Request, body: string) => JSON.parse(body),
    );
    const schema = { body: { content: { 'application/json': { schema: strict } } } };
    app.post('/', { schema }, async ({ body }) => {
      reached.push(body);
      return 'reached';
    });
    return { port: await servePort(app), reached };
  }

  function neverValidated(advisory: string, spellings: readonly string[]): void {
    test.each(spellings)(
      `${advisory}: %j does not reach the handler past its schema`,
      async (contentType) => {
        const { port, reached } = await guarded();
        const [status] = statuses(await converse(port, post(contentType, bad)));
        expect([400, 415]).toContain(status);
        expect(reached).toEqual([]);
      },
    );
  }

  test.each([
    '',
    ' ',
    ';',
    ',',
    '/',
    '; charset=utf-8',
    'application',
    '"',
    '\u00ff',
    'application/json; ='.repeat(500),
  ])('CVE-2022-39288: the invalid Content-Type %j does not end the process', async (contentType) => {
    const app = create();
    app.post('/', async () => 'reached');
    app.get('/next', async () => 'next');
    const port = await servePort(app);
    const [status] = statuses(await converse(port, post(contentType, '{}')));
    expect(status).toBeGreaterThanOrEqual(200);
    expect(status).toBeLessThan(500);
    expect(await converse(port, lastRequest('GET', '/next'))).toContain('next');
  });

  test.each([
    'text/plain;application/json',
    'text/plain; charset=application/json',
    'multipart/form-data; boundary=application/json',
    'application/x-www-form-urlencoded; a="application/json"',
  ])(
    'CVE-2022-41919: %j, which a browser sends without asking, is not parsed as JSON',
    async (contentType) => {
      const app = create();
      app.post('/', async ({ body }) => ({ isParsed: typeof body === 'object' }));
      const received = await converse(await servePort(app), post(contentType, '{"transfer":1}'));
      expect(received).not.toContain('{"isParsed":true}');
    },
  );

  neverValidated('CVE-2025-32442', [
    'application/json ; charset=utf-8',
    'Application/JSON',
    'APPLICATION/JSON; charset=utf-8',
    'application/json   ;',
    'application/json a=b',
  ]);

  neverValidated('CVE-2026-25223', [
    'application/json\ta',
    'application/json\t; charset=utf-8',
    'application/json\t',
    'application/json;\tcharset=utf-8',
  ]);

  neverValidated('CVE-2026-33806 (GHSA-247c-9743-5963)', [
    ' application/json',
    '  application/json',
    '\tapplication/json',
    ' application/json; charset=utf-8',
  ]);

  test.each(['application/json garbage', 'application/json/x', 'application/jso n', 'application/json{}'])(
    'CVE-2026-3419 (GHSA-573f-x89g-hqp9): %j is answered 415, and no parser for an expression gets it',
    async (contentType) => {
      const app = create();
      const parsed: string[] = [];
      app.addContentTypeParser(
        /^application\/.*/,
        { parseAs: 'string' },
        async (_request: Request, body: string) => {
          parsed.push(body);
          return body;
        },
      );
      app.post('/', async () => 'reached');
      expect(statuses(await converse(await servePort(app), post(contentType, '{}')))).toEqual([415]);
      expect(parsed).toEqual([]);
    },
  );

  test('CVE-2026-25224: a web stream is not read ahead of a client that does not read', async () => {
    const app = create();
    const chunk = Buffer.alloc(64 * 1024);
    let pulledBytes = 0;
    let cancel: (reason: unknown) => void = () => {};
    const cancelled = new Promise((resolve) => {
      cancel = resolve;
    });
    app.get('/', (_request, reply) =>
      reply.send(
        new ReadableStream({
          pull: (controller) => {
            pulledBytes += chunk.length;
            controller.enqueue(chunk);
          },
          cancel,
        }),
      ),
    );
    const { socket, until } = await open(await servePort(app));
    socket.write(requestText('GET', '/'));
    await until('200 OK');
    socket.pause();
    // Buffers of the system take some megabytes; a stream that is read ahead has no end.
    let before = -1;
    for (let still = 0; still < 50; still = before === pulledBytes ? still + 1 : 0) {
      before = pulledBytes;
      await new Promise((resolve) => setImmediate(resolve));
      expect(pulledBytes).toBeLessThan(256 * 1024 * 1024);
    }
    socket.destroy();
    await cancelled;
  });

  const forged = ['X-Forwarded-For: 9.9.9.9', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https'];
  const whoami = async (trustProxy: AmbitOptions['trustProxy']): Promise<object> => {
    const app = create({ trustProxy: trustProxy! });
    app.get('/', async ({ host, hostname, protocol, ip }) => ({ host, hostname, protocol, ip }));
    const head = requestText('GET', '/', ...forged, 'Connection: close');
    return JSON.parse(bodyOf(await converse(await servePort(app), head)));
  };
  const honest = { host: 'localhost', hostname: 'localhost', protocol: 'http', ip: '127.0.0.1' };

  test.each([
    ['10.0.0.1'],
    ['10.0.0.0/8'],
    [['10.0.0.1', '10.1.0.0/16']],
    [(address: string) => address === '10.0.0.1'],
  ])(
    'CVE-2026-3635 (GHSA-444r-cwp2-x5xf): with trustProxy %j, a peer that is not the proxy forges nothing',
    async (trustProxy) => {
      expect(await whoami(trustProxy)).toEqual(honest);
    },
  );

  test.each([1, 2, 5])(
    'CVE-2026-16732 (GHSA-3m5p-2c4r-xxw2): with trustProxy %j, a number of hops, a client forges nothing',
    async (trustProxy) => {
      expect(await whoami(trustProxy)).toEqual(honest);
    },
  );

  test('CVE-2026-18504 (GHSA-w2qp-rph6-63g4): a scalar body is what its schema made of it', async () => {
    const app = create();
    app.post('/', { schema: { body: { type: 'integer', maximum: 10 } } }, async ({ body }) => ({ body }));
    const port = await servePort(app);
    expect(bodyOf(await converse(port, post(' application/json', '"10"')))).toBe('{"body":10}');
    expect(statuses(await converse(port, post(' application/json', '"11"')))).toEqual([400]);
  });

  describe('advisories that Fastify 5.12.2 fixed', () => {
    const errorBody = { hello: 'world', error: 'boom' };
    const valueBody = { hello: 'world', value: { hello: 'evil' } };
    test.each([[errorBody], [valueBody]])(
      'GHSA-667r-xxjv-c9mm: what an asynchronous schema resolves with (%j) is neither a verdict nor another body',
      async (body) => {
        const app = create();
        const properties = { hello: { type: 'string' } };
        app.post(
          '/',
          { schema: { body: { $async: true, type: 'object', properties } } },
          async ({ body }) => body,
        );
        const received = await converse(
          await servePort(app),
          post(' application/json', JSON.stringify(body)),
        );
        expect(statuses(received)).toEqual([200]);
        expect(JSON.parse(bodyOf(received))).toEqual(body);
      },
    );

    const malformed = ['/public/%', '/public/%ZZ', '/public/%E0%A4%A', '/%ff', '/private/%ff'];
    // DELETE has no route at all.
    test.each(['GET', 'DELETE'].flatMap((method) => malformed.map((url) => [method, url] as const)))(
      'GHSA-p68q-wchp-6fh7: %s of the malformed URL %j reaches no not-found handler past its guard',
      async (method, url) => {
        const app = create();
        app.register(
          async (context: Context) => {
            context.addHook('onRequest', async (_request, reply) => reply.code(401).send('guarded'));
            context.setNotFoundHandler(async () => 'the secret');
          },
          { prefix: '/private' },
        );
        app.register(async (context: Context) => void context.get('/:id', async () => 'public'), {
          prefix: '/public',
        });
        const received = await converse(await servePort(app), lastRequest(method, url));
        expect([400, 401]).toContain(statuses(received)[0]);
        expect(received).not.toContain('the secret');
      },
    );

    test.each([
      ['body', 'POST', '/'],
      ['querystring', 'GET', '/?a=1'],
      ['query', 'GET', '/?a=1'],
      ['params', 'GET', '/1'],
      ['headers', 'GET', '/'],
    ])('GHSA-hwr6-493r-vm6h: a schema of %s that is `false` accepts nothing', async (part, method, url) => {
      const app = create();
      let reachedCount = 0;
      const handler = async (): Promise<string> => `reached ${++reachedCount}`;
      const schema = { [part]: false } as never;
      app.route({ method, url: '/', schema, handler });
      app.route({ method, url: '/:id', schema, handler });
      const length = ['Content-Type: application/json', 'Content-Length: 2', 'Connection: close'];
      const isPost = { POST: requestText('POST', url, ...length).concat('{}'), GET: lastRequest('GET', url) };
      const received = await converse(await servePort(app), isPost[method as 'GET']);
      expect([statuses(received), reachedCount]).toEqual([[400], 0]);
    });

    test.each([
      ['required', { required: ['X-Token'] }],
      ['dependencies', { dependencies: { 'X-User': ['X-Token'] } }],
      [
        'dependentRequired in 2020-12',
        {
          $schema: 'https://json-schema.org/draft/2020-12/schema',
          dependentRequired: { 'X-User': ['X-Token'] },
        },
      ],
      ['dependencies with a schema', { dependencies: { 'X-User': { required: ['X-Token'] } } }],
      ['a schema of allOf', { allOf: [{ dependencies: { 'X-User': ['X-Token'] } }] }],
      ['a condition', { if: { not: { required: ['X-User'] } }, else: { required: ['X-Token'] } }],
      [
        'a definition of the schema',
        {
          $ref: '#/definitions/identity',
          definitions: { identity: { dependencies: { 'X-User': ['X-Token'] } } },
        },
      ],
    ])('GHSA-9q9j-q6p8-xq58: names of headers in %s hold in any case', async (_what, keywords) => {
      const app = create({ ajv: { customOptions: { strict: false } } });
      const properties = { 'X-User': { type: 'string' }, 'X-Token': { type: 'string' } };
      const headers = { type: 'object', properties, ...keywords };
      app.get('/', { schema: { headers } as never }, async () => 'reached');
      const port = await servePort(app);
      const ask = (...fields: string[]) =>
        converse(port, requestText('GET', '/', ...fields, 'Connection: close'));
      expect(statuses(await ask('X-User: ada'))).toEqual([400]);
      expect(statuses(await ask('x-user: ada', 'X-TOKEN: t'))).toEqual([200]);
    });
  });

  test.each([
    ['not', { not: { enum: ['X-Internal'] } }, ['X-INTERNAL: 1'], 400],
    ['not', { not: { enum: ['X-Internal'] } }, ['X-User: 1'], 200],
    ['const', { not: { const: 'X-Internal' } }, ['x-internal: 1'], 400],
  ])(
    'Fastify 5.12.6: names of headers in propertyNames (%s: %j) hold in any case: %j is answered %d',
    async (_keyword, propertyNames, fields, status) => {
      const app = create({ ajv: { customOptions: { strict: false } } });
      app.get(
        '/',
        { schema: { headers: { type: 'object', propertyNames } } as never },
        async () => 'reached',
      );
      const received = await converse(
        await servePort(app),
        requestText('GET', '/', ...fields, 'Connection: close'),
      );
      expect(statuses(received)).toEqual([status]);
    },
  );

  describe('advisories of the first versions of Fastify', () => {
    test.each([
      [1_048_576, 200],
      [1_048_577, 413],
    ])('CVE-2018-3711: without an option, a body of %d bytes is answered %d', async (bytes, status) => {
      // A client that still sends has some time to read the response.
      hurry(10);
      const app = create();
      app.post('/', async ({ body }) => String((body as string).length));
      const body = `"${'x'.repeat(bytes - 2)}"`;
      expect(statuses(await converse(await servePort(app), post(' application/json', body)))).toEqual([
        status,
      ]);
    });

    test('CVE-2020-8192: without an option, validation ends at the first error', async () => {
      const app = create();
      app.setErrorHandler((error, _request, reply) =>
        reply.code(400).send({ errors: (error as { validation?: unknown[] }).validation?.length }),
      );
      const body = { type: 'array', items: { type: 'integer' } };
      app.post('/', { schema: { body } }, async () => 'reached');
      const received = await converse(
        await servePort(app),
        post(' application/json', JSON.stringify(Array(100).fill('no integer'))),
      );
      expect([statuses(received), bodyOf(received)]).toEqual([[400], '{"errors":1}']);
    });
  });

  describe('advisories that later versions of Fastify fixed', () => {
    test.each([
      ['before', true],
      ['after', false],
    ])(
      'GHSA-gm8r-x7h4-fm5r: callNotFound runs the guards of a not-found handler, also if its route was declared %s it',
      async (_when, isFirst) => {
        const app = create();
        const declare = [
          () => app.get('/', (_request, reply) => reply.callNotFound()),
          () =>
            app.setNotFoundHandler(
              { preHandler: async (_request, reply) => reply.code(401).send('guarded') },
              (_request, reply) => reply.code(404).send('secret'),
            ),
        ];
        for (const each of isFirst ? declare : declare.reverse()) each();
        const received = await converse(await servePort(app), lastRequest('GET', '/'));
        expect([statuses(received), received.includes('secret')]).toEqual([[401], false]);
      },
    );

    test('GHSA-3qgw-9275-xf8w: a time limit that is over in the middle of a stream cuts off that response alone', async () => {
      const app = create();
      app.get('/', { handlerTimeout: 50 }, (_request, reply) => {
        const stream = new Readable({ read() {} });
        stream.push('begun');
        return reply.send(stream);
      });
      app.get('/next', async () => 'next');
      const port = await servePort(app);
      expect(await converse(port, requestText('GET', '/'))).toContain('begun');
      expect(await converse(port, lastRequest('GET', '/next'))).toContain('next');
    });

    test('GHSA-3qgw-9275-xf8w: the connection stays usable when a listener of the signal has answered', async () => {
      const app = create();
      app.get('/', { handlerTimeout: 20 }, ({ signal }, reply) => {
        signal.addEventListener('abort', () => reply.code(504).send('answered by the listener'));
        return new Promise(() => {});
      });
      app.get('/next', async () => 'next');
      const received = await converse(
        await servePort(app),
        requestText('GET', '/') + lastRequest('GET', '/next'),
      );
      expect(statuses(received)).toEqual([504, 200]);
    });
  });

  test.each(['transfer-encoding', 'Transfer-Encoding'])(
    'GHSA-4mh8-r7rc-xpvc: %j, which would change where a response ends, is refused as a trailer',
    async (name) => {
      const app = create();
      app.get('/', async (_request, reply) => reply.trailer(name, async () => 'chunked').send('sent'));
      const received = await converse(await servePort(app), lastRequest('GET', '/'));
      expect(statuses(received)).toEqual([500]);
      expect(received).toContain('FST_ERR_BAD_TRAILER_NAME');
    },
  );

  describe('CVE-2026-2880 (GHSA-8p85-9qpw-fwgw), a guard of @fastify/middie that another spelling of a path passed', () => {
    const spellings = [
      '/secret',
      '//secret',
      '///secret',
      '/secret/',
      '/secret//',
      '/secret;a=b',
      '/secret;/../public',
      '//secret;x',
      '/SECRET',
      '/%73ecret',
      '/%2573ecret',
      '/secre%74/',
      '/public/../secret',
      '/./secret',
      '/secret%2f',
      '/secret%00',
      '/secret?x=1',
      '/secret#x',
      'http://localhost/secret',
    ];
    const router = {
      ignoreDuplicateSlashes: true,
      ignoreTrailingSlash: true,
      useSemicolonDelimiter: true,
      caseSensitive: false,
    };

    test.each(spellings)('%j does not reach a handler past the guard of its context', async (spelling) => {
      const app = create({ routerOptions: router });
      app.get('/public', async () => 'public');
      app.register(async (context: Context) => {
        context.addHook('onRequest', async (_request, reply) => reply.code(401).send('guarded'));
        context.get('/secret', async () => 'the secret');
      });
      const received = await converse(await servePort(app), lastRequest('GET', spelling));
      expect(received).not.toContain('the secret');
    });

    test.each(spellings)(
      '%j does not reach a handler past a guard that asks for the pattern of the route',
      async (spelling) => {
        const app = create({ routerOptions: router });
        app.addHook('onRequest', async (request, reply) => {
          if (request.routeOptions.url === '/secret') return reply.code(401).send('guarded');
          return undefined;
        });
        app.get('/secret', async () => 'the secret');
        const received = await converse(await servePort(app), lastRequest('GET', spelling));
        expect(received).not.toContain('the secret');
      },
    );

    test.each(spellings)(
      '%j does not reach a handler past a guard that compares its path',
      async (spelling) => {
        const app = create({ routerOptions: router });
        app.addHook('onRequest', async (request, reply) => {
          if (request.canonicalPath === '/secret') return reply.code(401).send('guarded');
          return undefined;
        });
        app.get('/secret', async () => 'the secret');
        const received = await converse(await servePort(app), lastRequest('GET', spelling));
        expect(received).not.toContain('the secret');
      },
    );
  });
});

/** What only HTTP/2 shows. It has no lanes. */
describe.each(flavors)('on %s, over HTTP/2', (_flavor, make) => {
  const { options, ask } = allTransports.find(({ name }) => name === 'HTTP/2')!;

  test('GHSA-4mh8-r7rc-xpvc: a response with trailers has no header that HTTP/2 forbids', async () => {
    const app = make(options);
    app.get('/', async (_request, reply) => reply.trailer('x-checksum', async () => 'abc').send('sent'));
    const answer = await ask(app);
    const trailers = once(answer.content, 'trailers');
    expect([answer.status, answer.headers['transfer-encoding'], await textOf(answer)]).toEqual([
      200,
      undefined,
      'sent',
    ]);
    expect((await trailers)[0]).toMatchObject({ 'x-checksum': 'abc' });
  });

  test('GHSA-3qgw-9275-xf8w: a time limit that is over while a client reads nothing ends that response alone', async () => {
    const app = make({ ...options, handlerTimeout: 50 });
    app.get('/', async () => Buffer.alloc(4 * 1_048_576));
    app.get('/next', async () => 'next');
    const { status, content } = await ask(app);
    content.pause();
    await expect(once(content, 'close')).rejects.toThrow('NGHTTP2_INTERNAL_ERROR');
    expect([status, await textOf(await ask(app, { path: '/next' }))]).toEqual([200, 'next']);
  });
});
