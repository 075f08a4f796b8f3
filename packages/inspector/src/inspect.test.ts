/** The model of applications: what it says, and that it keeps to its schema, whatever the application holds. */
import { readFileSync } from 'node:fs';
import { type Inspection, inspect, inspectRoute, modelSchema } from '@ambit/inspector';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ambit, type Context, hoist } from 'ambit';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { flavors } from '../../ambit/test/support/flavors.ts';

const validate = new Ajv2020({ allErrors: true }).compile(modelSchema);

/** The model, once it has been compared with its schema, and written and read as JSON. */
async function modelOf(app: Context): Promise<Inspection> {
  const model = await inspect(app);
  expect(validate(model), JSON.stringify(validate.errors)).toBe(true);
  expect(JSON.parse(JSON.stringify(model))).toEqual(model);
  return model;
}

test('the reference shows the schema of the model', () => {
  const page = readFileSync(new URL('../../../docs/reference/inspector-model.md', import.meta.url), 'utf8');
  expect(JSON.parse(/```json\n(.*?)```/s.exec(page)![1]!)).toEqual(modelSchema);
});

const names = (model: Inspection) => model.contexts.map(({ name }) => name);

describe.each(flavors)('on %s', (_flavor, make) => {
  test('an empty application is a root without definitions', async () => {
    const app = make();
    const model = await modelOf(app);
    expect(model).toMatchObject({
      version: 1,
      framework: { name: app.pluginName, version: app.version },
      contexts: [{ id: 0, parent: null, prefix: '', plugins: [], definitions: [] }],
      plugins: [],
      routes: [],
      bootMs: 0,
    });
  });

  test('plugins are in the context that they fill, hoisted ones in the one that they were registered in', async () => {
    const app = make();
    app.register(
      async function users(context) {
        context.register(hoist(async (inner: Context) => void inner.decorate('db', 1), { name: 'db' }));
        context.register(async function admin() {});
      },
      { prefix: '/users' },
    );
    const model = await modelOf(app);
    expect(names(model).slice(1)).toEqual(['users', 'admin']);
    expect(model.contexts[1]).toMatchObject({ parent: 0, prefix: '/users', plugins: [0, 1] });
    expect(
      model.plugins.map(({ name, isHoisted, context, parent }) => [name, isHoisted, parent, context]),
    ).toEqual([
      ['users', false, 0, 1],
      ['db', true, 1, 1],
      ['admin', false, 1, 2],
    ]);
    expect(model.contexts[1]!.definitions[0]).toMatchObject({ kind: 'decorator', name: 'db', plugin: 1 });
    expect(model.plugins.map(({ waitedFor }) => waitedFor)).toEqual([null, null, 1]);
  });

  test('listeners of after have their times, and boot lasts until the last of them ends', async () => {
    const app = make();
    app.register(async function orders(context) {
      context.after(async function warmUp() {});
    });
    app.after(function last(_error, done) {
      setImmediate(done);
    });
    const { afterListeners, bootMs, plugins } = await modelOf(app);
    expect(afterListeners).toMatchObject([
      { name: 'warmUp', context: 1, plugin: 0, file: expect.stringContaining('inspect.test.ts:') },
      { name: 'last', context: 0, plugin: null },
    ]);
    expect(bootMs).toBe(afterListeners[1]!.endMs);
    expect(plugins[0]!.loadedMs).toBeGreaterThanOrEqual(afterListeners[0]!.endMs);
  });

  test('a route has its steps, in order, each with its reason', async () => {
    const app = make();
    app.addHook('onRequest', async function outer() {});
    app.register(async function inner(context) {
      context.post(
        '/x',
        { schema: { body: { type: 'object' }, response: { 200: { type: 'string' } } } },
        function answer() {
          return 'ok';
        },
      );
    });
    const { routes, steps, stepLists, contexts } = await modelOf(app);
    expect(routes[0]).toMatchObject({
      methods: ['POST'],
      url: '/x',
      handler: 'answer',
      schemas: ['body', 'response 200'],
      isAutomatic: false,
      constraints: null,
      plugin: 0,
    });
    const own = stepLists[routes[0]!.steps]!.map((id) => steps[id]!).filter(({ path }) => path === 'request');
    expect(own.map(({ name, function: called, from, context }) => [name, called, from, context])).toEqual([
      ['onRequest', 'outer', 'context', 0],
      ['readBody', null, 'framework', null],
      ['validate', null, 'framework', null],
      ['handler', 'answer', 'route', null],
    ]);
    expect(contexts).toHaveLength(2);
    expect(own[0]!.file).toMatch(/inspect\.test\.ts:\d+:\d+$/);
  });

  test('a function without a name of its own is null, and has its line', async () => {
    const app = make();
    app.addHook('onRequest', async () => {});
    app.after(() => {});
    app.route({ method: 'GET', url: '/x', preHandler: async () => {}, handler: () => 'x' });
    app.get('/y', () => 'y');
    const { routes, steps, afterListeners } = await modelOf(app);
    const line = expect.stringMatching(/inspect\.test\.ts:\d+:\d+$/);
    for (const { handler, file } of routes) expect([handler, file]).toEqual([null, line]);
    const called = steps.filter(({ from }) => from !== 'framework');
    expect(called.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['onRequest', 'preHandler', 'handler']),
    );
    for (const step of called) expect([step.name, step.function, step.file]).toEqual([step.name, null, line]);
    expect(afterListeners[0]!.name).toMatch(/inspect\.test\.ts:\d+$/);
  });

  test('what belongs to the framework and its tools says so', async () => {
    const app = make({ health: true } as never);
    app.register(
      Object.defineProperty(
        async (context: Context) => {
          context.addHook('onRequest', async () => {});
          context.get('/docs', { exposeHeadRoute: false }, () => 'docs');
          context.register(async function below() {});
        },
        'name',
        { value: '@ambit/tool' },
      ) as never,
    );
    app.register(
      hoist(async (context: Context) => void context.addHook('onRequest', async () => {}), '@ambit/hoisted'),
    );
    app.addHook('onRequest', async () => {});
    app.get('/mine', () => 'mine');
    const { routes, contexts, plugins, steps, stepLists } = await modelOf(app);
    expect(contexts.map(({ isOwn }) => isOwn)).toEqual([false, true, true, true]);
    expect(plugins.map(({ isOwn }) => isOwn)).toEqual([true, true, true]);
    expect(routes.filter(({ isOwn }) => !isOwn).map(({ methods, url }) => [methods.join(), url])).toEqual([
      ['GET', '/mine'],
    ]);
    const [mine] = routes.filter(({ isOwn }) => !isOwn);
    const hooks = stepLists[mine!.steps]!.map((id) => steps[id]!).filter(({ name }) => name === 'onRequest');
    expect(hooks.map(({ isOwn }) => isOwn)).toEqual([true, false]);
  });

  test('routes with the same steps share a list', async () => {
    const app = make({ exposeHeadRoutes: false });
    const answer = (): string => 'ok';
    for (let i = 0; i < 50; i++) app.get(`/${i}`, answer);
    const { routes, stepLists } = await modelOf(app);
    expect(routes).toHaveLength(50);
    expect(stepLists.length).toBe(1);
  });

  test('schemas of a route are shown as declared, as compiled and as code', async () => {
    const app = make().addSchema({ $id: 'user', type: 'object', properties: { name: { type: 'string' } } });
    app.post(
      '/:id',
      {
        schema: {
          params: { id: { type: 'integer' } },
          body: z.object({ age: z.number() }),
          response: { 200: { $ref: 'user#' } },
        },
      },
      (() => ({})) as never,
    );
    await modelOf(app);
    const { schemas, shared, changes } = await inspectRoute(app, 0);
    expect(schemas).toMatchObject([
      {
        part: 'params',
        declared: { id: { type: 'integer' } },
        resolved: { type: 'object', properties: { id: { type: 'integer' } } },
        code: expect.stringContaining('id'),
      },
      { part: 'body', declared: '[ZodObject]', resolved: { type: 'object' }, code: null },
      { part: 'response', status: '200', declared: { $ref: 'user#' }, code: expect.stringContaining('name') },
    ]);
    expect(shared).toMatchObject({ user: { type: 'object' } });
    expect(changes).toEqual([]);
    await expect(inspectRoute(app, 5)).rejects.toThrow(RangeError);
  });

  test('files in forms are shown as they are declared', async () => {
    const app = make();
    const file = { type: 'string', format: 'binary', contentMediaType: 'image/*' };
    const schema = { type: 'object', properties: { picture: file, more: { type: 'array', items: file } } };
    app.post(
      '/',
      { schema: { body: { content: { 'multipart/form-data': { schema } } } } } as never,
      () => 'ok',
    );
    await app.ready();
    const { schemas } = await inspectRoute(app, 0);
    expect(schemas[0]).toMatchObject({ declared: schema, resolved: schema });
  });

  test('the items of a stream have a schema with its code', async () => {
    const app = make();
    const itemSchema = { type: 'object', properties: { data: { type: 'string' } } };
    const response = { 200: { content: { 'text/event-stream': { itemSchema } } } };
    app.get('/events', { schema: { response } } as never, async function* () {} as never);
    await app.ready();
    const { schemas } = await inspectRoute(app, 0);
    expect(schemas).toEqual([
      {
        part: 'response',
        status: '200',
        contentType: 'text/event-stream',
        declared: itemSchema,
        resolved: itemSchema,
        code: expect.stringContaining('data'),
      },
    ]);
  });

  test('a boot that fails rejects with its error', async () => {
    const app = make();
    app.register(async () => {
      throw new Error('no database');
    });
    await expect(inspect(app)).rejects.toThrow('no database');
  });

  test('the model of a part of the tree begins at its context', async () => {
    const app = make();
    let inner!: Context;
    app.register(async function outer(context) {
      inner = context;
      context.register(async function deep() {});
    });
    await app.ready();
    expect(names(await modelOf(inner))).toEqual(['outer', 'deep']);
  });
});

describe('hostile applications', () => {
  const fail = (): never => {
    throw new Error('a getter was called');
  };
  const trapped = new Proxy({}, { getOwnPropertyDescriptor: fail, ownKeys: fail, getPrototypeOf: fail });
  const circular: Record<string, unknown> = { type: 'object' };
  circular.self = circular;

  for (const [what, value, shown] of [
    ['a getter that throws', Object.defineProperty({}, 'secret', { get: fail, enumerable: true }), 'Object'],
    ['a proxy', trapped, 'proxy'],
    ['a proxy of a function', new Proxy(() => {}, { get: fail, getOwnPropertyDescriptor: fail }), 'proxy'],
    ['a secret', 'sk-live-123', 'string of 11'],
    ['a circular value', circular, 'Object'],
    ['an instance', new Map(), 'Map'],
    ['an object without a prototype', Object.create(null), 'Object'],
    ['a class', class Store {}, 'class Store'],
    ['a function without a name', (() => () => {})(), 'function'],
    ['a function with a name of its own', Object.defineProperty(() => {}, 'name', { get: fail }), 'function'],
    ['a symbol', Symbol('x'), 'Symbol(x)'],
    ['a bigint', 7n, '7n'],
    ['null', null, 'null'],
    ['an array', [1, 2], 'array of 2'],
  ] as const) {
    test(`${what} as a decorator is '${shown}'`, async () => {
      const app = ambit();
      app.decorate('value', value as never);
      expect((await modelOf(app)).contexts[0]!.definitions[0]!.value).toBe(shown);
    });
  }

  test('names with markup and symbols are not changed', async () => {
    const app = ambit();
    app.decorate('<img src=x onerror=alert(1)>', 1).decorate(Symbol('</script>'), 2);
    app.get('/</script><b>', () => 'ok');
    const { contexts, routes } = await modelOf(app);
    expect(contexts[0]!.definitions.map(({ name }) => name)).toEqual([
      '<img src=x onerror=alert(1)>',
      'Symbol(</script>)',
    ]);
    expect(routes[0]!.url).toBe('/</script><b>');
  });

  test('a very large or very deep schema is cut', async () => {
    const wide = { type: 'object', properties: Object.fromEntries(range(30_000).map((i) => [`p${i}`, {}])) };
    const deep = range(80).reduce<object>((inner) => ({ type: 'object', properties: { inner } }), {});
    const app = ambit();
    for (const [url, body] of [
      ['/wide', wide],
      ['/deep', deep],
    ] as const)
      app.post(url, { schema: { body } }, () => 'ok');
    await app.ready();
    const [first, second] = [await inspectRoute(app, 0), await inspectRoute(app, 1)];
    expect(JSON.stringify(first)).toContain('[too large]');
    expect(JSON.stringify(second)).toContain('[too deep]');
  });

  test('a schema with getters, cycles and class instances is copied without running them', async () => {
    const schema = Object.defineProperty(
      { type: 'object', circular, at: new Date(0), many: [1n] },
      'secret',
      {
        get: fail,
        enumerable: true,
      },
    );
    const app = ambit();
    app.setValidatorCompiler(() => () => true);
    app.post('/', { schema: { body: schema } }, () => 'ok');
    await app.ready();
    const { schemas } = await inspectRoute(app, 0);
    expect(schemas[0]!.declared).toEqual({
      type: 'object',
      circular: { type: 'object', self: '[circular]' },
      at: '[Date]',
      many: ['[1n]'],
      secret: '[getter]',
    });
  });

  test('a plugin without a name gets the line that registered it as its name', async () => {
    const app = ambit();
    app.register(hoist(() => {}));
    app.register(async () => {});
    const { plugins } = await modelOf(app);
    for (const { name } of plugins) expect(name).toMatch(/inspect\.test\.ts:\d+$/);
  });
});

const range = (length: number): number[] => Array.from({ length }, (_, i) => i);
