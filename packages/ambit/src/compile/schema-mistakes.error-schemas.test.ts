/** Response schemas that cannot take the framework's own errors: the client gets the error, and boot warns. */
import { ambit, type Context, defineProblem, type RouteSchema } from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import { fastify } from '../../../fastify/src/index.ts';
import { recordWarnings } from '../../test/support/emitted-warnings.ts';

const warnings = recordWarnings();

const strict = {
  type: 'object',
  required: ['reason'],
  properties: { reason: { type: 'string' } },
  additionalProperties: false,
};
const body = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const own = (statusCode: number) => ({ statusCode, error: expect.any(String), message: expect.any(String) });

function accepting(response: RouteSchema['response'], app: Context = ambit({ bodyLimit: 20 })): Context {
  app.post('/users', { schema: { body, response } }, () => 'saved');
  return app;
}

const post = (app: Context, payload: string, type = 'application/json') =>
  app.inject({ method: 'POST', url: '/users', payload, headers: { 'content-type': type } });

describe.each([
  ['4xx', [400, 413, 415]],
  ['default', [400, 413, 415]],
  ['400', [400]],
] as const)('a strict schema for %s', (key, statuses) => {
  test.each([
    ['{}', 'application/json', 400],
    ['{"name":', 'application/json', 400],
    ['{"name":"a name that is too long"}', 'application/json', 413],
    ['name', 'text/csv', 415],
  ])('sends the error for %s of type %s, with status %d', async (payload, type, status) => {
    const response = await post(accepting({ [key]: strict }), payload, type);
    expect([response.statusCode, response.json()]).toMatchObject([status, own(status)]);
  });

  test('warns at boot once, with the statuses and the schema to use', async () => {
    await accepting({ [key]: strict }).ready();
    expect(warnings).toEqual([
      expect.stringMatching(/^AMBWRN011 .*POST \/users .*statusCode: \{ type: 'integer' \}/),
    ]);
    for (const status of statuses) expect(warnings[0]).toContain(String(status));
  });

  test('does not warn in production, nor if an error handler replies', async () => {
    const app = ambit();
    app.setErrorHandler((_error, _request, reply) => reply.send({ reason: 'no' }));
    await accepting({ [key]: strict }, app).ready();
    vi.stubEnv('NODE_ENV', 'production');
    await accepting({ [key]: strict }).ready();
    expect(warnings).toEqual([]);
  });
});

test.each([
  ['a const', { type: 'object', properties: { error: { const: 'Other' } }, required: ['error'] }],
  ['another type', { type: 'array', items: { type: 'string' } }],
  ['a union', { oneOf: [strict, { type: 'object', required: ['code2'], properties: { code2: {} } }] }],
])('%s that the error does not fit does not change its status', async (_what, schema) => {
  const response = await post(accepting({ 400: schema }), '{}');
  expect(response.statusCode).toBe(400);
});

test.each([
  ['that chooses among the members', { type: 'object', properties: { message: { type: 'string' } } }],
  ['that is open', {}],
  [
    'that requires members of every error',
    {
      type: 'object',
      required: ['message', 'statusCode'],
      properties: { statusCode: { type: 'integer' }, message: { type: 'string' } },
    },
  ],
])('a schema %s causes no warning', async (_what, schema) => {
  await accepting({ '4xx': schema, 500: schema }).ready();
  expect(warnings).toEqual([]);
});

test('nothing but the members of an error leaves the server when its schema cannot take it', async () => {
  const app = ambit();
  app.get('/', { schema: { response: { 409: strict } } }, () =>
    Promise.reject(Object.assign(new Error('taken'), { statusCode: 409, query: 'SELECT', password: 'x' })),
  );
  expect((await app.inject('/')).json()).toEqual({ statusCode: 409, error: 'Conflict', message: 'taken' });
});

test('of two problems with one status, the one that the schema was not written for is sent, too', async () => {
  const OutOfCredit = defineProblem<{ balance: number }>({
    type: '/credit',
    title: 'No credit',
    status: 403,
  });
  const Banned = defineProblem({ type: '/banned', title: 'Banned', status: 403 });
  const schema = {
    type: 'object',
    required: ['balance'],
    properties: { type: { const: '/credit' }, status: { type: 'integer' }, balance: { type: 'integer' } },
  };
  const app = ambit({ errors: 'problem' });
  const response = { 403: { content: { 'application/problem+json': { schema } } } };
  app.get('/credit', { schema: { response } }, () => Promise.reject(new OutOfCredit('no', { balance: 3 })));
  app.get('/banned', { schema: { response } }, () => Promise.reject(new Banned('for spam')));
  expect((await app.inject('/credit')).json()).toEqual({ type: '/credit', status: 403, balance: 3 });
  const banned = await app.inject('/banned');
  expect(banned.statusCode).toBe(403);
  expect(banned.json()).toMatchObject({ type: '/banned', title: 'Banned', status: 403, detail: 'for spam' });
});

test('on the facade, an error that its schema cannot take is answered with 500, as in Fastify', async () => {
  const response = await post(accepting({ 400: strict }, fastify() as never), '{}');
  expect(response.statusCode).toBe(500);
  expect(response.json()).toMatchObject({ code: 'FST_ERR_FAILED_ERROR_SERIALIZATION' });
});
