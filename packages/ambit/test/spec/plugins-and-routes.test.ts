// Spec 4.1: `register`, `decorateRequest`, `route` and the shortcuts.
import { ambit, type Context } from 'ambit';
import { afterEach, expect, test } from 'vitest';

const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

/** An application that is closed when the test ends. */
function make(...options: Parameters<typeof ambit>): Context {
  const app = ambit(...options);
  open.push(app);
  return app;
}

// ------------------------------------------------------------------------------------------------------------- register

test('register creates a child context and runs the plugin in it, with its options', async () => {
  const app = make();
  const calls: unknown[] = [];
  app.register(
    async (context, options) => {
      calls.push(Object.getPrototypeOf(context) === app, options);
    },
    { answer: 42 },
  );
  await app.ready();
  expect(calls).toEqual([true, { answer: 42 }]);
});

test('register without options gives the plugin an empty object', async () => {
  const app = make();
  const received: unknown[] = [];
  app.register(async (_context, options) => {
    received.push(options);
  });
  await app.ready();
  expect(received).toEqual([{}]);
});

test('register takes its options as a function of the parent, called when the plugin loads', async () => {
  const app = make();
  const received: unknown[] = [];
  app.register(async (context) => {
    context.register(
      async (child) => {
        child.decorate('late', 1);
      },
      () => ({}),
    );
  });
  app.decorate('size', 3);
  app.register(
    async (_context, options) => {
      received.push(options);
    },
    (parent) => ({ size: parent.getDecorator<number>('size') }),
  );
  await app.ready();
  expect(received).toEqual([{ size: 3 }]);
});

test('register returns the context, for chaining, and can be awaited', async () => {
  const app = make();
  const order: string[] = [];
  await app
    .register(async () => {
      order.push('first');
    })
    .register(async () => {
      order.push('second');
    });
  order.push('awaited');
  expect(order).toEqual(['first', 'second', 'awaited']);
});

test('register with a prefix puts it before the URL of every route in the plugin', async () => {
  const app = make();
  app.register(
    async (context) => {
      context.get('/users', () => context.prefix);
    },
    { prefix: '/v1' },
  );
  expect((await app.inject('/v1/users')).body).toBe('/v1');
  expect((await app.inject('/users')).statusCode).toBe(404);
});

for (const [what, plugin] of [
  ['undefined', undefined],
  ['null', null],
  ['a string', 'plugin'],
  ['an object without a default export', {}],
] as const) {
  test(`register refuses ${what}, naming the context and the caller`, async () => {
    const app = make();
    const register = async () => {
      app.register(plugin as never);
      await app.ready();
    };
    await expect(register()).rejects.toMatchObject({
      code: 'FST_ERR_PLUGIN_NOT_VALID',
      where: { plugin: 'ambit', file: expect.stringContaining('plugins-and-routes.test') },
    });
  });
}

test('register is refused once the application has booted', async () => {
  const app = make();
  await app.ready();
  expect(() => app.register(async () => {})).toThrow(
    expect.objectContaining({
      code: 'FST_ERR_ROOT_PLG_BOOTED',
      where: expect.objectContaining({ plugin: 'ambit' }),
    }),
  );
});

// ------------------------------------------------------------------------------------------------------ decorateRequest

test('decorateRequest adds a request property visible in the context and below', async () => {
  const app = make();
  app.decorateRequest('answer', 42);
  app.get('/', (request) => ({ answer: request.getDecorator('answer') }));
  app.register(async (child) => {
    child.get('/child', (request) => ({ answer: request.getDecorator('answer') }));
  });
  expect((await app.inject('/')).json()).toEqual({ answer: 42 });
  expect((await app.inject('/child')).json()).toEqual({ answer: 42 });
});

test('decorateRequest returns the context', () => {
  const app = make();
  expect(app.decorateRequest('answer', 42)).toBe(app);
});

// ----------------------------------------------------------------------------------------------------- route, shortcuts

test('route declares a route for one method', async () => {
  const app = make();
  app.route({ method: 'PUT', path: '/', handler: () => 'put' });
  expect((await app.inject({ method: 'PUT', url: '/' })).body).toBe('put');
  expect((await app.inject({ method: 'POST', url: '/' })).statusCode).toBe(404);
});

test('route declares a route for a list of methods, in any case', async () => {
  const app = make();
  app.route({ method: ['get', 'Delete'], url: '/', handler: (request) => request.method });
  expect((await app.inject('/')).body).toBe('GET');
  expect((await app.inject({ method: 'DELETE', url: '/' })).body).toBe('DELETE');
});

test('path and url name the same thing', async () => {
  const app = make();
  app.route({ method: 'GET', path: '/path', handler: () => 'path' });
  app.route({ method: 'GET', url: '/url', handler: () => 'url' });
  expect((await app.inject('/path')).body).toBe('path');
  expect((await app.inject('/url')).body).toBe('url');
});

for (const method of ['get', 'head', 'post', 'put', 'patch', 'delete', 'options', 'trace'] as const) {
  test(`${method}(path, handler) declares a route for ${method.toUpperCase()}`, async () => {
    const app = make();
    app[method as 'get']('/', (request, reply) => {
      reply.header('x-method', request.method).send('');
    });
    const reply = await app.inject({ method: method.toUpperCase(), url: '/' });
    expect(reply.statusCode).toBe(200);
    expect(reply.headers['x-method']).toBe(method.toUpperCase());
  });
}

test('a shortcut takes options between the path and the handler, the same as route', async () => {
  const app = make();
  app.get('/', { schema: { querystring: { n: { type: 'integer' } } }, config: { name: 'x' } }, (request) => ({
    n: (request.query as { n: number }).n,
    name: request.routeOptions.config.name,
  }));
  expect((await app.inject('/?n=1')).json()).toEqual({ n: 1, name: 'x' });
});

test('a shortcut takes the handler among its options', async () => {
  const app = make();
  app.post('/', { handler: () => 'posted' });
  expect((await app.inject({ method: 'POST', url: '/' })).body).toBe('posted');
});

test('route and the shortcuts return the context', () => {
  const app = make();
  expect(app.route({ method: 'GET', url: '/', handler: () => 1 })).toBe(app);
  expect(app.post('/', () => 1)).toBe(app);
  expect(app.all('/all', () => 1)).toBe(app);
});

test('all declares the route for every supported method', async () => {
  const app = make();
  app.all('/', (request, reply) => {
    reply.header('x-method', request.method).send('');
  });
  expect(app.supportedMethods.toSorted()).toEqual([
    'DELETE',
    'GET',
    'HEAD',
    'OPTIONS',
    'PATCH',
    'POST',
    'PUT',
    'QUERY',
    'TRACE',
  ]);
  for (const method of app.supportedMethods) {
    const headers = { 'content-type': 'text/plain' };
    const reply = await app.inject({ method, url: '/', headers, body: 'x' });
    expect(reply.headers['x-method']).toBe(method);
  }
});

const handler = (): number => 1;
for (const [what, declare, code] of [
  ['a path that is no string', (app: Context) => app.get(5 as never, handler), 'FST_ERR_INVALID_URL'],
  [
    'options that are no object',
    (app: Context) => app.get('/', 'options' as never, handler),
    'FST_ERR_ROUTE_OPTIONS_NOT_OBJ',
  ],
  [
    'options that are null',
    (app: Context) => app.get('/', null as never, handler),
    'FST_ERR_ROUTE_OPTIONS_NOT_OBJ',
  ],
  [
    'two handlers',
    (app: Context) => app.get('/', { handler } as never, handler),
    'FST_ERR_ROUTE_DUPLICATED_HANDLER',
  ],
  ['no handler', (app: Context) => app.get('/', {} as never), 'FST_ERR_ROUTE_MISSING_HANDLER'],
  [
    'a handler that is no function',
    (app: Context) => app.get('/', { handler: 'x' } as never),
    'FST_ERR_ROUTE_HANDLER_NOT_FN',
  ],
  [
    'an error handler that is no function',
    (app: Context) => app.get('/', { errorHandler: 'x' } as never, handler),
    'FST_ERR_ROUTE_HANDLER_NOT_FN',
  ],
  [
    'a bodyLimit of 0',
    (app: Context) => app.post('/', { bodyLimit: 0 }, handler),
    'FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT',
  ],
  [
    'a bodyLimit of 1.5',
    (app: Context) => app.post('/', { bodyLimit: 1.5 }, handler),
    'FST_ERR_ROUTE_BODY_LIMIT_OPTION_NOT_INT',
  ],
  [
    'a handlerTimeout of -1',
    (app: Context) => app.post('/', { handlerTimeout: -1 }, handler),
    'FST_ERR_ROUTE_HANDLER_TIMEOUT_OPTION_NOT_INT',
  ],
  [
    'a hook that is no function',
    (app: Context) => app.get('/', { preHandler: 'x' } as never, handler),
    'FST_ERR_HOOK_INVALID_HANDLER',
  ],
  [
    'a method that is no string',
    (app: Context) => app.route({ method: 5, url: '/', handler } as never),
    'FST_ERR_ROUTE_METHOD_INVALID',
  ],
] as const) {
  test(`a route with ${what} is refused, naming the context and the caller`, () => {
    const app = make();
    expect(() => declare(app)).toThrow(
      expect.objectContaining({
        code,
        where: expect.objectContaining({
          plugin: 'ambit',
          file: expect.stringContaining('plugins-and-routes.test'),
        }),
      }),
    );
  });
}

test('a route declared after the application has started is refused', async () => {
  const app = make();
  await app.ready();
  expect(() => app.get('/', () => 1)).toThrow(
    expect.objectContaining({
      code: 'FST_ERR_INSTANCE_ALREADY_LISTENING',
      message: expect.stringContaining('Cannot add route!'),
    }),
  );
});
