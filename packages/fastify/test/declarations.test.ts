/**
 * What Fastify accepts of odd declarations, the facade accepts: names that look misspelled, values of wrong types, generator functions.
 * Every declaration boots on both, or Fastify refuses it too; and the same request gets the same status.
 */
import { type FastifyInstance, fastify as original } from 'fastify';
import { describe, expect, test } from 'vitest';
import { fastify as facade } from '../src/index.ts';
import { factoryOptions, routeOptions, words } from './support/option-names.ts';
import { warningsOf } from './support/warnings.ts';

type Make = (options?: object) => FastifyInstance;
/** Makes an application, declares something odd, and returns it. */
type Declare = (make: Make) => FastifyInstance;

const makeFacade = facade as unknown as Make;
const makeOriginal = original as unknown as Make;

const odd: readonly (readonly [text: string, value: unknown])[] = [
  ['null', null],
  ['undefined', undefined],
  ['false', false],
  ['true', true],
  ['0', 0],
  ['1', 1],
  ['-1', -1],
  ["''", ''],
  ["'x'", 'x'],
  ['[]', []],
  ['{}', {}],
  ['a function', () => {}],
  ['an async function', async () => {}],
  ['a generator function', function* () {}],
  ['an async generator function', async function* () {}],
];

const withRoute = (app: FastifyInstance): FastifyInstance => app.get('/', () => 'ok') as never;
const options = (name: string, value: unknown): Declare => {
  return (make) => withRoute(make({ [name]: value }));
};
const inside = (outer: string, name: string, value: unknown): Declare => {
  return (make) => withRoute(make({ [outer]: { [name]: value } }));
};
const route = (name: string, value: unknown): Declare => {
  return (make) => make().route({ method: 'GET', url: '/', handler: () => 'ok', [name]: value } as never);
};
const post = (name: string, value: unknown): Declare => {
  return (make) => make().route({ method: 'POST', url: '/', handler: () => 'ok', [name]: value } as never);
};
const call = (method: string, ...args: readonly unknown[]): Declare => {
  return (make) => {
    const app = make();
    (app as unknown as Record<string, (...args: readonly unknown[]) => unknown>)[method]!(...args);
    return withRoute(app);
  };
};
const registered = (name: string, value: unknown): Declare => {
  return (make) => {
    const app = make();
    app.register(async (child) => void child.get('/', () => 'ok'), { [name]: value });
    return app;
  };
};

const requestHooks = words(`
  onRequest preParsing preValidation preHandler preSerialization onSend onResponse onError onTimeout onRequestAbort`);
const hookNames = [...requestHooks, ...words('onRoute onRegister onReady onListen preClose onClose')];
// A function as `https` boots with Fastify, and no client can connect: it is refused here.
const factoryNames = [...factoryOptions, ...words('bodyLimt custom loger')].filter(
  (name) => name !== 'https',
);
const routeNames = [
  ...new Set([
    ...routeOptions,
    ...requestHooks,
    ...words('preHandlr onRequst stream multipart overload routePath prefix version'),
  ]),
];
const schemaNames = words('body querystring query params headers response respons tags hide');
const setters = words(`
  setErrorHandler setNotFoundHandler setValidatorCompiler setSerializerCompiler setSchemaErrorFormatter setReplySerializer
  setGenReqId setChildLoggerFactory setSchemaController findRoute hasRoute addSchema removeContentTypeParser register`);
const ajvNames = words('customOptions plugins onCreate mode custom');
const routerNames = words(`
  caseSensitive ignoreTrailingSlash maxParamLength constraints querystringParser custom caseSensitiv`);
const registerNames = words('prefix logLevel logSerializers prefx');
const parserNames = words('parseAs bodyLimit parsAs');

const kinds: Record<string, readonly (readonly [name: string, declare: (value: unknown) => Declare])[]> = {
  'options of the factory': factoryNames.map((name) => [name, (value) => options(name, value)]),
  'members of ajv': ajvNames.map((name) => [name, (value) => inside('ajv', name, value)]),
  'members of routerOptions': routerNames.map((name) => [
    name,
    (value) => inside('routerOptions', name, value),
  ]),
  'members of schemaController': ['bucket', 'compilersFactory', 'custom'].map((name) => [
    name,
    (value) => inside('schemaController', name, value),
  ]),
  'members of serializerOpts': ['rounding', 'roundin', 'mode', 'custom'].map((name) => [
    name,
    (value) => inside('serializerOpts', name, value),
  ]),
  'options of routes': routeNames.map((name) => [name, (value) => route(name, value)]),
  'parts of a schema': schemaNames.map((name) => [name, (value) => post('schema', { [name]: value })]),
  'options of register': registerNames.map((name) => [name, (value) => registered(name, value)]),
  'arguments of methods': setters.map((name) => [name, (value) => call(name, value)]),
  'options of not-found handlers': ['preHandler', 'preValidation', 'errorHandler', 'preHandlr', 'custom'].map(
    (name) => [name, (value) => call('setNotFoundHandler', { [name]: value }, () => 'none')],
  ),
  hooks: hookNames.map((name) => [name, (value) => call('addHook', name, value)]),
  'options of parsers': parserNames.map((name) => [
    name,
    (value) =>
      call(
        'addContentTypeParser',
        'text/x',
        { [name]: value },
        (_request: unknown, _body: unknown, done: () => void) => done(),
      ),
  ]),
};

/** Whether it boots, or the code of the error. */
async function boot(declare: Declare, make: Make): Promise<string> {
  let app: FastifyInstance | undefined;
  try {
    app = declare(make);
    await app.ready();
    return 'boots';
  } catch (error) {
    return `fails: ${(error as { code?: string }).code ?? (error as Error).message}`;
  } finally {
    await app?.close().catch(() => {});
  }
}

describe.each(Object.entries(kinds))('%s', (_kind, names) => {
  test.each(names)('%s', async (_name, declare) => {
    const refused: string[] = [];
    for (const [text, value] of odd) {
      const theirs = await boot(declare(value), makeOriginal);
      if (theirs !== 'boots') continue;
      const ours = await boot(declare(value), makeFacade);
      if (ours !== 'boots') refused.push(`${text} ${ours}`);
    }
    expect(refused).toEqual([]);
  });
});

/** Declarations that the tables above cannot express. */
const others: Record<string, (app: FastifyInstance) => unknown> = {
  'a single async hook of a route that takes done': (app) =>
    app.get(
      '/',
      { preHandler: async (_request: unknown, _reply: unknown, _done: unknown) => {} } as never,
      () => 'ok',
    ),
  'a second parser for all media types': (app) => {
    app.addContentTypeParser('*', async () => 'first');
    app.addContentTypeParser('*', async () => 'second');
  },
  'a method that another plugin has added': (app) => {
    app.register(async (child) => void child.addHttpMethod('COPY'));
    app.register(async (child) => void child.route({ method: 'COPY', url: '/', handler: () => 'ok' }));
  },
  'a plugin that is a generator function': (app) => app.register(function* () {} as never),
  'a handler that is a generator function': (app) => app.get('/', function* () {} as never),
  'a parameter that a path has twice': (app) => app.get('/:a/:a', () => 'ok'),
};

test.each(Object.entries(others))('%s boots with both', async (_what, declare) => {
  const outcomes = [makeOriginal, makeFacade].map((make) =>
    boot((created) => {
      const app = created();
      declare(app);
      return app;
    }, make),
  );
  expect(await Promise.all(outcomes)).toEqual(['boots', 'boots']);
});

const unsafe: Record<string, (make: Make) => FastifyInstance> = {
  'https that is text': (make) => make({ https: 'text' }),
  'https that is 1': (make) => make({ https: 1 }),
  'a clientErrorHandler that is text': (make) => make({ clientErrorHandler: 'text' }),
  'routerOptions that are text': (make) => make({ routerOptions: 'text' }),
  'a serverFactory that is an object': (make) => make({ serverFactory: {} }),
  'constraints of a route that are text': (make) =>
    make().get('/', { constraints: 'a.test' } as never, () => 'ok'),
  'constraints of a route that are a function': (make) =>
    make().get('/', { constraints: () => {} } as never, () => 'ok'),
};

test.each(Object.entries(unsafe))(
  '%s fails with both, because it cannot be ignored',
  async (_what, declare) => {
    const outcomes = [makeOriginal, makeFacade].map((make) => boot(declare, make));
    const fails: unknown = expect.stringMatching(/^fails: /);
    expect(await Promise.all(outcomes)).toEqual([fails, fails]);
  },
);

test('a function as https is refused, because without the option the server would have no TLS', () => {
  expect(() => makeFacade({ https: () => {} })).toThrow('https must be');
});

test('what is ignored leaves the answers as they are with Fastify', async () => {
  const answers = [makeOriginal, makeFacade].map(async (make) => {
    const app = make({
      bodyLimt: 1,
      genReqId: false,
      requestTimeout: -1,
      routerOptions: { caseSensitive: 1 },
    });
    app.setChildLoggerFactory(((log: { child(values: object): unknown }, values: object) =>
      log.child(values)) as never);
    const odd = {
      preHandlr: () => {},
      schema: 0,
      config: 'x',
      exposeHeadRoute: 0,
      logSerializers: 1,
      stream: true,
    };
    app.get('/', odd as never, () => 'ok');
    app.register(async (child) => void child.get('/x', () => 'child'), { prefix: 1, logLevel: {} } as never);
    const statuses = ['/', '/1/x', '/missing'].map(async (url) => (await app.inject(url)).statusCode);
    return [...(await Promise.all(statuses)), (await app.inject({ method: 'HEAD', url: '/' })).statusCode];
  });
  const [theirs, ours] = await Promise.all(answers);
  expect(ours).toEqual(theirs);
  expect(ours).toEqual([200, 200, 404, 404]);
});

test('hooks of plugins see their own route options, also under names that Ambit has', async () => {
  const seen: unknown[] = [];
  const app = makeFacade();
  app.addHook(
    'onRoute',
    ((route: Record<string, unknown>) =>
      void seen.push([route.stream, route.multipart, route.overload])) as never,
  );
  const own = { stream: true, multipart: { limits: { files: 1 } }, overload: 'high' };
  app.get('/', { ...own, exposeHeadRoute: false } as never, () => 'ok');
  await app.close();
  expect(seen).toEqual([[true, { limits: { files: 1 } }, 'high']]);
});

test('a warning says what is ignored, and where', async () => {
  const warnings = await warningsOf(() =>
    makeFacade({ requestTimeout: -1 })
      .get('/', { preHandlr: () => {} } as never, () => 'ok')
      .ready(),
  );
  expect(warnings).toEqual([
    expect.objectContaining({
      code: 'AMBWRN003',
      message: expect.stringContaining('requestTimeout must be an integer'),
    }),
    expect.objectContaining({
      message: "unknown option 'preHandlr' of route GET /; did you mean 'preHandler'?",
    }),
  ]);
});
