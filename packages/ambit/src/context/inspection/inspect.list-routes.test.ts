/** What `listRoutes` shows of an application, through the public API. */
import { ambit, type Context, expandSchema, hoist, listRoutes } from 'ambit';
import { expect, test } from 'vitest';

const handler = (): string => 'ok';

function describeRoutes(context: Context): string[] {
  return listRoutes(context).map(
    ({ method, url, isAutomatic }) => `${method} ${url}${isAutomatic ? ' (automatic)' : ''}`,
  );
}

test('routes of a context and below are listed, also those declared before and after', async () => {
  const app = ambit({ exposeHeadRoutes: false });
  let inner!: Context;
  app.get('/first', handler);
  app.register(
    async (context) => {
      inner = context;
      context.post('/', handler);
      context.register(async (deeper) => void deeper.get('/deep', handler));
      context.get('/late', handler);
    },
    { prefix: '/inner' },
  );
  app.get('/last', handler);
  await app.ready();
  expect(describeRoutes(app)).toEqual([
    'GET /first',
    'GET /last',
    'POST /inner',
    'GET /inner/late',
    'GET /inner/deep',
  ]);
  expect(describeRoutes(inner)).toEqual(['POST /inner', 'GET /inner/late', 'GET /inner/deep']);
});

test('a HEAD route that goes with a GET route is marked as automatic', async () => {
  const app = ambit();
  app.get('/x', handler);
  app.head('/y', handler);
  await app.ready();
  expect(describeRoutes(app).sort()).toEqual(['GET /x', 'HEAD /x (automatic)', 'HEAD /y']);
});

test('a listed route has its live options, its context and the line that declared it', async () => {
  const app = ambit({ exposeHeadRoutes: false });
  app.addHook('onRoute', (route) => {
    route.config = { seen: true };
  });
  app.register(async (context) => {
    context.addSchema({ $id: 'Own', type: 'string' });
    context.route({ method: ['GET', 'POST'], url: '/both', handler });
  });
  await app.ready();
  const [route] = listRoutes(app);
  expect(route!.options.config).toEqual({ seen: true });
  expect(Object.keys(route!.context.getSchemas())).toEqual(['Own']);
  expect(route!.where).toMatchObject({ route: 'GET,POST /both' });
  expect(route!.where.file).toContain('inspect.list-routes.test.ts');
});

test('a listed route knows whether errors reach an error handler of the application, wherever it is set', async () => {
  const app = ambit({ exposeHeadRoutes: false });
  app.get('/before', handler);
  app.get('/route', { errorHandler: () => 'own', handler });
  app.register(async (context) => {
    context.register(async (inner) => void inner.get('/inner', handler));
    context.get('/context', handler);
    context.setErrorHandler(() => 'own');
  });
  await app.ready();
  expect(listRoutes(app).map(({ url, hasErrorHandler }) => [url, hasErrorHandler])).toEqual([
    ['/before', false],
    ['/route', true],
    ['/context', true],
    ['/inner', true],
  ]);
});

for (const [ajv, expected] of [
  [{}, 'draft-07'],
  [{ dialect: '2020-12' }, '2020-12'],
] as const) {
  test(`a listed route has the dialect of its application: ${expected}`, async () => {
    const app = ambit({ ajv });
    app.get('/x', handler);
    await app.ready();
    expect(listRoutes(app)[0]!.dialect).toBe(expected);
  });
}

test('routes of a hoisted plugin are listed with the context that it fills', async () => {
  const app = ambit({ exposeHeadRoutes: false });
  app.register(hoist(async (context) => void context.get('/hoisted', handler)));
  await app.ready();
  expect(listRoutes(app).map(({ context }) => context === app)).toEqual([true]);
});

test('a schema is shown as the framework reads it: short forms in full', () => {
  const short = { name: { type: 'string' } };
  expect(expandSchema(short)).toEqual({ type: 'object', properties: short });
  expect(expandSchema({ type: 'string' })).toEqual({ type: 'string' });
  expect(expandSchema({ isFluentSchema: true, valueOf: () => ({ type: 'null' }) })).toEqual({ type: 'null' });
});
