// Routes that are declared after a plugin was registered and before it has loaded, as in a chain: its `onRoute` hooks see them.
import { fastify } from '@ambit/fastify';
import { ambit, type Context, hoist, type Plugin, type RegisteredRoute } from 'ambit';
import { describe, expect, test } from 'vitest';

const here = expect.stringContaining('add-route.deferred.test.ts');

/** A plugin that changes each route, and loads asynchronously. */
function onEachRoute(change: (route: RegisteredRoute) => Partial<RegisteredRoute> | void): Plugin {
  return hoist(async (context: Context) => {
    await new Promise(setImmediate);
    context.addHook('onRoute', (route) => void Object.assign(route, change(route)));
  }, 'each-route');
}

/** A plugin that lists the routes it sees. */
function lister(): { plugin: Plugin; seen: string[] } {
  const seen: string[] = [];
  return { seen, plugin: onEachRoute(({ method, url }) => void seen.push(`${method} ${url}`)) };
}

const closed: Plugin = onEachRoute((route) => {
  route.onRequest = async (_request, reply) => reply.code(429).send('too many');
});

describe('a route in a chain', () => {
  test('is seen by the onRoute hooks of a plugin that was registered before it', async () => {
    const app = ambit()
      .register(closed)
      .get('/', () => 'open');
    expect((await app.inject('/')).statusCode).toBe(429);
    expect((await app.inject({ method: 'HEAD', url: '/' })).statusCode).toBe(429);
  });

  test('is seen in every way of declaring it', async () => {
    const app = ambit().register(closed);
    app.route({ method: 'POST', url: '/route', handler: () => 'open' });
    app.all('/all', () => 'open');
    expect((await app.inject({ method: 'POST', url: '/route' })).statusCode).toBe(429);
    expect((await app.inject({ method: 'DELETE', url: '/all' })).statusCode).toBe(429);
  });

  test('is not seen by a plugin that is registered after it', async () => {
    const app = ambit()
      .get('/', () => 'open')
      .register(closed);
    expect((await app.inject('/')).body).toBe('open');
  });

  test('is seen by plugins in the order in which these were registered, each once', async () => {
    const order: string[] = [];
    const first = onEachRoute(({ method }) => void order.push(`first ${method}`));
    const second = onEachRoute(({ method }) => void order.push(`second ${method}`));
    const app = ambit();
    app.addHook('onRoute', ({ method }) => void order.push(`own ${method}`));
    app
      .register(first)
      .post('/a', () => 'a')
      .register(second)
      .put('/b', () => 'b');
    await app.ready();
    expect(order).toEqual(['own POST', 'own PUT', 'first POST', 'first PUT', 'second PUT']);
  });

  test('is seen by a plugin inside the plugin, and by a listener of after, before it', async () => {
    const inner = lister();
    const listened: string[] = [];
    const app = ambit();
    app.register(hoist(async (context: Context) => void context.register(inner.plugin)));
    app.after(() => void app.addHook('onRoute', ({ method }) => void listened.push(String(method))));
    app.post('/', () => 'open');
    await app.ready();
    expect(inner.seen).toEqual(['POST /']);
    expect(listened).toEqual(['POST']);
  });

  test('is not seen by a hook that the chain goes on with', async () => {
    const seen: string[] = [];
    const app = ambit()
      .register(async () => {})
      .post('/before', () => 'open');
    app.addHook('onRoute', ({ url }) => void seen.push(url));
    app.post('/after', () => 'open');
    await app.ready();
    expect(seen).toEqual(['/after']);
  });

  test('is not seen by the hooks of an encapsulated plugin', async () => {
    const seen: string[] = [];
    const app = ambit()
      .register(async (child) => void child.addHook('onRoute', ({ url }) => void seen.push(url)))
      .post('/', () => 'open');
    await app.ready();
    expect(seen).toEqual([]);
  });

  test('of a child is seen by a plugin that was registered in the child, with its prefix', async () => {
    const { plugin, seen } = lister();
    const app = ambit().register((child) => child.register(plugin).post('/:id', () => 'open'), {
      prefix: '/items',
    });
    await app.ready();
    expect(seen).toEqual(['POST /items/:id']);
  });

  test('is seen once when the plugin before it was awaited', async () => {
    const { plugin, seen } = lister();
    const app = ambit();
    await app.register(plugin);
    app.post('/', () => 'open');
    expect(seen).toEqual(['POST /']);
    await app.ready();
    expect(seen).toEqual(['POST /']);
  });

  test('of a plugin in callback style is seen by what the plugin registered', async () => {
    const { plugin, seen } = lister();
    const app = ambit();
    app.register((context, _options, done) => {
      context.register(plugin);
      setImmediate(() => {
        context.post('/', () => 'open');
        done();
      });
    });
    await app.ready();
    expect(seen).toEqual(['POST /']);
  });

  test('that a plugin declares at once is not held up by what is registered beside the plugin', async () => {
    const seen: string[] = [];
    const app = ambit();
    app.register(
      hoist(async (context: Context) => {
        context.addHook('onRoute', ({ url }) => void seen.push(url));
        context.post('/', () => 'open');
        expect(seen).toEqual(['/']);
      }),
    );
    app.register(async () => {});
    await app.ready();
  });

  test('is seen with its automatic HEAD route after it', async () => {
    const { plugin, seen } = lister();
    await ambit()
      .register(plugin)
      .get('/', () => 'open')
      .ready();
    expect(seen).toEqual(['GET /', 'HEAD /']);
  });

  test('with two URLs, `/` under a prefix, is seen as one, and changed under both', async () => {
    const seen: string[] = [];
    const app = ambit().register(
      (child) =>
        child
          .register(
            onEachRoute((route) => {
              seen.push(route.url);
              route.preHandler = async (_request, reply) => reply.code(403).send('closed');
            }),
          )
          .post('/', () => 'open'),
      { prefix: '/items' },
    );
    for (const url of ['/items', '/items/'])
      expect((await app.inject({ method: 'POST', url })).statusCode).toBe(403);
    expect(seen).toEqual(['/items']);
  });

  test('replaces the handler of both URLs of a route, which is compiled once', async () => {
    const handler = (): string => 'changed';
    const compiled: string[] = [];
    const app = ambit().register(
      (child) =>
        child
          .setValidatorCompiler(({ url }) => {
            compiled.push(url);
            return () => true;
          })
          .register(onEachRoute(() => ({ handler })))
          .post('/', { schema: { body: {} } }, () => 'declared'),
      { prefix: '/items' },
    );
    await app.ready();
    for (const url of ['/items', '/items/']) {
      expect(app.findRoute({ method: 'POST', url })!.handler).toBe(handler);
      expect((await app.inject({ method: 'POST', url, payload: {} })).body).toBe('changed');
    }
    expect(compiled).toEqual(['/items/']);
  });

  test('keeps its type: the routes of the chain are known to inject', async () => {
    const app = ambit()
      .register(closed)
      .post('/users', { schema: { response: { 429: { type: 'string' } } }, handler: () => 'open' });
    expect((await app.inject.post('/users')).body).toBe('too many');
  });
});

describe('what such a hook changes', () => {
  for (const [what, change, expected] of [
    ['the handler', (_route: RegisteredRoute) => ({ handler: () => 'changed' }), 'changed'],
    ['config', (_route: RegisteredRoute) => ({ config: { text: 'changed' } }), 'changed'],
    [
      'schemas',
      (_route: RegisteredRoute) => ({ schema: { response: { 200: { type: 'object', properties: {} } } } }),
      '{}',
    ],
    ['hooks', (_route: RegisteredRoute) => ({ onSend: async () => 'changed' }), 'changed'],
  ] as const) {
    test(`in ${what} applies`, async () => {
      const app = ambit()
        .register(onEachRoute(change))
        .get('/', (request, reply) => reply.send(request.routeOptions.config.text ?? { unchanged: true }));
      expect((await app.inject('/')).body).toBe(expected);
    });
  }

  test('in the URL moves the route', async () => {
    const app = ambit()
      .register(onEachRoute((route) => ({ url: `/v1${route.url}` })))
      .get('/users', (request) => request.routeOptions.url);
    app.get('/other', () => 'other');
    await app.ready();
    expect((await app.inject('/v1/users')).body).toBe('/v1/users');
    expect((await app.inject({ method: 'HEAD', url: '/v1/users' })).statusCode).toBe(200);
    expect((await app.inject('/users')).statusCode).toBe(404);
    expect((await app.inject('/v1/other')).body).toBe('other');
    expect(app.hasRoute({ method: 'GET', url: '/users' })).toBe(false);
  });

  test('in the constraints applies', async () => {
    const app = ambit()
      .register(onEachRoute((_route) => ({ constraints: { host: 'example.com' } })))
      .get('/', () => 'open');
    expect((await app.inject('/')).statusCode).toBe(404);
    expect((await app.inject({ url: '/', headers: { host: 'example.com' } })).body).toBe('open');
  });

  test('so that two routes are one fails the boot with the place of the second', async () => {
    const app = ambit()
      .register(onEachRoute((_route) => ({ url: '/one' })))
      .post('/a', () => 'a')
      .post('/b', () => 'b');
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_DUPLICATED_ROUTE',
      where: { plugin: 'ambit', route: 'POST /one', file: here },
    });
  });

  test('in hooks that were none applies, under both URLs of a prefix', async () => {
    const app = ambit().register(
      (child) =>
        child
          .register(onEachRoute(() => ({ onSend: async () => 'changed' })))
          .post('/', { onSend: null as never }, () => 'open'),
      { prefix: '/items' },
    );
    expect((await app.inject({ method: 'POST', url: '/items' })).body).toBe('changed');
    expect((await app.inject({ method: 'POST', url: '/items/' })).body).toBe('changed');
  });

  test('in exposeHeadRoute comes too late, and says so', async () => {
    const app = ambit()
      .register(onEachRoute((_route) => ({ exposeHeadRoute: false })))
      .get('/a', () => 'a');
    await expect(app.ready()).rejects.toMatchObject({
      code: 'AMBIT_ERR_HEAD_ROUTE_TOO_LATE',
      where: { plugin: 'ambit', route: 'GET /a', file: here },
    });
  });

  test('to no hook at all fails the boot with the place of the route', async () => {
    const app = ambit()
      .register(onEachRoute((_route) => ({ onSend: 'none' as never })))
      .post('/a', () => 'a');
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_HOOK_INVALID_HANDLER',
      where: { plugin: 'ambit', route: 'POST /a', file: here },
    });
  });

  test('by throwing fails the boot with the place of the route', async () => {
    const app = ambit()
      .register(
        onEachRoute(() => {
          throw new Error('no such route');
        }),
      )
      .post('/a', () => 'a');
    await expect(app.ready()).rejects.toMatchObject({
      message: 'no such route',
      where: { plugin: 'ambit', route: 'POST /a', file: here },
    });
  });
});

describe('a route in a chain is declared at once', () => {
  test('it is there for hasRoute, findRoute and printRoutes', () => {
    const app = ambit()
      .register(closed)
      .get('/a', () => 'a');
    expect(app.hasRoute({ method: 'GET', url: '/a' })).toBe(true);
    expect(app.findRoute({ method: 'GET', url: '/a' })).not.toBeNull();
    expect(app.printRoutes()).toContain('a (GET, HEAD)');
  });

  test('declaring it twice throws where it is declared again', () => {
    const app: Context = ambit();
    app.register(closed).get('/a', () => 'a');
    expect(() => app.get('/a', () => 'again')).toThrow(
      expect.objectContaining({ code: 'FST_ERR_DUPLICATED_ROUTE' }),
    );
  });

  test('it is shown at once to the hooks that are there', () => {
    const seen: string[] = [];
    const app = ambit();
    app.addHook('onRoute', ({ url }) => void seen.push(url));
    app.register(closed).post('/a', () => 'a');
    expect(seen).toEqual(['/a']);
  });
});

test('10,000 routes of a chain have one turn for hooks and one for settings, and each is seen once', async () => {
  const { plugin, seen } = lister();
  const app: Context = ambit();
  app.register(plugin);
  for (let i = 0; i < 10_000; i++) app.post(`/route/${i}`, () => i);
  await app.ready();
  expect(seen).toHaveLength(10_000);
  expect(app.printPlugins().split('_after')).toHaveLength(3);
  expect((await app.inject({ method: 'POST', url: '/route/9999' })).body).toBe('9999');
}, 60_000);

test('the router is rebuilt once for 10,000 routes of a chain that a plugin moves', async () => {
  const app: Context = ambit();
  app.register(onEachRoute((route) => ({ url: `/v1${route.url}` })));
  for (let i = 0; i < 10_000; i++) app.post(`/route/${i}`, () => i);
  expect((await app.inject({ method: 'POST', url: '/v1/route/9999' })).body).toBe('9999');
}, 60_000);

test('on the facade, as in Fastify, hooks see the routes that are declared once their plugin has loaded', async () => {
  const app = fastify();
  app.register(closed as never);
  app.get('/before', () => 'open');
  app.after(() => void app.get('/after', () => 'open'));
  expect((await app.inject('/before')).body).toBe('open');
  expect((await app.inject('/after')).statusCode).toBe(429);
});
