/**
 * A decorator, or a property that a plugin sets, may have any name: the framework still finds what it needs in requests, replies and
 * contexts.
 */
import { Readable } from 'node:stream';
import { type Context, hoist, type Reply, type Request } from 'ambit';
import { expect, test } from 'vitest';
import { ask } from '../../test/support/ask.ts';
import { flavors } from '../../test/support/flavors.ts';
import { LogLines } from '../../test/support/log-lines.ts';
import { forbidProcessFaults } from '../../test/support/process-faults.ts';
import { serve } from '../../test/support/serve.ts';

forbidProcessFaults();

/** Names that code of a framework is likely to use for itself. */
const likely = [
  'exchange',
  'context',
  'plan',
  'stage',
  'claim',
  'x',
  'app',
  'node',
  'state',
  'headers',
  'watch',
];

/** Every member of an instance and of its class, without `excluded`. */
function namesOf(instance: object, excluded: readonly string[]): string[] {
  const names = new Set(likely);
  for (let object = instance; object !== Object.prototype; object = Object.getPrototypeOf(object)) {
    for (const name of Object.getOwnPropertyNames(object)) names.add(name);
  }
  return [...names].filter((name) => name !== 'constructor' && !excluded.includes(name));
}

/** Routes that use each path through the framework, and the answers of all of them. */
function addRoutes(app: Context): void {
  app.setErrorHandler((error) => {
    if (error.message === 'handled') return 'handled';
    throw error;
  });
  const response = { 200: { type: 'object', properties: { a: { type: 'integer' } } } };
  app.get('/json', { schema: { response } }, () => ({ a: 1, b: 2 }));
  app.get('/text', async () => 'text');
  app.get('/stream', () => Readable.from([Buffer.from('stream')]));
  app.get('/response', () => new Response('response', { status: 201, headers: { 'x-header': 'value' } }));
  app.get('/nothing', async () => {});
  app.get('/error', () => {
    throw Object.assign(new Error('failed'), { statusCode: 418, headers: { 'x-header': 'value' } });
  });
  app.get('/handled', () => {
    throw new Error('handled');
  });
  app.get('/limit', { handlerTimeout: 5 }, () => new Promise(() => {}));
  app.post('/body', { schema: { body: { type: 'object', required: ['a'] } } }, () => 'valid');
  app.post('/query', { schema: { querystring: { type: 'object', required: ['a'] } } }, () => 'valid');
}

const requests = [
  ['GET', '/json', '', 200, '{"a":1}'],
  ['GET', '/text', '', 200, 'text'],
  ['GET', '/stream', '', 200, 'stream'],
  ['GET', '/response', '', 201, 'response'],
  ['GET', '/nothing', '', 200, ''],
  ['GET', '/error', '', 418, '"failed"'],
  ['GET', '/handled', '', 500, 'handled'],
  ['GET', '/limit', '', 503, 'FST_ERR_HANDLER_TIMEOUT'],
  ['GET', '/nowhere', '', 404, 'not found'],
  ['POST', '/body', '{"a":1}', 200, 'valid'],
  ['POST', '/body', '{}', 400, "required property 'a'"],
  ['POST', '/body', '{', 400, 'not valid JSON'],
  ['POST', '/query', '{}', 400, "required property 'a'"],
] as const;

async function expectAnswers(app: Context): Promise<void> {
  for (const [method, url, payload, status, text] of requests) {
    const headers = payload === '' ? {} : { 'content-type': 'application/json' };
    const response = await app.inject({ method, url, ...(payload !== '' && { payload }), headers });
    expect([method, url, response.statusCode]).toEqual([method, url, status]);
    expect(response.body).toContain(text);
  }
}

/** An instance as routes see it, from which the names are read. */
async function instances(make: () => Context): Promise<{ request: object; reply: object; context: object }> {
  const seen = { request: {}, reply: {}, context: {} };
  const app = make();
  app.get('/', (request, reply) => {
    Object.assign(seen, { request, reply, context: app });
    return 'seen';
  });
  await app.inject('/');
  return seen;
}

for (const [flavor, make] of flavors) {
  // The method that sends returned values may be replaced: instrumentation wraps it.
  const replaceable = ['send'];

  test(`a reply on ${flavor} may be decorated with exchange`, async () => {
    const app = make();
    app.decorateReply('exchange', null);
    app.decorateRequest('exchange', 'the request’s');
    app.get('/', (request, reply) => [
      (request as unknown as { exchange: string }).exchange,
      (reply as unknown as { exchange: null }).exchange,
    ]);
    const { status, body } = await ask(await serve(app));
    expect({ status, body }).toEqual({ status: 200, body: '["the request’s",null]' });
  });

  for (const [what, value] of [
    ['null', null],
    ['a number', 5],
    ['a function that throws', thrower],
    ['a getter that throws', { getter: thrower }],
  ] as const) {
    test(`decorators of replies on ${flavor} that are ${what} are refused at boot, or break no reply`, async () => {
      const names = namesOf((await instances(make)).reply, replaceable);
      const app = make();
      const free = names.filter((name) => decorates(() => app.decorateReply(name, value as never)));
      expect(free).toEqual(expect.arrayContaining(['exchange', 'statusCode', 'header']));
      addRoutes(app);
      await expectAnswers(app);
    });

    test(`decorators of requests on ${flavor} that are ${what} are refused at boot, or break no reply`, async () => {
      const names = namesOf((await instances(make)).request, replaceable);
      const app = make();
      const free = names.filter((name) => decorates(() => app.decorateRequest(name, value as never)));
      expect(free).toEqual(expect.arrayContaining(['exchange', 'headers', 'socket']));
      addRoutes(app);
      await expectAnswers(app);
    });
  }

  test(`properties that a hook sets on requests and replies of ${flavor} break no reply`, async () => {
    const app = make();
    const assign = (target: object): void => {
      for (const name of likely.filter((name) => name !== 'headers')) Reflect.set(target, name, null);
    };
    app.addHook('onRequest', async (request, reply) => {
      assign(request);
      assign(reply);
    });
    addRoutes(app);
    await expectAnswers(app);
  });

  test(`a request and a reply of ${flavor} work through a proxy and through an object that inherits from them`, async () => {
    const app = make();
    app.get('/', (request, reply) => {
      const inherited = Object.create(new Proxy(reply, {})) as Reply;
      const proxied = new Proxy(Object.create(request) as Request, {});
      inherited.code(201).header('x-method', proxied.method).send(`${proxied.url} ${inherited.statusCode}`);
    });
    const response = await app.inject('/');
    expect([response.statusCode, response.headers['x-method'], response.body]).toEqual([201, 'GET', '/ 201']);
  });
}

for (const [flavor, make] of flavors) {
  test(`decorators of a child on ${flavor} are refused at boot, or break nothing in it, whatever they are called`, async () => {
    const names = namesOf((await instances(make)).context, []);
    const lines = new LogLines();
    const app = make({ logger: { stream: lines } });
    app.register(async (child) => {
      const free = names.filter((name) => decorates(() => Reflect.apply(app.decorate, child, [name, null])));
      expect(free).toEqual(expect.arrayContaining(['childLoggerFactory', 'supportedMethods', 'version']));
      useContext(app, child);
    });
    expect((await app.inject({ method: 'PROPFIND', url: '/all' })).body).toBe('all');
    expect((await app.inject({ method: 'MKCOL', url: '/mkcol' })).body).toBe('mkcol');
    expect((await app.inject('/fails')).statusCode).toBe(418);
    expect((await app.inject('/inner')).body).toBe('inner');
    expect(lines.messages).toContain('request completed');
  });
}

/** Uses a context whose own methods may be hidden. */
function useContext(app: Context, child: Context): void {
  const call = (method: string, ...args: unknown[]): unknown => callOf(app, child, method, args);
  call('addHttpMethod', 'PROPFIND');
  call('addHttpMethod', 'MKCOL');
  call('all', '/all', () => 'all');
  call('route', { method: 'MKCOL', url: '/mkcol', handler: () => 'mkcol' });
  call('setErrorHandler', (error: Error & { statusCode: number }, _request: unknown, reply: Reply) =>
    reply.code(error.statusCode).send('failed'),
  );
  const handler = (): never => {
    throw Object.assign(new Error('failed'), { statusCode: 418 });
  };
  call('route', { method: 'GET', url: '/fails', handler });
  const inner = async (context: Context): Promise<void> => {
    callOf(app, context, 'get', ['/inner', () => 'inner']);
  };
  call('register', hoist(inner, { fastify: '5.x' } as never));
}

/** Calls a method of one context on another. */
function callOf(owner: Context, target: Context, method: string, args: unknown[]): unknown {
  return Reflect.apply(Reflect.get(owner, method) as () => unknown, target, args);
}

function thrower(): never {
  throw new Error('a decorator was called');
}

function decorates(decorate: () => unknown): boolean {
  try {
    decorate();
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'FST_ERR_DEC_ALREADY_PRESENT' });
    return false;
  }
}
