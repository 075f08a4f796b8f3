/** What tools can learn about an application through the public API: its contexts, plugins and steps, and what declared each. */
import {
  type Context,
  hoist,
  listAfterListeners,
  listCompiledSchemas,
  listContexts,
  listPlugins,
  listRoutes,
  listSteps,
  recordDeclarationSites,
} from 'ambit';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { flavors } from '../../../test/support/flavors.ts';

recordDeclarationSites();

/** The names of the files that declared something, without folders and lines. */
const fileOf = (file: string | undefined) => file?.replace(/^.*\/|:.*$/g, '');
const own = 'inspect.test.ts';

/** What an `onRoute` hook adds to a route that is declared before its plugin has loaded: Fastify does not run it. */
const addedLate: Readonly<Record<string, readonly string[]>> = { ambit: ['late | later'], 'the facade': [] };

const isReady = async (app: Context): Promise<Context> => app.ready();

describe.each(flavors)('on %s', (flavor, make) => {
  test('each context has a name, a prefix, a parent, and what it defines itself', async () => {
    const app = make();
    const token = Symbol('token');
    app.decorate('db', { url: 'x' }).decorateRequest('user', null).decorateReply(token, 1);
    app.register(
      async function users(context) {
        context.addSchema({ $id: 'user', type: 'object' });
        context.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) =>
          done(null, body),
        );
        context.setErrorHandler(function onFailure() {});
        context.setNotFoundHandler(() => 'gone');
        context.addHook('onRequest', async function guard() {});
        context.addHook('onClose', async () => {});
        context.setValidatorCompiler(() => () => true);
        context.setReplySerializer(() => '');
        context.removeContentTypeParser('application/json');
        context.addReadinessCheck('database', () => {});
        context.addConstraintStrategy({
          name: 'secret',
          storage: () => ({ get: () => null, set: () => {} }),
          deriveConstraint: () => '',
        });
      },
      { prefix: '/users' },
    );
    await isReady(app);
    const [root, users] = listContexts(app);
    expect(listContexts(app)).toHaveLength(2);
    expect(root).toMatchObject({ name: make().pluginName, prefix: '', parent: undefined, context: app });
    expect(root!.definitions.map(({ kind, name, value }) => [kind, name, value])).toEqual([
      ['decorator', 'db', { url: 'x' }],
      ['requestDecorator', 'user', null],
      ['replyDecorator', token, 1],
    ]);
    expect(users).toMatchObject({ name: 'users', prefix: '/users', parent: app });
    expect(users!.definitions.map(({ kind, name }) => `${kind} ${String(name)}`)).toEqual([
      'schema ',
      'parser text/csv',
      'errorHandler errorHandler',
      'notFoundHandler /users',
      'hook onRequest',
      'hook onClose',
      'compiler validatorCompiler',
      'setting replySerializer',
      'removedParser application/json',
      'readinessCheck database',
      'constraintStrategy secret',
    ]);
    for (const { file, plugin } of users!.definitions) {
      expect(fileOf(file)).toBe(own);
      expect(plugin?.name).toBe('users');
    }
  });

  test('what a hoisted plugin defines is in the context that it fills, with the plugin as its origin', async () => {
    const app = make();
    app.register(async function outer(context) {
      context.register(hoist((inner: Context) => void inner.decorate('fromHoisted', 1), { name: 'hoisted' }));
      context.after(() => void context.decorate('fromOuter', 2));
    });
    await isReady(app);
    const { definitions } = listContexts(app)[1]!;
    expect(definitions.map(({ name, plugin }) => [name, plugin?.name])).toEqual([
      ['fromHoisted', 'hoisted'],
      ['fromOuter', 'outer'],
    ]);
    const [outer, hoisted] = listPlugins(app);
    expect(hoisted).toMatchObject({ isHoisted: true, parent: outer!.context, context: outer!.context });
    expect(outer).toMatchObject({ isHoisted: false, parent: app, registeredBy: undefined });
    expect(hoisted!.registeredBy).toBe(outer);
  });

  test('a plugin that was refused defines nothing, and is not listed', async () => {
    const app = make();
    app.register(hoist(() => {}, { name: 'refused', dependencies: ['missing'] }));
    await expect(app.ready()).rejects.toThrow('missing');
    expect(listPlugins(app)).toEqual([]);
    expect(listContexts(app)[0]!.definitions).toEqual([]);
  });

  test('what a call refuses is not listed', async () => {
    const app = make();
    expect(() => app.decorate('get', 1 as never)).toThrow();
    expect(() => app.addHook('onRequest', 1 as never)).toThrow();
    expect(() => app.setErrorHandler(1 as never)).toThrow();
    expect(listContexts(app)[0]!.definitions).toEqual([]);
    await app.close();
  });

  test('plugins are listed in the order in which they ran, with what each waited for', async () => {
    const app = make();
    const order: string[] = [];
    app.register(async function first(context) {
      order.push('first');
      await context.register(async function inner() {
        order.push('inner');
      });
      context.register(async function last() {
        order.push('last');
      });
    });
    app.register(async function second() {
      order.push('second');
    });
    await isReady(app);
    const plugins = listPlugins(app);
    expect(plugins.map(({ name }) => name)).toEqual(order);
    const [first, inner, last, second] = plugins;
    expect([first, inner, last, second].map((plugin) => plugin!.waitedFor?.name)).toEqual([
      undefined,
      undefined,
      'inner',
      'first',
    ]);
    expect(second!.waitedFor).toBe(first);
    const times = [first!.startedAtMs, inner!.startedAtMs, inner!.loadedAtMs, first!.endedAtMs];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(last!.startedAtMs).toBeGreaterThanOrEqual(first!.endedAtMs);
    expect(first!.loadedAtMs).toBe(last!.loadedAtMs);
    expect(second!.startedAtMs).toBeGreaterThanOrEqual(first!.loadedAtMs);
    expect(fileOf(second!.file)).toBe(own);
  });

  test('listeners of after are listed in the order in which they ran, with the plugin whose code added them', async () => {
    const app = make();
    app.after(async function warmUp() {});
    app.register(async function outer(context) {
      context.register(async function inner() {});
      context.after(function connected(_error, done) {
        setImmediate(done);
      });
    });
    await isReady(app);
    const [outer, inner] = listPlugins(app);
    const [warmUp, connected] = listAfterListeners(app);
    expect(listAfterListeners(app)).toHaveLength(2);
    expect(warmUp).toMatchObject({ plugin: undefined, context: app });
    expect(warmUp!.function.name).toBe('warmUp');
    expect(connected!.function.name).toBe('connected');
    expect(connected!.plugin).toBe(outer);
    expect(connected!.context).toBe(outer!.context);
    expect(fileOf(connected!.file)).toBe(own);
    const times = [inner!.loadedAtMs, connected!.startedAtMs, connected!.endedAtMs, outer!.loadedAtMs];
    expect(times).toEqual(times.toSorted((a, b) => a - b));
  });

  test('a listener of after that did not run is not listed', async () => {
    const app = make();
    app.after(() => {});
    expect(listAfterListeners(app)).toEqual([]);
    await app.close();
  });

  test('the steps of a route come in the order in which they run, each with its reason', async () => {
    const app = make();
    app.addHook('onRequest', async function outer() {});
    app.register(async function guarded(context) {
      context.addHook('onRoute', (route) => {
        route.preHandler = [route.preHandler ?? [], async function limit() {}].flat() as never;
      });
      context.addHook('onRequest', async function inner() {});
      context.addHook('onSend', async function sent() {});
      context.addHook('onResponse', async function seen() {});
      context.setErrorHandler(function failed() {});
      context.post(
        '/x',
        { schema: { body: { type: 'object' } }, preHandler: async function own() {} },
        function answer() {
          return 'ok';
        },
      );
    });
    await isReady(app);
    const [route] = listRoutes(app);
    const steps = listSteps(route!).map(({ path, index, name, function: called, from, plugin }) =>
      [`${path} ${index}`, name, called?.name ?? '', from, plugin?.name ?? ''].join(' | '),
    );
    expect(steps).toEqual([
      'request 0 | onRequest | outer | context | ',
      'request 1 | onRequest | inner | context | guarded',
      'request 2 | readBody |  | framework | ',
      'request 3 | validate |  | framework | ',
      'request 4 | preHandler | own | route | guarded',
      'request 5 | preHandler | limit | onRoute | guarded',
      'request 6 | handler | answer | route | guarded',
      'reply 0 | serialize |  | framework | ',
      'reply 1 | onSend | sent | context | guarded',
      'reply 2 | write |  | framework | ',
      'failure 0 | errorHandler | failed | context | guarded',
      'failure 1 | errorHandler |  | framework | ',
      'failure 2 | defaultErrorReply |  | framework | ',
      'failure 3 | onSend | sent | context | guarded',
      'failure 4 | write |  | framework | ',
      'failure 5 | lastErrorReply |  | framework | ',
      'onResponse 0 | onResponse | seen | context | guarded',
    ]);
    for (const step of listSteps(route!).filter(({ from }) => from !== 'framework'))
      expect(fileOf(step.file)).toBe(own);
    expect(listSteps(route!)[0]!.context).toBe(app);
  });

  test('what an onRoute hook adds to a route is declared by that hook, whether it is pushed, wrapped or put in place', async () => {
    const app = make();
    const add = (name: string, change: (route: Record<string, unknown>) => void): void =>
      void app.register(
        hoist(
          async (context: Context) => void context.addHook('onRoute', (route) => change(route as never)),
          {
            name,
          },
        ),
      );
    add('limit', (route) => {
      route.preHandler = [route.preHandler ?? [], async function limited() {}].flat();
    });
    add('audit', (route) => {
      (route.preHandler as unknown[]).push(async function audited() {});
      route.onSend = async function sent() {};
    });
    add('trace', (route) => {
      route.handler = function traced() {
        return 'ok';
      };
    });
    add('silent', () => {});
    app.register(async function shop(context) {
      context.get('/', { exposeHeadRoute: false, preHandler: async function own() {} }, () => 'ok');
    });
    await isReady(app);
    const steps = listSteps(listRoutes(app)[0]!)
      .filter(({ from, path }) => from !== 'framework' && path !== 'failure')
      .map((step) => `${step.function!.name} | ${step.from} | ${step.plugin!.name}`);
    expect(steps).toEqual([
      'own | route | shop',
      'limited | onRoute | limit',
      'audited | onRoute | audit',
      'traced | onRoute | trace',
      'sent | onRoute | audit',
    ]);
  });

  test('an onRoute hook of a plugin that loads after the route is the reason for what it adds', async () => {
    const app = make();
    app.register(
      hoist(
        async (context: Context) =>
          void context.addHook('onRoute', (route) => {
            route.preHandler = async function late() {};
          }),
        { name: 'later' },
      ),
    );
    app.get('/', () => 'ok');
    await isReady(app);
    const added = listSteps(listRoutes(app)[0]!).filter(({ from }) => from === 'onRoute');
    expect(added.map((step) => `${step.function!.name} | ${step.plugin!.name}`)).toEqual(addedLate[flavor]);
  });

  test('the same function, added twice, is two steps with two lines', async () => {
    const app = make();
    const twice = async (): Promise<void> => {};
    app.addHook('onRequest', twice);
    app.addHook('onRequest', twice);
    app.get('/', () => 'ok');
    await isReady(app);
    const files = listSteps(listRoutes(app)[0]!)
      .filter(({ name }) => name === 'onRequest')
      .map(({ file }) => file);
    expect(new Set(files).size).toBe(2);
  });

  test('a HEAD route that the framework added ends with its own step', async () => {
    const app = make();
    app.get('/', () => 'ok');
    await isReady(app);
    const head = listRoutes(app).find(({ isAutomatic }) => isAutomatic)!;
    expect(listSteps(head).find(({ name }) => name === 'onSend')).toMatchObject({ from: 'framework' });
  });

  test('before boot there are no steps, and no compiled schemas', async () => {
    const app = make();
    app.get('/', { schema: { querystring: { a: { type: 'string' } } } }, () => 'ok');
    const [route] = listRoutes(app);
    expect(listSteps(route!)).toEqual([]);
    expect(listCompiledSchemas(route!)).toEqual([]);
    await app.close();
  });
});

describe('compiled schemas', () => {
  const inner = { type: 'object', properties: { name: { type: 'string' } } };

  test('each part of a route is there as declared, as compiled, and as code', async () => {
    const [, make] = flavors[0]!;
    const app = make().addSchema({ $id: 'user', ...inner });
    app.post(
      '/users/:id',
      {
        schema: {
          params: { id: { type: 'integer' } },
          body: { content: { 'application/json': { schema: { $ref: 'user#' } } } },
          query: { deep: { type: 'boolean' } },
          response: { '2xx': { $ref: 'user#' }, 404: { content: { 'text/x': { schema: inner } } } },
        },
      },
      (() => ({})) as never,
    );
    await isReady(app);
    const compiled = listCompiledSchemas(listRoutes(app)[0]!);
    expect(
      compiled.map(({ part, status, contentType, declared, resolved }) => ({
        part,
        status,
        contentType,
        declared,
        resolved,
      })),
    ).toMatchObject([
      {
        part: 'params',
        declared: { id: { type: 'integer' } },
        resolved: { type: 'object', properties: { id: { type: 'integer' } } },
      },
      { part: 'body', contentType: 'application/json', declared: { $ref: 'user#' } },
      { part: 'querystring', declared: { deep: { type: 'boolean' } } },
      { part: 'response', status: '404', contentType: 'text/x', declared: inner },
      { part: 'response', status: '2xx', contentType: undefined, declared: { $ref: 'user#' } },
    ]);
    for (const { code } of compiled) expect(code).toMatch(/return|=>/);
    expect(compiled[0]!.code).toContain('integer');
  });

  test('a media type is not taken for another one that begins with the same text', async () => {
    const [, make] = flavors[0]!;
    const app = make();
    const other = { type: 'object', properties: { id: { type: 'integer' } } };
    const content = { 'application/json-seq': { schema: other }, 'application/json': { schema: inner } };
    app.get('/', { schema: { response: { 200: { content } } } }, (() => ({})) as never);
    await isReady(app);
    const declared = listCompiledSchemas(listRoutes(app)[0]!).map((info) => [
      info.contentType,
      info.declared,
    ]);
    expect(declared).toEqual([
      ['application/json-seq', other],
      ['application/json', inner],
    ]);
  });

  test('what another library validates, or another compiler writes, has no code', async () => {
    const [, make] = flavors[0]!;
    const app = make();
    app.post('/', { schema: { body: z.object({ a: z.string() }), response: { 200: z.string() } } }, () => '');
    app.get(
      '/other',
      { schema: { response: { 200: inner } }, serializerCompiler: () => () => '' },
      (() => '') as never,
    );
    await isReady(app);
    const codes = listRoutes(app).flatMap((route) => listCompiledSchemas(route).map(({ code }) => code));
    expect(codes.length).toBeGreaterThan(2);
    expect(new Set(codes)).toEqual(new Set([undefined]));
  });
});
