// Routing: what a URL pattern matches, prefixes, constraints, methods, HEAD for GET, and how routes are listed.
import { type AmbitOptions, ambit, type Context, type Handler, type Plugin } from 'ambit';
import { expect, test } from 'vitest';

const here = expect.stringContaining('router.test.ts');
const showParams: Handler = (request) => request.params;

/** An application with one GET route that replies with its params. */
function serve(url: string, options: AmbitOptions = {}): (url: string) => Promise<unknown> {
  const app = ambit(options);
  app.get(url, showParams);
  return async (url) => {
    const reply = await app.inject(url);
    return { 200: reply.json() }[reply.statusCode] ?? reply.statusCode;
  };
}

// --------------------------------------------------------------------------------------------------------------- params

for (const [pattern, url, params] of [
  ['/', '/', {}],
  ['/users', '/users', {}],
  ['/users/:id', '/users/7', { id: '7' }],
  ['/users/:id', '/users/a%20b', { id: 'a b' }],
  ['/users/:id', '/users/a%2Fb', { id: 'a/b' }],
  ['/users/:id', '/users/%C3%A9', { id: 'é' }],
  ['/users/:userId/posts/:postId', '/users/1/posts/2', { userId: '1', postId: '2' }],
  ['/near/:lat-:lng', '/near/15-30', { lat: '15', lng: '30' }],
  ['/at/:hour(^\\d{2})h:minute(^\\d{2})m', '/at/08h24m', { hour: '08', minute: '24' }],
  ['/file/:name.:ext', '/file/logo.png', { name: 'logo', ext: 'png' }],
  ['/file/:file(^\\d+).png', '/file/12.png', { file: '12' }],
  ['/id/:id(^\\d+$)', '/id/12', { id: '12' }],
  ['/optional/:id?', '/optional/12', { id: '12' }],
  ['/static/*', '/static/a/b.css', { '*': 'a/b.css' }],
  ['/static/*', '/static/', { '*': '' }],
  ['*', '/any/thing', { '*': '/any/thing' }],
  ['/double::colon', '/double:colon', {}],
] as const) {
  test(`${pattern} matches ${url} with ${JSON.stringify(params)}`, async () => {
    expect(await serve(pattern)(url)).toEqual(params);
  });
}

test('an optional parameter may be absent', async () => {
  expect(await serve('/optional/:id?')('/optional')).toMatchObject({});
});

for (const [pattern, url] of [
  ['/users', '/users/'],
  ['/users', '/Users'],
  ['/users/:id', '/users'],
  ['/users/:id', '/users/1/2'],
  ['/id/:id(^\\d+$)', '/id/abc'],
  ['/near/:lat-:lng', '/near/15'],
  ['/file/:file(^\\d+).png', '/file/12.gif'],
  ['/static/*', '/stati'],
  ['/double::colon', '/double::colon'],
] as const) {
  test(`${pattern} does not match ${url}`, async () => {
    expect(await serve(pattern)(url)).toBe(404);
  });
}

test('a static route wins over a parameter, a parameter over a wildcard', async () => {
  const app = ambit();
  app.get('/*', () => 'wildcard');
  app.get('/:id', () => 'param');
  app.get('/me', () => 'static');
  expect((await app.inject('/me')).body).toBe('static');
  expect((await app.inject('/you')).body).toBe('param');
  expect((await app.inject('/you/too')).body).toBe('wildcard');
});

test('a parameter named like a member of Object.prototype is a parameter', async () => {
  expect(await serve('/:constructor/:toString')('/a/b')).toEqual({ constructor: 'a', toString: 'b' });
});

for (const [length, status] of [
  [100, 200],
  [101, 414],
] as const) {
  test(`a parameter of ${length} characters under the default limit of 100 answers ${status}`, async () => {
    const app = ambit();
    app.get('/:id', () => 'ok');
    expect((await app.inject(`/${'x'.repeat(length)}`)).statusCode).toBe(status);
  });
}

for (const [length, status] of [
  [5, 200],
  [6, 414],
] as const) {
  test(`a parameter of ${length} characters under maxParamLength 5 answers ${status}`, async () => {
    const app = ambit({ routerOptions: { maxParamLength: 5 } });
    app.get('/:id(^\\w+$)', () => 'ok');
    const reply = await app.inject(`/${'x'.repeat(length)}`);
    expect(reply.statusCode).toBe(status);
  });
}

test('a URL that cannot be decoded is answered 400', async () => {
  const app = ambit();
  app.get('/:id', () => 'ok');
  expect((await app.inject('/%zz')).json()).toMatchObject({ statusCode: 400, code: 'FST_ERR_BAD_URL' });
});

test('ignoreTrailingSlash, ignoreDuplicateSlashes, caseSensitive and useSemicolonDelimiter have effect', async () => {
  expect(await serve('/users', { routerOptions: { ignoreTrailingSlash: true } })('/users/')).toEqual({});
  expect(await serve('/a/b', { routerOptions: { ignoreDuplicateSlashes: true } })('/a//b')).toEqual({});
  expect(await serve('/users/:id', { routerOptions: { caseSensitive: false } })('/USERS/Ada')).toEqual({
    id: 'Ada',
  });
  expect(await serve('/users', { routerOptions: { useSemicolonDelimiter: true } })('/users;a=1')).toEqual({});
  expect(await serve('/users')('/users;a=1')).toBe(404);
});

test('a regular expression that can be made to run for very long is refused, unless it is allowed', () => {
  const unsafe = '/:id(^(a+)+$)';
  expect(() => ambit().get(unsafe, showParams)).toThrow();
  expect(() => ambit({ routerOptions: { allowUnsafeRegex: true } }).get(unsafe, showParams)).not.toThrow();
});

test('a URL that begins with neither / nor * is rejected, with its location', () => {
  const app = ambit();
  expect(() => app.get('users', showParams)).toThrow(
    expect.objectContaining({ where: { plugin: 'ambit', route: 'GET users', file: here } }),
  );
});

for (const [url, message] of [
  ['users', 'The first character of a path should be `/` or `*`'],
  ['', 'The path could not be empty'],
  ['/*/b', 'Wildcard must be the last character in the route'],
  ['/:id(^\\d', 'Invalid regexp expression in "/:id(^\\d"'],
] as const) {
  test(`the URL '${url}' is rejected with the message of the router and a code of the catalogue`, () => {
    expect(() => ambit().get(url, showParams)).toThrow(
      expect.objectContaining({
        code: 'AMBIT_ERR_ROUTE_INVALID',
        message,
        cause: expect.objectContaining({ message }),
        where: { plugin: 'ambit', route: `GET ${url}`, file: here },
      }),
    );
  });
}

test('a constraint without a strategy is rejected at the declaration, with its location', () => {
  expect(() => ambit().get('/', { constraints: { tenant: 'a' } }, showParams)).toThrow(
    expect.objectContaining({
      code: 'AMBIT_ERR_ROUTE_INVALID',
      where: { plugin: 'ambit', route: 'GET /', file: here },
    }),
  );
});

// -------------------------------------------------------------------------------------------------------------- options

for (const [name, value, code] of [
  ['attachValidation', 'yes', 'AMBIT_ERR_OPTION_INVALID'],
  ['schema', 'x', 'AMBIT_ERR_OPTION_INVALID'],
  ['validatorCompiler', 'x', 'AMBIT_ERR_OPTION_INVALID'],
  ['serializerCompiler', 'x', 'AMBIT_ERR_OPTION_INVALID'],
  ['childLoggerFactory', 'x', 'AMBIT_ERR_OPTION_INVALID'],
  ['schemaErrorFormatter', 'x', 'FST_ERR_SCHEMA_ERROR_FORMATTER_NOT_FN'],
  ['config', 'x', 'AMBIT_ERR_OPTION_INVALID'],
  ['constraints', 'x', 'AMBIT_ERR_OPTION_INVALID'],
  ['exposeHeadRoute', 'no', 'AMBIT_ERR_OPTION_INVALID'],
  ['prefixTrailingSlash', 'none', 'AMBIT_ERR_OPTION_INVALID'],
  ['logSerializers', 'x', 'AMBIT_ERR_OPTION_INVALID'],
] as const) {
  test(`a route whose ${name} is '${value}' is rejected, with its location`, () => {
    const options = { [name]: value } as never;
    expect(() => ambit().get('/users', options, showParams)).toThrow(
      expect.objectContaining({ code, where: { plugin: 'ambit', route: 'GET /users', file: here } }),
    );
  });

  test(`a route whose ${name} is null has none`, async () => {
    const app = ambit();
    app.get('/users', { [name]: null } as never, () => 'served');
    expect((await app.inject('/users')).body).toBe('served');
  });
}

for (const name of [
  'schema',
  'validatorCompiler',
  'serializerCompiler',
  'schemaErrorFormatter',
  'childLoggerFactory',
] as const) {
  test(`a route whose ${name} is false has none`, async () => {
    const app = ambit();
    const schema = { querystring: { page: { type: 'integer' } }, response: { 200: { type: 'string' } } };
    app.get('/users', { schema, [name]: false } as never, () => 'served');
    expect((await app.inject('/users?page=1')).body).toBe('served');
  });
}

for (const [part, schema, code] of [
  ['body', { body: null }, 'FST_ERR_SCH_VALIDATION_BUILD'],
  ['response 200', { response: { 200: null } }, 'FST_ERR_SCH_SERIALIZATION_BUILD'],
] as const) {
  test(`null as the schema of ${part} is rejected with a clear message and its location`, async () => {
    const app = ambit();
    app.post('/users', { schema }, () => 'saved');
    await expect(app.ready()).rejects.toMatchObject({
      code,
      message: expect.stringContaining(`${part} must be a schema, instead got null`),
      where: { plugin: 'ambit', route: 'POST /users', file: here },
    });
  });
}

for (const [misspelt, meant] of [
  ['preHandlr', 'preHandler'],
  ['rpeHandler', 'preHandler'],
  ['prehandler', 'preHandler'],
  ['preHandlers', 'preHandler'],
  ['onReqest', 'onRequest'],
  ['schemas', 'schema'],
  ['bodyLimits', 'bodyLimit'],
  ['constraint', 'constraints'],
  ['errorHandlr', 'errorHandler'],
] as const) {
  test(`the route option ${misspelt} is rejected, because it looks like ${meant}`, () => {
    const options = { [misspelt]: () => {} } as never;
    expect(() => ambit().get('/users', options, showParams)).toThrow(
      expect.objectContaining({
        code: 'AMBIT_ERR_UNKNOWN_OPTION',
        message: `unknown option '${misspelt}' of route GET /users; did you mean '${meant}'?`,
        where: { plugin: 'ambit', route: 'GET /users', file: here },
      }),
    );
  });
}

test('a misspelled url is rejected if the route has no other', () => {
  const app = ambit();
  expect(() => app.route({ method: 'GET', ulr: '/users', handler: showParams } as never)).toThrow();
});

test('options of plugins on routes are accepted, and onRoute hooks see them', async () => {
  const ofPlugins = {
    rateLimit: false,
    websocket: true,
    wsHandler: () => {},
    swagger: {},
    hide: true,
    version: '1.0.0',
    csrfProtection: true,
    helmet: false,
    cors: {},
    compress: false,
    decompress: false,
    sse: true,
    errorHandlers: {},
    openapi: {},
    tags: [],
    summary: '',
    description: '',
    operationId: 'a',
    security: [],
    auth: 'jwt',
    roles: [],
    permissions: [],
    response: {},
    timeout: 5,
    cache: {},
    oas: {},
    otel: false,
    schemaId: 'a',
    uri: '/a',
    wildcard: false,
  };
  const seen: object[] = [];
  const app = ambit();
  app.addHook('onRoute', (options) => void seen.push(options));
  app.register(async (context) => {
    context.get('/users', { ...ofPlugins, exposeHeadRoute: false } as never, () => 'served');
  });
  expect((await app.inject('/users')).body).toBe('served');
  expect(seen).toEqual([expect.objectContaining(ofPlugins)]);
});

test('options that an onRoute hook copies from a route are not misspellings', async () => {
  const app = ambit();
  app.addHook('onRoute', function (options) {
    if (options.method === 'GET') this.route({ ...options, method: 'OPTIONS', handler: () => 'allowed' });
  });
  app.register(async (context) => {
    context.get('/users', { exposeHeadRoute: false }, () => 'served');
  });
  expect((await app.inject({ method: 'OPTIONS', url: '/users' })).body).toBe('allowed');
});

// ---------------------------------------------------------------------------------------------------------- constraints

test('routes of one URL are selected by host, as text or as a pattern', async () => {
  const app = ambit();
  app.get('/', { constraints: { host: 'a.example' } }, () => 'a');
  app.get('/', { constraints: { host: /^b\d\.example$/ } }, () => 'b');
  app.get('/', () => 'any');
  const at = async (host: string) => (await app.inject({ url: '/', headers: { host } })).body;
  expect(await at('a.example')).toBe('a');
  expect(await at('b7.example')).toBe('b');
  expect(await at('c.example')).toBe('any');
});

test('a route with a host does not match another host', async () => {
  const app = ambit();
  app.get('/', { constraints: { host: 'a.example' } }, () => 'a');
  expect((await app.inject({ url: '/', headers: { host: 'b.example' } })).statusCode).toBe(404);
});

test('routes of one URL are selected by version, with ranges in accept-version', async () => {
  const app = ambit();
  app.get('/', { constraints: { version: '1.2.0' } }, () => '1.2.0');
  app.get('/', { constraints: { version: '2.0.0' } }, () => '2.0.0');
  const at = async (version: string) =>
    (await app.inject({ url: '/', headers: { 'accept-version': version } })).body;
  expect(await at('1.x')).toBe('1.2.0');
  expect(await at('1.2.0')).toBe('1.2.0');
  expect(await at('2.x')).toBe('2.0.0');
});

for (const [what, headers] of [
  ['another version', { 'accept-version': '3.x' }],
  ['no version', {}],
] as const) {
  test(`a request for ${what} does not reach a route with a version`, async () => {
    const app = ambit();
    app.get('/', { constraints: { version: '1.2.0' } }, () => 'ok');
    expect((await app.inject({ url: '/', headers })).statusCode).toBe(404);
  });
}

test('a custom constraint strategy selects routes', async () => {
  const secret = {
    name: 'secret',
    storage: () => {
      const handlers = new Map<unknown, unknown>();
      return {
        get: (value: never) => handlers.get(value) ?? null,
        set: (value: never, handler: never) => void handlers.set(value, handler),
      };
    },
    deriveConstraint: (request: { headers: Record<string, string> }) => request.headers['x-secret'],
  };
  const app = ambit();
  expect(app.hasConstraintStrategy('secret')).toBe(false);
  app.addConstraintStrategy(secret as never);
  expect(app.hasConstraintStrategy('secret')).toBe(true);
  app.get('/', { constraints: { secret: 'alpha' } }, () => 'alpha');
  app.get('/', { constraints: { secret: 'beta' } }, () => 'beta');
  expect((await app.inject({ url: '/', headers: { 'x-secret': 'beta' } })).body).toBe('beta');
  expect((await app.inject({ url: '/', headers: { 'x-secret': 'gamma' } })).statusCode).toBe(404);
});

test('a constraint whose strategy was not added is rejected, with its location', () => {
  const app = ambit();
  expect(() => app.get('/', { constraints: { moon: 'full' } }, showParams)).toThrow(
    expect.objectContaining({ where: { plugin: 'ambit', route: 'GET /', file: here } }),
  );
});

// ----------------------------------------------------------------------------------------------------------------- HEAD

test('a GET route answers HEAD with the same headers, the length of the content, and no content', async () => {
  const app = ambit();
  app.get('/', (_request, reply) => reply.header('x-own', 'yes').send({ a: 1 }));
  const head = await app.inject({ method: 'HEAD', url: '/' });
  expect(head.statusCode).toBe(200);
  expect(head.headers).toMatchObject({
    'x-own': 'yes',
    'content-length': '7',
    'content-type': 'application/json; charset=utf-8',
  });
  expect(head.body).toBe('');
});

test('the application and the route can switch off HEAD for GET', async () => {
  const status = async (app: Context) => (await app.inject({ method: 'HEAD', url: '/' })).statusCode;
  expect(await status(ambit().get('/', { exposeHeadRoute: false }, () => 'ok'))).toBe(404);
  expect(await status(ambit({ exposeHeadRoutes: false }).get('/', () => 'ok'))).toBe(404);
  expect(
    await status(ambit({ exposeHeadRoutes: false }).get('/', { exposeHeadRoute: true }, () => 'ok')),
  ).toBe(200);
});

for (const order of ['before', 'after'] as const) {
  test(`a HEAD route that is declared ${order} the GET route wins over the automatic one`, async () => {
    const app = ambit();
    const declare = {
      head: () => app.head('/', (_request, reply) => reply.header('x-own', 'yes').send('')),
      get: () => app.get('/', { exposeHeadRoute: order === 'before' }, () => 'ok'),
    };
    for (const method of { before: ['head', 'get'], after: ['get', 'head'] }[order])
      declare[method as 'get' | 'head']();
    expect((await app.inject({ method: 'HEAD', url: '/' })).headers['x-own']).toBe('yes');
  });
}

test('a POST route does not answer HEAD', async () => {
  const app = ambit();
  app.post('/', () => 'ok');
  expect((await app.inject({ method: 'HEAD', url: '/' })).statusCode).toBe(404);
});

test('a known URL with another method is answered 404, never 405', async () => {
  const app = ambit();
  app.get('/', () => 'ok');
  expect((await app.inject({ method: 'DELETE', url: '/' })).json()).toEqual({
    message: 'Route DELETE:/ not found',
    error: 'Not Found',
    statusCode: 404,
  });
});

// ------------------------------------------------------------------------------------------------------- addHttpMethod

test('addHttpMethod supports another method, with a shortcut', async () => {
  const app = ambit();
  expect(app.supportedMethods).not.toContain('PROPFIND');
  app.addHttpMethod('PROPFIND');
  expect(app.supportedMethods).toContain('PROPFIND');
  app.route({ method: 'PROPFIND', url: '/route', handler: () => 'route' });
  (app as unknown as { propfind: Context['get'] }).propfind('/short', () => 'short');
  expect((await app.inject({ method: 'PROPFIND', url: '/route' })).body).toBe('route');
  expect((await app.inject({ method: 'PROPFIND', url: '/short' })).body).toBe('short');
});

test('addHttpMethod with hasBody parses and validates the body', async () => {
  const app = ambit();
  app.addHttpMethod('REPORT', { hasBody: true });
  app.route({
    method: 'REPORT',
    url: '/',
    schema: { body: { n: { type: 'integer' } } },
    handler: (request) => request.body,
  });
  const report = (n: string) => app.inject({ method: 'REPORT', url: '/', body: { n } });
  expect((await report('1')).json()).toEqual({ n: 1 });
  expect((await report('x')).statusCode).toBe(400);
});

test('addHttpMethod without hasBody refuses a body schema', () => {
  const app = ambit();
  app.addHttpMethod('SEARCH');
  expect(() => app.route({ method: 'SEARCH', url: '/', schema: { body: {} }, handler: showParams })).toThrow(
    expect.objectContaining({ code: 'FST_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED' }),
  );
});

for (const method of ['FETCH', 'propfind', '', 5]) {
  test(`addHttpMethod refuses ${JSON.stringify(method)}, which the HTTP parser does not know`, () => {
    expect(() => ambit().addHttpMethod(method as string)).toThrow(
      expect.objectContaining({ code: 'FST_ERR_ROUTE_METHOD_INVALID' }),
    );
  });
}

test('a method that was not added is not supported', () => {
  expect(() => ambit().route({ method: 'PROPFIND', url: '/', handler: showParams })).toThrow(
    expect.objectContaining({
      code: 'FST_ERR_ROUTE_METHOD_NOT_SUPPORTED',
      message: "'PROPFIND' is not a method of routes: `addHttpMethod` adds others",
    }),
  );
});

// -------------------------------------------------------------------------------------------------------------- prefixes

/** Declares a route inside nested prefixes, and returns the statuses of URLs. */
async function statusesUnder(
  prefixes: string[],
  url: string,
  asked: string[],
  options: object = {},
  factory: AmbitOptions = {},
) {
  const app = ambit(factory);
  const innermost: Plugin = async (context) => void context.get(url, options, () => 'ok');
  const nested = prefixes
    .slice(1)
    .reduceRight<Plugin>(
      (plugin, prefix) => async (context) => void context.register(plugin, { prefix }),
      innermost,
    );
  app.register(nested, { prefix: prefixes[0]! });
  const replies = await Promise.all(asked.map((path) => app.inject(path)));
  return replies.map(({ statusCode }) => statusCode);
}

test('prefixes of nested contexts add up', async () => {
  expect(await statusesUnder(['/v1', '/users'], '/:id', ['/v1/users/7', '/users/7', '/v1/7'])).toEqual([
    200, 404, 404,
  ]);
});

test('exactly one slash stands between prefixes', async () => {
  expect(await statusesUnder(['v1', 'users'], '/:id', ['/v1/users/7'])).toEqual([200]);
  expect(await statusesUnder(['/v1/', '/users'], '/:id', ['/v1/users/7'])).toEqual([200]);
  expect(await statusesUnder(['/v1/'], '/users', ['/v1/users', '/v1//users'])).toEqual([200, 404]);
});

test('a prefix may contain parameters', async () => {
  const app = ambit();
  app.register(async (child) => void child.get('/posts/:post', showParams), { prefix: '/users/:user' });
  expect((await app.inject('/users/1/posts/2')).json()).toEqual({ user: '1', post: '2' });
});

test('context.prefix is the full prefix', async () => {
  const app = ambit();
  const prefixes: string[] = [];
  app.register(
    async (child) => {
      child.register(async (grandchild) => void prefixes.push(grandchild.prefix), { prefix: '/users' });
    },
    { prefix: '/v1' },
  );
  await app.ready();
  expect(prefixes).toEqual(['/v1/users']);
});

for (const [prefixTrailingSlash, withSlash, without] of [
  [undefined, 200, 200],
  ['both', 200, 200],
  ['slash', 200, 404],
  ['no-slash', 404, 200],
] as const) {
  test(`the route / under a prefix, with prefixTrailingSlash ${prefixTrailingSlash}`, async () => {
    const options = { ...(prefixTrailingSlash && { prefixTrailingSlash }) };
    expect(await statusesUnder(['/v1'], '/', ['/v1/', '/v1'], options)).toEqual([withSlash, without]);
  });
}

test('the empty route under a prefix is the prefix itself', async () => {
  expect(await statusesUnder(['/v1'], '', ['/v1', '/v1/'])).toEqual([200, 404]);
});

test('the route / under a prefix answers with and without the slash where trailing slashes are ignored', async () => {
  const factory = { routerOptions: { ignoreTrailingSlash: true } };
  expect(await statusesUnder(['/v1'], '/', ['/v1/', '/v1'], {}, factory)).toEqual([200, 200]);
});

test('siblings may declare the same URL under different prefixes', async () => {
  const app = ambit();
  for (const prefix of ['/v1', '/v2']) {
    app.register(async (child) => void child.get('/users', () => prefix), { prefix });
  }
  expect((await app.inject('/v1/users')).body).toBe('/v1');
  expect((await app.inject('/v2/users')).body).toBe('/v2');
});

// ------------------------------------------------------------------------------------------------------------ duplicates

test('a route that is declared twice is rejected, with the location of the second declaration', () => {
  const app = ambit();
  app.get('/users', showParams);
  expect(() => app.get('/users', showParams)).toThrow(
    expect.objectContaining({
      code: 'FST_ERR_DUPLICATED_ROUTE',
      message: "Method 'GET' already declared for route '/users'",
      where: {
        plugin: 'ambit',
        route: 'GET /users',
        file: here,
        first: { plugin: 'ambit', file: here },
      },
    }),
  );
});

test('a route that two plugins declare fails boot, with the path of the second plugin and the complete URL', async () => {
  const app = ambit();
  app.register(
    async function first(context) {
      context.get('/users', showParams);
    },
    { prefix: '/v1' },
  );
  app.register(
    async function second(context) {
      context.get('/users', showParams);
    },
    { prefix: '/v1' },
  );
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_DUPLICATED_ROUTE',
    message: "Method 'GET' already declared for route '/v1/users'",
    where: { plugin: 'ambit > second', route: 'GET /v1/users', file: here },
  });
});

test('parameters of different names are the same route', () => {
  const app = ambit();
  app.get('/users/:id', showParams);
  expect(() => app.get('/users/:name', showParams)).toThrow(
    expect.objectContaining({ code: 'FST_ERR_DUPLICATED_ROUTE' }),
  );
});

test('other methods, URLs and constraints are other routes', async () => {
  const app = ambit();
  app.get('/users', showParams);
  app.post('/users', showParams);
  app.get('/users/', showParams);
  app.get('/users', { constraints: { host: 'a.example' } }, showParams);
  await app.ready();
});

test('a list of methods with one that is declared already is refused', () => {
  const app = ambit();
  app.post('/users', showParams);
  expect(() => app.route({ method: ['PUT', 'POST'], url: '/users', handler: showParams })).toThrow(
    expect.objectContaining({ code: 'FST_ERR_DUPLICATED_ROUTE' }),
  );
});

// --------------------------------------------------------------------------------------------------- what the router tells

test('hasRoute knows routes by the pattern they were declared with', () => {
  const app = ambit();
  app.get('/users/:id', { constraints: { version: '1.0.0' } }, showParams);
  app.post('/users', showParams);
  const has = (method: string, url: string, constraints = {}) => app.hasRoute({ method, url, constraints });
  expect(has('GET', '/users/:id', { version: '1.0.0' })).toBe(true);
  expect(has('HEAD', '/users/:id', { version: '1.0.0' })).toBe(true);
  expect(has('post', '/users')).toBe(true);
  expect(has('GET', '/users/:id')).toBe(false);
  expect(has('GET', '/users/7', { version: '1.0.0' })).toBe(false);
  expect(has('PUT', '/users')).toBe(false);
});

test('findRoute returns the handler and the params, or null', () => {
  const app = ambit();
  app.get('/users/:id', showParams);
  expect(app.findRoute({ method: 'GET', url: '/users/:id' })).toMatchObject({
    handler: showParams,
    params: {},
  });
  expect(app.findRoute({ method: 'GET', url: '/nowhere' })).toBeNull();
  expect(app.findRoute({ method: 'POST', url: '/users/:id' })).toBeNull();
});

test('routes of plugins are known once they have loaded', async () => {
  const app = ambit();
  app.register(async (context) => void context.get('/users', showParams), { prefix: '/v1' });
  expect(app.hasRoute({ method: 'GET', url: '/v1/users' })).toBe(false);
  await app.ready();
  expect(app.hasRoute({ method: 'GET', url: '/v1/users' })).toBe(true);
});

test('printRoutes shows the routes as a tree', async () => {
  const app = ambit();
  app.get('/users', showParams);
  app.get('/users/:id', { exposeHeadRoute: false }, showParams);
  app.post('/users', showParams);
  await app.ready();
  expect(app.printRoutes()).toBe(
    ['└── /', '    └── users (GET, HEAD, POST)', '        └── /', '            └── :id (GET)', ''].join('\n'),
  );
});

test('printRoutes takes a method, and a flat form', async () => {
  const app = ambit();
  app.get('/users', showParams);
  app.post('/orders', showParams);
  await app.ready();
  expect(app.printRoutes({ method: 'POST' })).toContain('orders (POST)');
  expect(app.printRoutes({ method: 'POST' })).not.toContain('users');
  expect(app.printRoutes({ commonPrefix: false })).toContain('/users (GET, HEAD)');
});

test('printRoutes shows hooks where it is asked to', async () => {
  const app = ambit();
  app.get('/', { onRequest: async function authenticate() {} }, showParams);
  await app.ready();
  expect(app.printRoutes({ includeHooks: true })).toContain('onRequest');
  expect(app.printRoutes({ includeHooks: true })).toContain('authenticate');
  expect(app.printRoutes()).not.toContain('onRequest');
});

test('printPlugins shows the plugins as a tree', async () => {
  const app = ambit();
  app.register(async function users(context) {
    context.register(async function admin() {});
  });
  app.register(async function orders() {});
  await app.ready();
  expect(app.printPlugins()).toMatch(
    /^root \d+ ms\n├─┬ users \d+ ms\n│ └── admin \d+ ms\n└── orders \d+ ms\n$/,
  );
});

test('several routes may share a handler', async () => {
  const app = ambit();
  const tell: Handler = (request) => request.routeOptions.url;
  app.get('/a', tell);
  app.get('/b/:id', tell);
  expect((await app.inject('/a')).body).toBe('/a');
  expect((await app.inject('/b/7')).body).toBe('/b/:id');
});

test('onRoute sees each route, also automatic HEAD routes, and its changes apply', async () => {
  const app = ambit();
  const seen: string[] = [];
  app.addHook('onRoute', (route) => {
    seen.push(`${route.method} ${route.prefix}|${route.routePath}|${route.url}`);
    route.config = { ...route.config, seen: true };
  });
  app.register(async (context) => void context.get('/users', (request) => request.routeOptions.config), {
    prefix: '/v1',
  });
  expect((await app.inject('/v1/users')).json()).toMatchObject({ seen: true });
  expect(seen).toEqual(['GET /v1|/users|/v1/users', 'HEAD /v1|/users|/v1/users']);
});
