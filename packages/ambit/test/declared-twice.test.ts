/** Declarations that are made twice or that do not match: they fail boot, and the error says where. */
import { ambit, type ConstraintStrategy, type Context, recordDeclarationSites } from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import { fastify } from '../../fastify/src/index.ts';
import { recordWarnings } from './support/emitted-warnings.ts';
import { flavors } from './support/flavors.ts';

const warnings = recordWarnings();

const here = expect.stringMatching(/declared-twice\.test\.ts:\d+:\d+$/);
const twoParameters = [
  '/twice/:id/x/:id',
  '/:id/:id?',
  '/:id-:id',
  '/:id.:id',
  '/:id(^\\d+$)/:id',
  '/a/:id(^(?:a|b)$)-:id(^\\d+$)',
];

for (const path of twoParameters) {
  test(`the path ${path}, which has one name twice, is refused with its place`, () => {
    expect(() => ambit().get(path, () => '')).toThrow(
      expect.objectContaining({
        code: 'AMBIT_ERR_PARAMETER_DUPLICATED',
        message: `the path '${path}' has two parameters with the name 'id'`,
        where: { plugin: 'ambit', route: `GET ${path}`, file: here },
      }),
    );
  });

  test(`on the facade, the path ${path} causes a warning, because it boots in Fastify`, async () => {
    const app = fastify();
    app.get(path, () => '');
    await app.ready();
    expect(warnings.filter((text) => text.startsWith('AMBWRN003'))).toHaveLength(1);
  });
}

test('a name of the prefix counts, too', async () => {
  const app = ambit();
  app.register(async (child) => void child.get('/posts/:id', () => ''), { prefix: '/users/:id' });
  await expect(app.ready()).rejects.toMatchObject({ code: 'AMBIT_ERR_PARAMETER_DUPLICATED' });
});

test.each(['/:id/:name', '/::id/:id', '/:id/id', '/:a-:b', '/:id/*', '/:id(^:id$)', '/:id?'])(
  'the path %s is accepted',
  async (path) => {
    const app = ambit();
    app.get(path, () => '');
    await expect(app.ready()).resolves.toBeDefined();
  },
);

const text = { type: 'string' };

const closed = { type: 'object', properties: { id: text }, additionalProperties: false };

describe('a params schema that the path does not match', () => {
  const boot = (make: () => unknown, path: string, params: unknown): Promise<unknown> => {
    const app = make() as Context;
    app.addSchema({ $id: 'named', type: 'object', required: ['name'], properties: { name: text } });
    app.get(path, { schema: { params } } as never, () => '');
    return app.ready();
  };

  describe.each([
    ['/users/:id', { type: 'object', properties: { userId: text } }, 'userId', "'id'"],
    ['/users/:id', { userId: text }, 'userId', "'id'"],
    ['/users', { type: 'object', properties: { id: text } }, 'id', 'none'],
    ['/files/*', { type: 'object', properties: { path: text } }, 'path', "'*'"],
  ])('%s with %j, which only describes a parameter,', (path, params, name, names) => {
    test.each(flavors)('causes a warning on %s', async (_flavor, make) => {
      await boot(make, path, params);
      expect(warnings).toEqual([
        `AMBWRN003 the params schema of GET ${path} describes '${name}', which the path does not have: the parameters of the path are ${names}`,
      ]);
    });

    test('causes no warning in production', async () => {
      vi.stubEnv('NODE_ENV', 'production');
      await boot(ambit, path, params);
      expect(warnings).toEqual([]);
    });
  });

  describe.each([
    [
      '/users/:id',
      { type: 'object', required: ['name'], properties: { id: text } },
      "requires 'name', which the path does not have",
      "'id'",
      '#/required',
    ],
    [
      '/:a-:b',
      { type: 'object', required: ['c'] },
      "requires 'c', which the path does not have",
      "'a', 'b'",
      '#/required',
    ],
    ['/:id', { $ref: 'named#' }, "requires 'name', which the path does not have", "'id'", 'named#/required'],
    [
      '/:id',
      { type: 'object', allOf: [{ required: ['id'] }, { $ref: 'named' }] },
      "requires 'name', which the path does not have",
      "'id'",
      'named#/required',
    ],
    ['/:id/:post', closed, "forbids 'post'", "'id', 'post'", '#/additionalProperties'],
    ['/*', closed, "forbids '*'", "'*'", '#/additionalProperties'],
  ])('%s with %j', (path, params, problem, names, schemaPath) => {
    const message = `the params schema of GET ${path} ${problem}: the parameters of the path are ${names}`;

    test.each(['development', 'production'])('is refused with its place in %s', async (environment) => {
      vi.stubEnv('NODE_ENV', environment);
      await expect(boot(ambit, path, params)).rejects.toMatchObject({
        code: 'AMBIT_ERR_PARAMS_MISMATCH',
        message,
        where: { plugin: 'ambit', route: `GET ${path}`, file: here, part: 'params', schemaPath },
      });
    });

    test('causes a warning on the facade, because it boots in Fastify', async () => {
      await boot(fastify, path, params);
      expect(warnings).toEqual([`AMBWRN003 ${message}`]);
    });
  });

  test.each([
    ['/users/:id', { type: 'object', required: ['id'], properties: { id: text } }],
    ['/users/:id?', { type: 'object', properties: { id: text } }],
    ['/users/:id/:more', { type: 'object', properties: { id: text } }],
    ['/files/*', { type: 'object', properties: { '*': text } }],
    ['/:id(^\\d+$).:ext', { type: 'object', properties: { id: text, ext: text } }],
    ['/users/:id', { $ref: 'shared#' }],
    ['/users/:id', { type: 'object', properties: { id: text, lang: { type: 'string', default: 'en' } } }],
    ['/users/:id', { type: 'object', additionalProperties: text }],
    ['/users/:id?', closed],
    [
      '/users/:id',
      { ...closed, required: ['id', 'lang'], properties: { id: text, lang: { default: 'en' } } },
    ],
    ['/users/:id', { ...closed, properties: {}, patternProperties: { '^i': text } }],
    [
      '/users/:id',
      {
        anyOf: [
          { type: 'object', required: ['id'] },
          { type: 'object', required: ['name'] },
        ],
      },
    ],
    ['/users/:id', true],
  ])('%s with %j is accepted', async (path, params) => {
    const app = ambit();
    app.addSchema({ $id: 'shared', type: 'object', properties: { id: text, other: text } });
    app.get(path, { schema: { params } } as never, () => '');
    await app.ready();
    expect(warnings).toEqual([]);
  });

  test('a closed schema need not have the parameters of the prefix', async () => {
    const app = ambit();
    app.register(async (child) => void child.get('/:id', { schema: { params: closed } } as never, () => ''), {
      prefix: '/:tenant',
    });
    await expect(app.ready()).resolves.toBeDefined();
  });

  test('a mismatch that an onRoute hook causes is refused', async () => {
    const app = ambit();
    app.addHook('onRoute', (route) => {
      route.schema = { params: { type: 'object', required: ['tenant'] } } as never;
    });
    app.get('/:id', () => '');
    await expect(app.ready()).rejects.toMatchObject({ code: 'AMBIT_ERR_PARAMS_MISMATCH' });
  });

  test('parameters of the prefix belong to the path', async () => {
    const app = ambit();
    const params = { type: 'object', required: ['tenant', 'id'], properties: { tenant: text, id: text } };
    app.register(async (child) => void child.get('/:id', { schema: { params } } as never, () => ''), {
      prefix: '/:tenant',
    });
    await expect(app.ready()).resolves.toBeDefined();
  });
});

const secret: ConstraintStrategy = {
  name: 'secret',
  storage: () => ({ get: () => null, set: () => {} }),
  deriveConstraint: ({ headers }) => headers['x-secret'],
  validate: () => {},
};

for (const [flavor, make] of flavors) {
  describe(`on ${flavor}, the error of a second declaration says where the first is`, () => {
    const errorOf = async (declare: (app: Context) => void): Promise<unknown> => {
      const app = make();
      app.register(async function first(child) {
        child.get('/users', () => '');
      });
      app.register(async function second(child) {
        declare(child);
      });
      return app.ready().then(undefined, (error) => error.where);
    };

    test('for a route', async () => {
      const where = await errorOf((app) => void app.get('/users', () => ''));
      expect(where).toMatchObject({
        plugin: expect.stringContaining('second'),
        file: here,
        first: { plugin: expect.stringContaining('first'), file: here },
      });
    });

    test('for a route of several methods', async () => {
      const where = await errorOf(
        (app) => void app.route({ method: ['POST', 'GET'], url: '/users', handler: () => '' }),
      );
      expect(where).toMatchObject({ first: { plugin: expect.stringContaining('first') } });
    });

    test.each([
      ['a decorator', (app: Context) => app.decorate('clock', () => 1)],
      ['a decorator of requests', (app: Context) => app.decorateRequest('user', null)],
      ['a decorator of replies', (app: Context) => app.decorateReply('view', null)],
      ['a schema', (app: Context) => app.addSchema({ $id: 'user', type: 'object' })],
      ['a body parser', (app: Context) => app.addContentTypeParser('text/csv', async () => '')],
      ['a not-found handler', (app: Context) => app.setNotFoundHandler(() => '')],
      ['an error handler', (app: Context) => app.setErrorHandler(() => {})],
      ['a readiness check', (app: Context) => app.addReadinessCheck('database', () => {})],
      ['a constraint strategy', (app: Context) => app.addConstraintStrategy(secret)],
    ])('for %s, with the plugin and the line that registered it', async (_what, declare) => {
      const app = make({ allowErrorHandlerOverride: false });
      app.register(
        Object.assign(async (child: Context) => void declare(child), { [Symbol.for('skip-override')]: true }),
      );
      app.register(
        Object.assign(async (child: Context) => void declare(child), { [Symbol.for('skip-override')]: true }),
      );
      const error = await app.ready().then(undefined, (error) => error);
      expect(error.where).toMatchObject({ file: here, first: { plugin: expect.any(String), file: here } });
    });

    test('for a constraint strategy, also in another plugin', async () => {
      const app = make();
      app.register(async function first(child) {
        child.addConstraintStrategy(secret);
      });
      app.register(async function second(child) {
        child.addConstraintStrategy(secret);
      });
      const error = await app.ready().then(undefined, (error) => error);
      expect(error.where).toMatchObject({
        plugin: expect.stringContaining('second'),
        first: { plugin: expect.stringContaining('first'), file: here },
      });
    });
  });
}

test('with recorded sites, it is the line of the declaration itself', () => {
  recordDeclarationSites();
  const app = ambit();
  app.decorate('clock', () => 1);
  expect(() => app.decorate('clock', () => 2)).toThrow(
    expect.objectContaining({ where: expect.objectContaining({ first: { plugin: 'ambit', file: here } }) }),
  );
});

describe('a body schema in the short form', () => {
  const body = { name: text };

  test('works, and boot warns once for each route', async () => {
    const app = ambit();
    app.post('/users', { schema: { body } }, () => '');
    app.put('/users', { schema: { body: { type: 'object', properties: body } } }, () => '');
    await app.ready();
    expect(warnings).toEqual([expect.stringMatching(/^AMBWRN012 .*POST \/users .*required/)]);
    expect((await app.inject({ method: 'POST', url: '/users', payload: {} })).statusCode).toBe(200);
  });

  test('causes no warning in production, nor in other parts', async () => {
    const app = ambit();
    app.post(
      '/:name',
      { schema: { params: body, querystring: body, headers: body, response: { 200: body } } },
      () => ({}),
    );
    const content = { 'application/json': { schema: { type: 'object', properties: body } } };
    app.post('/typed', { schema: { body: { content } } }, () => '');
    await app.ready();
    vi.stubEnv('NODE_ENV', 'production');
    const inProduction = ambit();
    inProduction.post('/users', { schema: { body } }, () => '');
    await inProduction.ready();
    expect(warnings).toEqual([]);
  });
});
