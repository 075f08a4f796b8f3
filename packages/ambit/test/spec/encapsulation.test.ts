// Spec 4.6: what a context sees, what it must not see, and how a plugin breaks out of its context.
import { ambit, type Context, hoist, type Plugin, type Request } from 'ambit';
import fastifyPlugin from 'fastify-plugin';
import { afterEach, expect, test } from 'vitest';

type Decorated = Request & { answer?: number; foo?: string; bar?: string };
/** What a route answers with: the keys that its context does not see are omitted (specification 1.14). */
const showDecorators = (request: Request) => {
  const { answer, foo, bar } = request as Decorated;
  return { answer, foo, bar };
};

const open: Context[] = [];
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

/** The application of the specification's example, on a socket; `wrap` may hoist the grandchild. */
async function serveExample(wrap: (plugin: Plugin) => Plugin) {
  const app = ambit();
  open.push(app);
  app.decorateRequest('answer', 42);
  app.register(async function authenticated(context) {
    context.addHook('onRequest', async (request, reply) => {
      if (request.headers.authorization !== 'Bearer key')
        return reply.code(401).send({ error: 'unauthorized' });
    });
    context.get('/one', showDecorators);
  });
  app.register(async function open(context) {
    context.decorateRequest('foo', 'foo');
    context.get('/two', showDecorators);
    context.register(
      wrap(async function grandchild(child) {
        child.decorateRequest('bar', 'bar');
        child.get('/three', showDecorators);
      }),
    );
  });
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return async (path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${origin}${path}`, { headers });
    return { status: response.status, body: await response.json() };
  };
}

// ---------------------------------------------------------------------------------------------------------------- 4.6.1

test('a context inherits decorators from its ancestors', async () => {
  const app = ambit();
  app.decorate('a', 1).decorateRequest('b', 2).decorateReply('c', 3);
  app.register(async (child) => {
    child.register(async (grandchild) => {
      grandchild.get('/', (request, reply) => [
        grandchild.getDecorator('a'),
        request.getDecorator('b'),
        reply.getDecorator('c'),
      ]);
    });
  });
  expect((await app.inject('/')).json()).toEqual([1, 2, 3]);
});

test('a context inherits hooks from its ancestors, which run before its own', async () => {
  const app = ambit();
  const order: string[] = [];
  const hook = (name: string) => async () => {
    order.push(name);
  };
  app.addHook('onRequest', hook('root'));
  app.register(async (child) => {
    child.addHook('onRequest', hook('child'));
    child.register(async (grandchild) => {
      grandchild.addHook('onRequest', hook('grandchild'));
      grandchild.get('/', { onRequest: hook('route') }, () => 'ok');
    });
  });
  await app.inject('/');
  expect(order).toEqual(['root', 'child', 'grandchild', 'route']);
});

test('a context inherits the plugins of its ancestors', async () => {
  const app = ambit();
  app.register(hoist(async () => {}, 'database'));
  const seen: boolean[] = [];
  app.register(async (child) => {
    child.register(
      hoist(
        async () => {
          seen.push(child.hasPlugin('database'));
        },
        { name: 'users', dependencies: ['database'] },
      ),
    );
  });
  await app.ready();
  expect(seen).toEqual([true]);
});

test('a context inherits shared schemas, parsers and error handlers from its ancestors', async () => {
  const app = ambit();
  app.addSchema({ $id: 'one', type: 'integer' });
  app.addContentTypeParser('text/csv', { parseAs: 'string' }, async (_request, body) => body.split(','));
  app.setErrorHandler((error, _request, reply) => {
    reply.code(409).send(error.message);
  });
  app.register(async (child) => {
    child.post('/', (request) => request.body);
    child.get('/', { schema: { querystring: { n: { $ref: 'one#' } } } }, () => 'ok');
  });
  const csv = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'text/csv' },
    body: 'a,b',
  });
  expect(csv.json()).toEqual(['a', 'b']);
  expect((await app.inject('/?n=x')).statusCode).toBe(409);
});

test('an ancestor cannot see the decorators of a descendant', async () => {
  const app = ambit();
  app.register(async (child) => {
    child.decorate('a', 1).decorateRequest('b', 2).decorateReply('c', 3);
  });
  app.get('/', (request, reply) => ['a' in app, 'b' in request, 'c' in reply]);
  expect((await app.inject('/')).json()).toEqual([false, false, false]);
  expect([app.hasDecorator('a'), app.hasRequestDecorator('b'), app.hasReplyDecorator('c')]).toEqual([
    false,
    false,
    false,
  ]);
});

test('the hooks of a descendant do not run for the routes of an ancestor', async () => {
  const app = ambit();
  const ran: string[] = [];
  app.register(async (child) => {
    child.addHook('onRequest', async () => {
      ran.push('child');
    });
  });
  app.get('/', () => 'ok');
  await app.inject('/');
  expect(ran).toEqual([]);
});

test('an ancestor cannot see the plugins, schemas, parsers and error handlers of a descendant', async () => {
  const app = ambit();
  app.register(async (child) => {
    child.register(hoist(async () => {}, 'database'));
    child.addSchema({ $id: 'one', type: 'integer' });
    child.addContentTypeParser('text/csv', { parseAs: 'string' }, async (_request, body) => body.split(','));
    child.setErrorHandler((_error, _request, reply) => {
      reply.code(409).send('');
    });
  });
  app.get('/', () => {
    throw new Error('failed');
  });
  app.post('/', () => 'ok');
  const csv = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'text/csv' },
    body: 'a,b',
  });
  expect(csv.statusCode).toBe(415);
  expect((await app.inject('/')).statusCode).toBe(500);
  expect(app.hasPlugin('database')).toBe(false);
  expect(app.getSchema('one')).toBeUndefined();
  expect(app.hasContentTypeParser('text/csv')).toBe(false);
});

// ---------------------------------------------------------------------------------------------------------------- 4.6.2

test("4.6.2 siblings do not see each other's decorators, hooks, schemas, parsers and error handlers", async () => {
  const app = ambit();
  const ran: string[] = [];
  for (const name of ['a', 'b']) {
    app.register(async (context) => {
      context.decorate(`${name}Own`, name).decorateRequest(name, name).decorateReply(name, name);
      context.addHook('onRequest', async () => {
        ran.push(name);
      });
      context.addSchema({ $id: name, type: 'object' });
      context.addContentTypeParser(`text/${name}`, { parseAs: 'string' }, async () => name);
      context.setErrorHandler((_error, _request, reply) => {
        reply.code(400).send(name);
      });
      context.get(`/${name}`, (request, reply) => ({
        own: ['aOwn' in context, 'bOwn' in context],
        request: ['a' in request, 'b' in request],
        reply: ['a' in reply, 'b' in reply],
        schemas: Object.keys(context.getSchemas()),
        parsers: [context.hasContentTypeParser('text/a'), context.hasContentTypeParser('text/b')],
      }));
      context.get(`/${name}/fail`, () => {
        throw new Error('failed');
      });
    });
  }
  const sees = (a: boolean, b: boolean, name: string) => ({
    own: [a, b],
    request: [a, b],
    reply: [a, b],
    schemas: [name],
    parsers: [a, b],
  });
  expect((await app.inject('/a')).json()).toEqual(sees(true, false, 'a'));
  expect((await app.inject('/b')).json()).toEqual(sees(false, true, 'b'));
  expect((await app.inject('/a/fail')).body).toBe('a');
  expect((await app.inject('/b/fail')).body).toBe('b');
  expect(ran).toEqual(['a', 'b', 'a', 'b']);
});

test('siblings may define the same decorator with different values', async () => {
  const app = ambit();
  for (const name of ['a', 'b']) {
    app.register(async (context) => {
      context.decorateRequest('own', name);
      context.get(`/${name}`, (request) => request.getDecorator('own'));
    });
  }
  expect((await app.inject('/a')).body).toBe('a');
  expect((await app.inject('/b')).body).toBe('b');
});

test('what a request sets on its decorator is seen by no other request', async () => {
  const app = ambit();
  app.decorateRequest('user', null);
  app.get<{ Querystring: { user?: string } }>('/', (request) => {
    const before = request.getDecorator('user');
    request.setDecorator('user', request.query.user);
    return { before, after: request.getDecorator('user') };
  });
  expect((await app.inject('/?user=ada')).json()).toEqual({ before: null, after: 'ada' });
  expect((await app.inject('/?user=bob')).json()).toEqual({ before: null, after: 'bob' });
});

// ---------------------------------------------------------------------------------------------------------------- 4.6.3

test('a decorator defined in the root is visible in every context', async () => {
  const app = ambit();
  app.decorateRequest('answer', 42);
  app.get('/', showDecorators);
  app.register(async (child) => {
    child.get('/child', showDecorators);
    child.register(async (grandchild) => {
      grandchild.get('/grandchild', showDecorators);
    });
  });
  app.register(async (sibling) => {
    sibling.get('/sibling', showDecorators);
  });
  for (const url of ['/', '/child', '/grandchild', '/sibling']) {
    expect((await app.inject(url)).json()).toEqual({ answer: 42 });
  }
});

test('a root decorator is visible in contexts that were registered before it was defined', async () => {
  const app = ambit();
  app.register(async (child) => {
    child.get('/child', showDecorators);
  });
  app.decorateRequest('answer', 42);
  expect((await app.inject('/child')).json()).toEqual({ answer: 42 });
});

// ---------------------------------------------------------------------------------------------------------------- 4.6.4

test('a plugin registered in one child context is not available in a sibling', async () => {
  const app = ambit();
  const seen: { [context: string]: boolean } = {};
  app.register(async (first) => {
    await first.register(
      hoist(async (context) => {
        context.decorate('db', 'connected');
      }, 'database'),
    );
    seen.first = first.hasPlugin('database') && first.hasDecorator('db');
  });
  app.register(async (second) => {
    seen.second = second.hasPlugin('database') || second.hasDecorator('db');
  });
  await app.ready();
  expect(seen).toEqual({ first: true, second: false });
});

test('a plugin that depends on a plugin of a sibling is refused', async () => {
  const app = ambit();
  app.register(async (first) => {
    first.register(hoist(async () => {}, 'database'));
  });
  app.register(async function second(context) {
    context.register(hoist(async () => {}, { name: 'users', dependencies: ['database'] }));
  });
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_PLUGIN_DEPENDENCY_NOT_REGISTERED',
    message: "The dependency 'database' of plugin 'users' is not registered",
    where: { plugin: 'ambit > second > users' },
  });
});

// ---------------------------------------------------------------------------------------------------------------- 4.6.5

test("4.6.5 a grandchild sees the child's entities, the child does not see the grandchild's", async () => {
  const app = ambit();
  const ran: string[] = [];
  app.register(async (child) => {
    child.decorateRequest('foo', 'foo');
    child.addHook('onRequest', async () => {
      ran.push('child');
    });
    child.get('/child', showDecorators);
    child.register(async (grandchild) => {
      grandchild.decorateRequest('bar', 'bar');
      grandchild.addHook('onRequest', async () => {
        ran.push('grandchild');
      });
      grandchild.get('/grandchild', showDecorators);
    });
  });
  expect((await app.inject('/grandchild')).json()).toEqual({ foo: 'foo', bar: 'bar' });
  expect(ran.splice(0)).toEqual(['child', 'grandchild']);
  expect((await app.inject('/child')).json()).toEqual({ foo: 'foo' });
  expect(ran).toEqual(['child']);
});

// ---------------------------------------------------------------------------------------------------------------- 4.6.6

test('a route in the authenticated sibling sees only answer', async () => {
  const get = await serveExample((plugin) => plugin);
  expect(await get('/one', { authorization: 'Bearer key' })).toEqual({ status: 200, body: { answer: 42 } });
});

test('the hook of the authenticated sibling guards its own route', async () => {
  const get = await serveExample((plugin) => plugin);
  expect((await get('/one')).status).toBe(401);
  expect((await get('/one', { authorization: 'Bearer other' })).status).toBe(401);
});

test('a route in the public child sees answer and foo', async () => {
  const get = await serveExample((plugin) => plugin);
  expect(await get('/two')).toEqual({ status: 200, body: { answer: 42, foo: 'foo' } });
});

test('a route in the grandchild sees answer, foo and bar', async () => {
  const get = await serveExample((plugin) => plugin);
  expect(await get('/three')).toEqual({ status: 200, body: { answer: 42, foo: 'foo', bar: 'bar' } });
});

// ---------------------------------------------------------------------------------------------------------------- 4.6.7

for (const [name, wrap] of [
  ['hoist', (plugin: Plugin) => hoist(plugin as never)],
  ['fastify-plugin', (plugin: Plugin) => fastifyPlugin(plugin as never) as unknown as Plugin],
] as const) {
  test(`a grandchild wrapped with ${name} makes its decorator visible to the public child's route`, async () => {
    const get = await serveExample(wrap);
    expect(await get('/two')).toEqual({ status: 200, body: { answer: 42, foo: 'foo', bar: 'bar' } });
  });

  test(`the route of the grandchild wrapped with ${name} still returns all three`, async () => {
    const get = await serveExample(wrap);
    expect(await get('/three')).toEqual({ status: 200, body: { answer: 42, foo: 'foo', bar: 'bar' } });
  });

  test(`the authenticated sibling of a context with a plugin wrapped with ${name} still sees only answer`, async () => {
    const get = await serveExample(wrap);
    expect(await get('/one', { authorization: 'Bearer key' })).toEqual({ status: 200, body: { answer: 42 } });
  });
}

test('a hoisted plugin makes its decorators, hooks, schemas and parsers available in the containing context', async () => {
  const app = ambit();
  const ran: string[] = [];
  app.register(
    hoist(async (context) => {
      context.decorate('a', 1).decorateRequest('b', 2).decorateReply('c', 3);
      context.addHook('onRequest', async () => {
        ran.push('hoisted');
      });
      context.addSchema({ $id: 'one', type: 'integer' });
      context.addContentTypeParser('text/csv', { parseAs: 'string' }, async (_request, body) =>
        body.split(','),
      );
    }),
  );
  app.post('/', { schema: { querystring: { n: { $ref: 'one#' } } } }, (request, reply) => [
    app.getDecorator('a'),
    request.getDecorator('b'),
    reply.getDecorator('c'),
    request.body,
  ]);
  const csv = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'x,y' };
  expect((await app.inject({ ...csv, url: '/?n=1' })).json()).toEqual([1, 2, 3, ['x', 'y']]);
  expect((await app.inject({ ...csv, url: '/?n=x' })).statusCode).toBe(400);
  expect(ran).toEqual(['hoisted', 'hoisted']);
});

test('a hoisted plugin makes its routes those of the containing context: they run under its hooks', async () => {
  const app = ambit();
  app.register(async (child) => {
    child.register(
      hoist(async (context) => {
        context.get('/hoisted', showDecorators);
      }),
    );
    child.decorateRequest('foo', 'foo');
  });
  expect((await app.inject('/hoisted')).json()).toEqual({ foo: 'foo' });
});

test('a hoisted plugin makes the plugins it registers available in the containing context', async () => {
  const app = ambit();
  app.register(
    hoist(async (context) => {
      context.register(
        hoist(async (inner) => {
          inner.decorateRequest('foo', 'foo');
        }, 'inner'),
      );
    }, 'outer'),
  );
  app.get('/', showDecorators);
  expect((await app.inject('/')).json()).toEqual({ foo: 'foo' });
  expect([app.hasPlugin('outer'), app.hasPlugin('inner')]).toEqual([true, true]);
});

test('hoisting breaks one wall: the grandparent and the siblings of the containing context see nothing', async () => {
  const app = ambit();
  app.register(async (child) => {
    child.register(
      hoist(async (context) => {
        context.decorateRequest('bar', 'bar');
      }, 'bar-plugin'),
    );
  });
  app.register(async (sibling) => {
    sibling.get('/sibling', showDecorators);
  });
  app.get('/root', showDecorators);
  expect((await app.inject('/sibling')).json()).toEqual({});
  expect((await app.inject('/root')).json()).toEqual({});
  expect(app.hasPlugin('bar-plugin')).toBe(false);
});

test('a hoisted plugin receives the containing context itself', async () => {
  const app = ambit();
  const received: Context[] = [];
  app.register(
    hoist(async (context) => {
      received.push(context);
    }),
  );
  await app.ready();
  expect(received[0]).toBe(app);
});

test('the prefix given to a hoisted plugin does not apply: there is no context to carry it', async () => {
  const app = ambit();
  app.register(
    hoist(async (context) => {
      context.get('/users', () => 'ok');
    }),
    { prefix: '/v1' },
  );
  expect((await app.inject('/users')).statusCode).toBe(200);
  expect((await app.inject('/v1/users')).statusCode).toBe(404);
});

test('the marker skip-override hoists a plugin that no wrapper was used on', async () => {
  const app = ambit();
  const plugin: Plugin = async (context) => {
    context.decorateRequest('foo', 'foo');
  };
  app.register(Object.assign(plugin, { [Symbol.for('skip-override')]: true }) as Plugin);
  app.get('/', showDecorators);
  expect((await app.inject('/')).json()).toEqual({ foo: 'foo' });
});

test('a decorator that a hoisted plugin and its containing context both define is a clash', async () => {
  const app = ambit();
  app.decorateRequest('foo', 'root');
  app.register(
    hoist(async (context) => {
      context.decorateRequest('foo', 'hoisted');
    }, 'foo-plugin'),
  );
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_DEC_ALREADY_PRESENT',
    where: { plugin: 'ambit', file: expect.stringContaining('encapsulation.test.ts') },
  });
});

for (const [what, plugin, details] of [
  ['something that is no function', 'plugin', {}],
  ['null', null, {}],
  ['undefined', undefined, {}],
  ['an object without a default export', {}, {}],
  ['details that are a number', async () => {}, 5],
  ['details that are an array', async () => {}, []],
  ['details that are null', async () => {}, null],
] as const) {
  test(`hoist refuses ${what}`, () => {
    expect(() => hoist(plugin as never, details as never)).toThrow(
      expect.objectContaining({ code: 'AMBIT_ERR_PLUGIN_METADATA' }),
    );
  });
}
