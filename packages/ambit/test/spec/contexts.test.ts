// Spec 2.1: the server instance, contexts, plugins, decorators, shared schemas and routes.
import { ambit, type Context, type Plugin } from 'ambit';
import { expect, test } from 'vitest';

test('the root context is no plugin: it has no prefix and its name is the product', () => {
  const app = ambit();
  expect(app.pluginName).toBe('ambit');
  expect(app.prefix).toBe('');
});

test('a plugin receives a context scoped to it', async () => {
  const app = ambit();
  const received: Context[] = [];
  app.register(async function users(context) {
    received.push(context);
    expect(context.pluginName).toBe('users');
  });
  await app.ready();
  expect(received).toHaveLength(1);
  expect(received[0]).not.toBe(app);
  expect(Object.getPrototypeOf(received[0])).toBe(app);
});

test('a plugin may add decorators, hooks, child plugins and routes', async () => {
  const app = ambit();
  const seen: string[] = [];
  app.register(async (context) => {
    context.decorateRequest('user', 'ada');
    context.addHook('onRequest', async () => {
      seen.push('hook');
    });
    context.get('/own', (request) => request.getDecorator('user'));
    context.register(async (child) => {
      child.get('/child', (request) => request.getDecorator('user'));
    });
  });
  expect((await app.inject('/own')).body).toBe('ada');
  expect((await app.inject('/child')).body).toBe('ada');
  expect(seen).toEqual(['hook', 'hook']);
});

test('registering a plugin in two contexts creates a child context in each', async () => {
  const app = ambit();
  const created: Context[] = [];
  const plugin: Plugin = async (context) => {
    created.push(context);
  };
  app.register(plugin);
  app.register(async (child) => {
    child.register(plugin);
  });
  await app.ready();
  expect(created).toHaveLength(2);
  expect(created[0]).not.toBe(created[1]);
});

test('contexts nest to any depth, and the deepest one sees all above it', async () => {
  const app = ambit();
  const depth = 60;
  const nest =
    (level: number): Plugin =>
    async (context) => {
      context.decorateRequest(`level${level}`, level);
      context.get(
        `/level/${level}`,
        (request) => Array.from({ length: depth }, (_, i) => `level${i}` in request).filter(Boolean).length,
      );
      if (level + 1 < depth) context.register(nest(level + 1));
    };
  app.register(nest(0));
  expect((await app.inject(`/level/${depth - 1}`)).json()).toBe(depth);
  expect((await app.inject('/level/0')).json()).toBe(1);
});

test('a request decorator has a name and a value, visible where it is defined and below', async () => {
  const app = ambit();
  app.register(async (child) => {
    child.decorateRequest('answer', 42);
    child.get('/child', (request) => ({ answer: request.getDecorator('answer') }));
    child.register(async (grandchild) => {
      grandchild.get('/grandchild', (request) => ({ answer: request.getDecorator('answer') }));
    });
  });
  expect((await app.inject('/child')).json()).toEqual({ answer: 42 });
  expect((await app.inject('/grandchild')).json()).toEqual({ answer: 42 });
});

test('a request decorator is visible neither above nor beside the context that defines it', async () => {
  const app = ambit();
  app.register(async (child) => {
    child.decorateRequest('answer', 42);
  });
  app.register(async (sibling) => {
    sibling.get('/sibling', (request) => ({ sees: 'answer' in request }));
  });
  app.get('/root', (request) => ({ sees: 'answer' in request }));
  expect((await app.inject('/sibling')).json()).toEqual({ sees: false });
  expect((await app.inject('/root')).json()).toEqual({ sees: false });
  expect(app.hasRequestDecorator('answer')).toBe(false);
});

test('a shared schema is registered by its $id and retrieved by it', () => {
  const app = ambit();
  const schema = { $id: 'user', type: 'object', properties: { name: { type: 'string' } } };
  app.addSchema(schema);
  expect(app.getSchema('user')).toEqual(schema);
});

for (const [what, schema] of [
  ['no $id', { type: 'object' }],
  ['an empty $id', { $id: '', type: 'object' }],
  ['a $id that is a number', { $id: 1, type: 'object' }],
  ['no schema at all', undefined],
  ['null', null],
] as const) {
  test(`a shared schema with ${what} is refused`, () => {
    const app = ambit();
    expect(() => app.addSchema(schema)).toThrow(
      expect.objectContaining({
        code: 'FST_ERR_SCH_MISSING_ID',
        where: expect.objectContaining({ plugin: 'ambit' }),
      }),
    );
  });
}

test('a route has a method, a path and a handler that takes request and reply', async () => {
  const app = ambit();
  app.route({
    method: 'GET',
    path: '/hello/:name',
    handler: (request, reply) => reply.send({ method: request.method, url: request.url }),
  });
  expect((await app.inject('/hello/ada')).json()).toEqual({ method: 'GET', url: '/hello/ada' });
});

test('a schema is optional: a route without one takes and gives anything', async () => {
  const app = ambit();
  app.post('/echo', (request) => request.body);
  const reply = await app.inject({ method: 'POST', url: '/echo', body: { any: ['thing', 1, null] } });
  expect(reply.json()).toEqual({ any: ['thing', 1, null] });
});

for (const [what, options, code] of [
  ['no method', { path: '/', handler: () => 1 }, 'FST_ERR_ROUTE_METHOD_INVALID'],
  [
    'a method that does not exist',
    { method: 'FETCH', path: '/', handler: () => 1 },
    'FST_ERR_ROUTE_METHOD_NOT_SUPPORTED',
  ],
  ['no handler', { method: 'GET', path: '/' }, 'FST_ERR_ROUTE_MISSING_HANDLER'],
] as const) {
  test(`a route with ${what} is refused`, () => {
    const app = ambit();
    expect(() => app.route(options as never)).toThrow(
      expect.objectContaining({
        code,
        where: expect.objectContaining({
          plugin: 'ambit',
          file: expect.stringContaining('contexts.test.ts'),
        }),
      }),
    );
  });
}
