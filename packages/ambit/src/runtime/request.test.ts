/** Every member of a request, and the compilers that a request and its reply offer. */
import { request as httpRequest } from 'node:http';
import {
  type AmbitOptions,
  ambit,
  type Context,
  type Handler,
  type InjectOptions,
  type Request,
} from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import type { Failure } from '../../test/support/failure.ts';
import { open, request as requestText } from '../../test/support/raw-client.ts';
import { serve, servePort } from '../../test/support/serve.ts';

/** Returns what a handler reads from one injected request. */
async function evaluate(
  read: (request: Request) => unknown,
  options: AmbitOptions = {},
  injected: InjectOptions = {},
  path = '/',
) {
  const app = ambit(options);
  app.get(path, (request) => ({ result: read(request) ?? 'nothing' }));
  return (await app.inject({ url: '/', ...injected })).json<{ result: unknown }>().result;
}

describe('body, query, params and headers', () => {
  test('query is the parsed query string', async () => {
    const result = await evaluate((request) => request.query, {}, { url: '/?a=1&b=2&b=3&c=&d&e=%20+x' });
    expect(result).toEqual({ a: '1', b: ['2', '3'], c: '', d: '', e: '  x' });
  });

  test('query is an empty object without a query string', async () => {
    expect(await evaluate((request) => request.query)).toEqual({});
    expect(await evaluate((request) => request.query, {}, { url: '/?' })).toEqual({});
  });

  test('querystringParser replaces the parser', async () => {
    const options: AmbitOptions = { routerOptions: { querystringParser: (text) => ({ text }) } };
    expect(await evaluate((request) => request.query, options, { url: '/?a=1&b' })).toEqual({
      text: 'a=1&b',
    });
  });

  test('params are percent-decoded', async () => {
    const result = await evaluate(
      (request) => request.params,
      {},
      { url: '/a%20b/c%2Fd' },
      '/:first/:second',
    );
    expect(result).toEqual({ first: 'a b', second: 'c/d' });
  });

  test('a wildcard is the parameter *', async () => {
    expect(await evaluate((request) => request.params, {}, { url: '/files/a/b.txt' }, '/files/*')).toEqual({
      '*': 'a/b.txt',
    });
  });

  test('params are an empty object on a route without any', async () => {
    expect(await evaluate((request) => request.params)).toEqual({});
  });

  test('headers have names in lower case', async () => {
    const result = await evaluate(
      (request) => request.headers['x-kind'],
      {},
      { headers: { 'X-KIND': 'Loud' } },
    );
    expect(result).toBe('Loud');
  });

  test('assigning headers adds to what was received and never removes', async () => {
    const result = await evaluate(
      (request) => {
        request.headers = { 'x-added': 'yes', 'x-kind': 'changed' };
        return { ...request.headers, raw: request.raw.headers['x-kind'] };
      },
      {},
      { headers: { 'x-kind': 'given', 'x-other': 'kept' } },
    );
    expect(result).toMatchObject({ 'x-added': 'yes', 'x-kind': 'changed', 'x-other': 'kept', raw: 'given' });
  });

  test('body is undefined for GET', async () => {
    expect(await evaluate((request) => request.body)).toBe('nothing');
  });

  test('mediaType is the canonical media type of the request', async () => {
    const ask = (contentType: string) =>
      evaluate((request) => request.mediaType, {}, { headers: { 'content-type': contentType } });
    expect(await ask('Application/JSON;\tcharset=utf-8')).toBe('application/json');
    expect(await ask('nonsense')).toBe('nothing');
    expect(await evaluate((request) => request.mediaType)).toBe('nothing');
  });

  test('values that hooks set on a request stay there', async () => {
    const app = ambit();
    app.addHook('preHandler', async (request) => {
      request.query = { replaced: true };
      request.params = { also: true };
    });
    app.get('/:id', (request) => ({ query: request.query, params: request.params }));
    expect((await app.inject('/1?a=1')).json()).toEqual({
      query: { replaced: true },
      params: { also: true },
    });
  });
});

describe('method, url and originalUrl', () => {
  test('method, url and originalUrl are as received', async () => {
    const result = await evaluate(
      (request) => [request.method, request.url, request.originalUrl],
      {},
      { url: '/?a=1' },
    );
    expect(result).toEqual(['GET', '/?a=1', '/?a=1']);
  });

  test('with rewriteUrl, url is the routed URL and originalUrl the received one', async () => {
    const app = ambit({
      rewriteUrl(raw) {
        return raw.url!.replace('/old', '/new');
      },
    });
    app.get('/new', (request) => ({
      url: request.url,
      original: request.originalUrl,
      pattern: request.routeOptions.url,
    }));
    const response = await fetch(`${await serve(app)}/old?a=1`);
    expect(await response.json()).toEqual({ url: '/new?a=1', original: '/old?a=1', pattern: '/new' });
  });

  test('rewriteUrl is called with this the application', async () => {
    const seen: unknown[] = [];
    const app = ambit({
      rewriteUrl(raw) {
        seen.push(this);
        return raw.url!;
      },
    });
    app.get('/', () => '');
    await app.inject('/');
    expect(seen).toEqual([app]);
  });

  for (const result of [undefined, 7, {}]) {
    test(`a rewriteUrl that returns ${typeof result} cuts off the request, and the server continues`, async () => {
      const app = ambit({
        rewriteUrl: (raw) => (raw.url === '/bad' ? (result as never) : raw.url!),
      });
      app.get('/', () => 'fine');
      const origin = await serve(app);
      await expect(fetch(`${origin}/bad`)).rejects.toThrow();
      expect(await (await fetch(origin)).text()).toBe('fine');
    });
  }
});

describe('id', () => {
  const ids = async (options: AmbitOptions, headers: Record<string, string> = {}) => {
    const app = ambit(options);
    app.get('/', (request) => request.id);
    const first = await app.inject({ url: '/', headers });
    const second = await app.inject({ url: '/', headers });
    return [first.body, second.body];
  };

  test('counts requests by default', async () => {
    expect(await ids({})).toEqual(['req-1', 'req-2']);
  });

  test('comes from genReqId, which gets node’s request', async () => {
    expect(await ids({ genReqId: (raw) => `own ${raw.url}` })).toEqual(['own /', 'own /']);
  });

  test('comes from setGenReqId, for a context and below', async () => {
    const app = ambit();
    app.get('/', (request) => request.id);
    app.register(async (child) => {
      child.setGenReqId(() => 'child');
      child.get('/child', (request) => request.id);
    });
    expect((await app.inject('/child')).body).toBe('child');
    expect((await app.inject('/')).body).toBe('req-1');
  });

  test('is not taken from a header by default', async () => {
    expect(await ids({}, { 'request-id': 'forged' })).toEqual(['req-1', 'req-2']);
  });

  for (const [requestIdHeader, header] of [
    ['X-Trace', 'x-trace'],
    [true, 'request-id'],
  ] as const) {
    test(`is taken from ${header} with requestIdHeader ${requestIdHeader}, and created if it is missing`, async () => {
      expect(await ids({ requestIdHeader }, { [header]: 'given' })).toEqual(['given', 'given']);
      expect(await ids({ requestIdHeader })).toEqual(['req-1', 'req-2']);
    });
  }
});

describe('ip, ips, host, hostname, port and protocol', () => {
  const where = (request: Request) => [request.host, request.hostname, request.port];
  const hosts = [
    ['example.com', ['example.com', 'example.com', null]],
    ['example.com:8080', ['example.com:8080', 'example.com', 8080]],
    ['127.0.0.1:1', ['127.0.0.1:1', '127.0.0.1', 1]],
    ['[::1]', ['[::1]', '[::1]', null]],
    ['[::1]:65535', ['[::1]:65535', '[::1]', 65_535]],
    ['example.com:', ['example.com:', 'example.com', null]],
    ['example.com:http', ['example.com:http', 'example.com', null]],
  ] as const;
  for (const [host, result] of hosts) {
    test(`Host: ${host} is read as ${JSON.stringify(result)}`, async () => {
      expect(await evaluate(where, {}, { headers: { host } })).toEqual(result);
    });
  }

  test('a request of HTTP/1.0 without a host has an empty one', async () => {
    const app = ambit();
    app.get('/', (request) => ({ result: where(request) }));
    const { socket, ended } = await open(await servePort(app));
    socket.write('GET / HTTP/1.0\r\n\r\n');
    expect(await ended).toContain('{"result":["","",null]}');
  });

  test('over a socket they are those of the connection', async () => {
    const app = ambit();
    app.get('/', (request) => ({
      ip: request.ip,
      ips: request.ips ?? 'none',
      host: request.host,
      protocol: request.protocol,
      isSocket: request.socket === request.raw.socket,
    }));
    const origin = await serve(app);
    expect(await (await fetch(origin)).json()).toEqual({
      ip: '127.0.0.1',
      ips: 'none',
      host: new URL(origin).host,
      protocol: 'http',
      isSocket: true,
    });
  });

  const forwarded = {
    'x-forwarded-for': '1.1.1.1, 2.2.2.2, 10.0.0.2',
    'x-forwarded-host': 'first.example, second.example:8443',
    'x-forwarded-proto': 'http, https',
  };
  const all = (request: Request) => [request.ip, request.ips, request.host, request.port, request.protocol];
  const believed = ['second.example:8443', 8443, 'https'];
  const disbelieved = ['localhost:80', 80, 'http'];
  const isTrustedProxy: [string, AmbitOptions['trustProxy'], unknown[]][] = [
    [
      'true, the whole chain',
      true,
      ['1.1.1.1', ['127.0.0.1', '10.0.0.2', '2.2.2.2', '1.1.1.1'], ...believed],
    ],
    ['an address', '127.0.0.1', ['10.0.0.2', ['127.0.0.1', '10.0.0.2'], ...believed]],
    ['a name for addresses', 'loopback', ['10.0.0.2', ['127.0.0.1', '10.0.0.2'], ...believed]],
    [
      'a list in a text',
      'loopback, 10.0.0.0/8',
      ['2.2.2.2', ['127.0.0.1', '10.0.0.2', '2.2.2.2'], ...believed],
    ],
    ['a list', ['127.0.0.1', '10.0.0.2'], ['2.2.2.2', ['127.0.0.1', '10.0.0.2', '2.2.2.2'], ...believed]],
    [
      'a predicate',
      (address) => address !== '2.2.2.2',
      ['2.2.2.2', ['127.0.0.1', '10.0.0.2', '2.2.2.2'], ...believed],
    ],
    ['a predicate on hops', (_address, hop) => hop < 1, ['10.0.0.2', ['127.0.0.1', '10.0.0.2'], ...believed]],
    ['another address', '192.168.0.1', ['127.0.0.1', ['127.0.0.1'], ...disbelieved]],
    ['a number of hops, which says nothing of the peer', 2, ['127.0.0.1', ['127.0.0.1'], ...disbelieved]],
  ];
  for (const [name, trustProxy, result] of isTrustedProxy) {
    test(`trustProxy: ${name}`, async () => {
      const options = { trustProxy } as AmbitOptions;
      expect(await evaluate(all, options, { headers: { host: 'localhost:80', ...forwarded } })).toEqual(
        result,
      );
    });
  }

  for (const [given, addresses] of [
    ['1.2.3.4:5678', ['1.2.3.4']],
    ['[::1]:99', ['::1']],
    ['[2001:DB8::1]', ['2001:DB8::1']],
    ['2001:db8::1:99', ['2001:db8::1:99']],
    ['1.1.1.1:1 , [::2]:2,3.3.3.3:3', ['3.3.3.3', '::2', '1.1.1.1']],
    ['[fe80::1%eth0]:1', ['fe80::1%eth0']],
    ['unknown:80', ['unknown:80']],
    ['1.2.3.4:', ['1.2.3.4:']],
    ['[::1]x', ['[::1]x']],
  ] as const) {
    test(`x-forwarded-for: ${given} gives the addresses without ports`, async () => {
      const headers = { 'x-forwarded-for': given };
      const result = await evaluate(({ ip, ips }) => [ip, ips], { trustProxy: true }, { headers });
      expect(result).toEqual([addresses.at(-1), ['127.0.0.1', ...addresses]]);
    });
  }

  test('a proxy whose address has a port is trusted by its address', async () => {
    const headers = { 'x-forwarded-for': '9.9.9.9:1, 1.1.1.1:80, 10.0.0.2:443, [::1]:99' };
    const options = { trustProxy: ['loopback', '10.0.0.0/8'] };
    expect(await evaluate(({ ip }) => ip, options, { headers })).toBe('1.1.1.1');
  });

  test('without trustProxy, the field is not read', async () => {
    expect(await evaluate(({ ip }) => ip, {}, { headers: { 'x-forwarded-for': '1.2.3.4:5' } })).toBe(
      '127.0.0.1',
    );
  });

  test('with trustProxy and without forwarded headers they are those of the connection', async () => {
    const result = await evaluate(all, { trustProxy: true }, { headers: { host: 'localhost:80' } });
    expect(result).toEqual(['127.0.0.1', ['127.0.0.1'], ...disbelieved]);
  });

  for (const trustProxy of ['nonsense', '1.2.3.4/99', ['']]) {
    test(`trustProxy ${JSON.stringify(trustProxy)} is refused`, () => {
      expect(() => ambit({ trustProxy })).toThrow();
    });
  }
});

describe('is404, server, routeOptions, raw and log', () => {
  test('is404 is true in a not-found handler only', async () => {
    const app = ambit();
    app.get('/', (request) => ({ is404: request.is404 }));
    app.setNotFoundHandler((request, reply) =>
      reply.send({ is404: request.is404, url: request.routeOptions.url ?? 'none' }),
    );
    expect((await app.inject('/')).json()).toEqual({ is404: false });
    expect((await app.inject('/nowhere')).json()).toEqual({ is404: true, url: 'none' });
  });

  test('server is the context of the route', async () => {
    const app = ambit();
    let isChild: boolean | undefined;
    app.register(async (child) => {
      child.get('/', (request) => {
        isChild = request.server === child;
        return '';
      });
    });
    await app.inject('/');
    expect(isChild).toBe(true);
  });

  test('routeOptions has the declared options, with the defaults filled in', async () => {
    const app = ambit({ bodyLimit: 99 });
    const schema = { querystring: { q: { type: 'string' } } };
    const handler: Handler = (request) => {
      const { handler: declared, ...rest } = request.routeOptions;
      return { ...rest, isHandler: declared === handler };
    };
    app.register(
      async (child) => void child.get('/:id', { schema, config: { tag: 'x' }, logLevel: 'warn' }, handler),
      { prefix: '/p' },
    );
    expect((await app.inject('/p/7')).json()).toMatchObject({
      method: 'GET',
      url: '/p/:id',
      bodyLimit: 99,
      attachValidation: false,
      logLevel: 'warn',
      exposeHeadRoute: true,
      prefixTrailingSlash: 'both',
      handlerTimeout: 0,
      isHandler: true,
      config: { tag: 'x', url: '/p/:id', method: 'GET' },
      schema: { querystring: { type: 'object', properties: { q: { type: 'string' } } } },
    });
  });

  test('routeOptions cannot be changed', async () => {
    const app = ambit();
    app.get('/', (request) => {
      (request.routeOptions as { url: string }).url = '/elsewhere';
      return '';
    });
    app.get('/url', (request) => request.routeOptions.url);
    await app.inject('/');
    expect((await app.inject('/url')).body).toBe('/url');
  });

  test('raw is node’s request, log a logger', async () => {
    const result = await evaluate((request) => [
      request.raw.url,
      typeof request.raw.pipe,
      typeof request.log.info,
    ]);
    expect(result).toEqual(['/', 'function', 'function']);
  });

  test('decorators are read and set by name', async () => {
    const app = ambit();
    app.decorateRequest('user', null);
    app.decorateRequest('greet', function (this: { user: string }) {
      return `Hello ${this.user}`;
    });
    app.get('/', (request) => {
      request.setDecorator('user', 'Ada');
      return { user: request.getDecorator('user'), greeting: request.getDecorator<() => string>('greet')() };
    });
    expect((await app.inject('/')).json()).toEqual({ user: 'Ada', greeting: 'Hello Ada' });
  });

  for (const use of ['getDecorator', 'setDecorator'] as const) {
    test(`${use} rejects a name that is not declared`, async () => {
      const app = ambit();
      app.get('/', (request) => request[use]('nothing', 1) as never);
      const response = await app.inject('/');
      expect([response.statusCode, response.json<Failure>().code]).toEqual([500, 'FST_ERR_DEC_UNDECLARED']);
    });
  }
});

describe('signal', () => {
  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

  test('aborts when the client of a GET leaves', async () => {
    const app = ambit();
    const aborted = new Promise<boolean>((resolve) => {
      app.get('/', async (request, reply) => {
        const before = request.signal.aborted;
        await untilAborted(request.signal);
        resolve(before === false && request.signal.aborted);
        return reply.hijack();
      });
    });
    const { socket } = await open(await servePort(app));
    socket.write(requestText('GET', '/'));
    setTimeout(() => socket.destroy(), 20);
    expect(await aborted).toBe(true);
  });

  for (const [name, read] of [
    ['in the handler, after the body was read', 'handler'],
    ['in onRequest, before the body was read', 'onRequest'],
  ] as const) {
    test(`aborts when the client of a POST leaves, and not before: read ${name}`, async () => {
      const states: boolean[] = [];
      const app = ambit();
      const done = new Promise<void>((resolve) => {
        app.post('/', {
          onRequest: async (request) => void (read === 'onRequest' && request.signal),
          handler: async (request, reply) => {
            await new Promise((wait) => setTimeout(wait, 20));
            states.push(request.signal.aborted);
            socketOf().destroy();
            await untilAborted(request.signal);
            states.push(request.signal.aborted);
            resolve();
            return reply.hijack();
          },
        });
      });
      const { socket } = await open(await servePort(app));
      const socketOf = () => socket;
      socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nbody');
      await done;
      expect(states).toEqual([false, true]);
    });
  }

  test('does not abort while the handler works for a client that stays', async () => {
    const app = ambit();
    app.post('/', async (request) => {
      const { signal } = request;
      await new Promise((resolve) => setTimeout(resolve, 20));
      return { aborted: signal.aborted };
    });
    const response = await fetch(await serve(app), {
      method: 'POST',
      headers: { 'content-type': 'text/plain' },
      body: 'x',
    });
    expect(await response.json()).toEqual({ aborted: false });
  });

  test('aborts when handlerTimeout passes, with the reason', async () => {
    let reason: unknown;
    const app = ambit({ handlerTimeout: 20 });
    app.get('/', async (request) => {
      await untilAborted(request.signal);
      reason = request.signal.reason;
      return 'too late';
    });
    const response = await fetch(await serve(app));
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ code: 'FST_ERR_HANDLER_TIMEOUT' });
    expect(reason).toMatchObject({ code: 'FST_ERR_HANDLER_TIMEOUT' });
  });

  test('is the same signal each time that it is read', async () => {
    const isSame = (request: Request) => {
      const { signal } = request;
      return request.signal === signal;
    };
    expect(await evaluate(isSame)).toBe(true);
  });

  test('can be passed to fetch', async () => {
    const upstream = ambit();
    const reached = new Promise<void>((resolve) => {
      upstream.get('/', async (request, reply) => {
        await untilAborted(request.signal);
        resolve();
        return reply.hijack();
      });
    });
    const upstreamOrigin = await serve(upstream);
    const app = ambit();
    app.get('/', async (request) => (await fetch(upstreamOrigin, { signal: request.signal })).text());
    const client = httpRequest(await serve(app)).on('error', () => {});
    client.end();
    setTimeout(() => client.destroy(), 30);
    await reached;
  });
});

describe('validators of a request', () => {
  const schema = {
    body: { type: 'object', required: ['b'], properties: { b: { type: 'integer' } } },
    querystring: { type: 'object', properties: { q: { type: 'integer' } } },
    params: { type: 'object', properties: { p: { type: 'integer' } } },
    headers: { type: 'object', properties: { h: { type: 'integer' } } },
  };
  const other = { type: 'object', required: ['x'], properties: { x: { type: 'integer' } } };

  /** Runs in the handler of a POST whose parts all have schemas. */
  const inHandler = async <T>(
    use: (request: Request) => T,
    prepare: (app: Context) => void = () => {},
  ): Promise<T> => {
    let result: T | undefined;
    const app = ambit();
    prepare(app);
    app.post('/:p', { schema }, (request) => {
      result = use(request as Request);
      return '';
    });
    const response = await app.inject({
      method: 'POST',
      url: '/1',
      headers: { 'content-type': 'application/json' },
      body: '{"b":1}',
    });
    expect(response.statusCode).toBe(200);
    return result as T;
  };

  for (const [part, good, bad] of [
    ['body', { b: 1 }, {}],
    ['querystring', { q: 1 }, { q: 'x' }],
    ['query', { q: 1 }, { q: 'x' }],
    ['params', { p: 1 }, { p: 'x' }],
    ['headers', { h: 1 }, { h: 'x' }],
  ] as const) {
    test(`getValidationFunction('${part}') is the validator of that part`, async () => {
      const [first, second, errors] = await inHandler((request) => {
        const validate = request.getValidationFunction(part)!;
        return [validate(good), validate(bad), validate.errors] as const;
      });
      expect([first, second]).toEqual([true, false]);
      expect(errors).toHaveLength(1);
    });

    test(`validateInput validates any value with the schema of '${part}'`, async () => {
      const verdicts = await inHandler((request) => [
        request.validateInput({ ...good }, part),
        request.validateInput({ ...bad }, part),
      ]);
      expect(verdicts).toEqual([true, false]);
    });
  }

  test('getValidationFunction returns undefined for a part without a schema, or a schema that was not compiled', async () => {
    const result = await evaluate((request) => [
      typeof request.getValidationFunction('body'),
      typeof request.getValidationFunction({ type: 'object' }),
      typeof request.getValidationFunction('nonsense' as never),
      typeof request.getValidationFunction(null as never),
      typeof request.getValidationFunction(7 as never),
    ]);
    expect(result).toEqual(Array(5).fill('undefined'));
  });

  test('compileValidationSchema compiles a schema once, and getValidationFunction finds it', async () => {
    const [good, bad, isSame, isFound] = await inHandler((request) => {
      const validate = request.compileValidationSchema(other);
      return [
        validate({ x: '7' }),
        validate({}),
        request.compileValidationSchema(other) === validate,
        request.getValidationFunction(other) === validate,
      ];
    });
    expect([good, bad, isSame, isFound]).toEqual([true, false, true, true]);
  });

  test('compileValidationSchema resolves shared schemas', async () => {
    const verdicts = await inHandler(
      (request) => {
        const validate = request.compileValidationSchema({
          type: 'object',
          properties: { v: { $ref: 'shared#' } },
        });
        return [validate({ v: 3 }), validate({ v: 4 })];
      },
      (app) => app.addSchema({ $id: 'shared', type: 'integer', maximum: 3 }),
    );
    expect(verdicts).toEqual([true, false]);
  });

  test('compileValidationSchema uses the validator compiler of the context, and passes the part to it', async () => {
    const compiler = vi.fn(() => () => ({ value: 'compiled' }));
    const app = ambit();
    app.setValidatorCompiler(compiler);
    app.get('/:id', (request) => ({ result: request.compileValidationSchema(other, 'body')({}) }));
    expect((await app.inject('/7')).json()).toEqual({ result: { value: 'compiled' } });
    expect(compiler).toHaveBeenCalledWith({ schema: other, method: 'GET', url: '/7', httpPart: 'body' });
  });

  test('validateInput takes a schema, with or without a part', async () => {
    const verdicts = await inHandler((request) => [
      request.validateInput({ x: 1 }, other),
      request.validateInput({ x: 'x' }, other),
    ]);
    expect(verdicts).toEqual([true, false]);
    const result = await evaluate((request) => [
      request.validateInput({ x: 1 }, other, 'body'),
      request.validateInput({}, other, 'body'),
    ]);
    expect(result).toEqual([true, false]);
  });

  for (const wrong of ['body', 'nonsense', undefined, null, 7, []]) {
    test(`validateInput rejects ${JSON.stringify(wrong)} if there is no schema for it`, async () => {
      const app = ambit();
      app.get('/', (request) => ({ verdict: request.validateInput({}, wrong as never) }));
      const response = await app.inject('/');
      expect(response.statusCode).toBe(500);
      expect(response.json<Failure>().code).toBe('FST_ERR_REQ_INVALID_VALIDATION_INVOCATION');
    });
  }

  test('a schema that cannot be compiled fails the request, not the process', async () => {
    const app = ambit();
    app.get('/', (request) => ({ verdict: request.validateInput({}, { $ref: 'nowhere#' }) }));
    expect((await app.inject('/')).statusCode).toBe(500);
  });
});

describe('serializers of a reply', () => {
  const ok = { type: 'object', properties: { a: { type: 'string' } } };
  const content = {
    'application/json': { schema: { type: 'object', properties: { j: { type: 'string' } } } },
    'application/vnd.v1+json': { schema: { type: 'object', properties: { v: { type: 'string' } } } },
  };
  const value = { a: 'a', j: 'j', v: 'v', x: 'x', secret: 's' };
  const other = { type: 'object', properties: { x: { type: 'string' } } };

  const withReply = async (use: (reply: Parameters<Handler>[1]) => unknown) => {
    const app = ambit();
    app.get(
      '/',
      { schema: { response: { 200: ok, '4xx': { type: 'object' }, 201: { content } } } },
      (_request, reply) => {
        reply.serializer((payload: unknown) => JSON.stringify(payload)).type('text/plain');
        return { result: use(reply) ?? 'nothing' };
      },
    );
    const response = await app.inject('/');
    return response.json<{ result: unknown }>();
  };

  test('getSerializationFunction finds the serializer of a status, a pattern, a media type or a compiled schema', async () => {
    const { result } = await withReply((reply) => [
      reply.getSerializationFunction(200)!(value as never),
      reply.getSerializationFunction('200')!(value as never),
      reply.getSerializationFunction('4xx')!(value as never),
      reply.getSerializationFunction(201, 'application/vnd.v1+json')!(value as never),
    ]);
    expect(result).toEqual(['{"a":"a"}', '{"a":"a"}', '{}', '{"v":"v"}']);
  });

  test('getSerializationFunction returns undefined if there is none', async () => {
    const { result } = await withReply((reply) => [
      typeof reply.getSerializationFunction(500),
      typeof reply.getSerializationFunction(201, 'text/html'),
      typeof reply.getSerializationFunction(other),
      typeof reply.getSerializationFunction(null as never),
    ]);
    expect(result).toEqual(Array(4).fill('undefined'));
  });

  test('compileSerializationSchema compiles a schema once, and getSerializationFunction finds it', async () => {
    const { result } = await withReply((reply) => {
      const serialize = reply.compileSerializationSchema(other);
      return [
        serialize(value as never),
        reply.compileSerializationSchema(other) === serialize,
        reply.getSerializationFunction(other) === serialize,
      ];
    });
    expect(result).toEqual(['{"x":"x"}', true, true]);
  });

  test('compileSerializationSchema uses the serializer compiler of the context, and passes status and media type to it', async () => {
    const compiler = vi.fn(() => () => 'compiled');
    const app = ambit();
    app.setSerializerCompiler(compiler);
    app.get('/:id', (_request, reply) =>
      reply.compileSerializationSchema(other, '201', 'text/x')({} as never),
    );
    expect((await app.inject('/7')).body).toBe('compiled');
    expect(compiler).toHaveBeenCalledWith({
      schema: other,
      method: 'GET',
      url: '/7',
      httpStatus: '201',
      contentType: 'text/x',
    });
  });

  test('serializeInput serializes any value by status, by status and media type, or by schema', async () => {
    const { result } = await withReply((reply) => [
      reply.serializeInput(value, 200),
      reply.serializeInput(value, '4xx'),
      reply.serializeInput(value, 201, 'application/json'),
      reply.serializeInput(value, other),
    ]);
    expect(result).toEqual(['{"a":"a"}', '{}', '{"j":"j"}', '{"x":"x"}']);
  });

  for (const [args, code] of [
    [[500], 'FST_ERR_MISSING_SERIALIZATION_FN'],
    [['5xx'], 'FST_ERR_MISSING_SERIALIZATION_FN'],
    [[201, 'text/html'], 'FST_ERR_MISSING_CONTENTTYPE_SERIALIZATION_FN'],
  ] as const) {
    test(`serializeInput rejects ${JSON.stringify(args)} if there is no schema for it`, async () => {
      const answer = await withReply((reply) => reply.serializeInput(value, ...(args as [number, string])));
      expect(answer).toMatchObject({ statusCode: 500, code });
    });
  }

  test('serialize serializes as send would, without sending', async () => {
    const app = ambit();
    app.get('/', { schema: { response: { 200: ok, 404: other } } }, (_request, reply) => {
      const first = reply.serialize(value);
      const second = reply.code(404).serialize(value);
      const third = reply.code(500 as 404).serialize({ plain: 1 });
      const fourth = reply.serializer(() => 'own').serialize(value);
      return reply
        .code(200)
        .type('text/plain')
        .serializer(() => [first, second, third, fourth].join(' '))
        .send({});
    });
    expect((await app.inject('/')).body).toBe('{"a":"a"} {"x":"x"} {"plain":1} own');
  });
});
