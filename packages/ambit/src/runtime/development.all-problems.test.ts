/** In development, an invalid request is told all of its problems; in production the first one, whatever a hostile client sends. */
import type { AddressInfo } from 'node:net';
import { fastify } from '@ambit/fastify';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { afterEach, describe, expect, test, vi } from 'vitest';

const open: Context[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(open.splice(0).map((app) => app.close()));
});

const body = {
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string' },
    count: { type: 'integer' },
    list: { type: 'array', items: { type: 'integer' } },
    // It takes longer than the age of the earth if the pattern is tried on a long text.
    slow: { type: 'string', maxLength: 20, pattern: '^(a+)+$' },
    either: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  },
};

const slow = `${'a'.repeat(80)}b`;

function start(environment: string, options: AmbitOptions = {}, create: typeof ambit = ambit): Context {
  vi.stubEnv('NODE_ENV', environment);
  const app = create(options);
  app.post('/', { schema: { body } }, (request) => request.body as object);
  open.push(app);
  return app;
}

async function post(app: Context, payload: object): Promise<{ message: string; errors?: object[] }> {
  if (!app.server.listening) await app.listen();
  const { port } = app.server.address() as AddressInfo;
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(`http://127.0.0.1:${port}/`, {
    method: 'POST',
    headers,
    body: JSON.stringify(payload),
  });
  return (await response.json()) as never;
}

describe('in development', () => {
  test('all problems are in the message, the first one first', async () => {
    const { message } = await post(start('development'), { count: 'x', list: ['y', 1, 'z'] });
    expect(message).toBe(
      "body should have required property 'title', body/count should be integer, body/list/0 should be integer, body/list/2 should be integer",
    );
    const alone = await post(start('production'), { count: 'x', list: ['y', 1, 'z'] });
    expect(message.startsWith(`${alone.message}, `)).toBe(true);
  });

  test('as problem details, each has an entry', async () => {
    const { errors } = await post(start('development', { errors: 'problem' }), { title: [], count: 'x' });
    expect(errors).toEqual([
      { detail: expect.any(String), pointer: '#/title', part: 'body' },
      { detail: expect.any(String), pointer: '#/count', part: 'body' },
    ]);
  });

  test('a valid request is converted as in production', async () => {
    const payload = { title: 7, count: '8', list: ['9'], either: '10' };
    expect(await post(start('development'), payload)).toEqual(await post(start('production'), payload));
  });

  test('with attachValidation, the handler reads the values that it reads in production', async () => {
    const read = async (environment: string): Promise<unknown> => {
      const app = start(environment);
      const schema = { body };
      app.post('/attached', { schema, attachValidation: true }, (request) => request.body as object);
      const payload = { title: 'x', count: 'x', list: ['9'] };
      return (await app.inject({ method: 'POST', url: '/attached', payload })).json();
    };
    expect(await read('development')).toEqual(await read('production'));
  });

  test('the search ends soon, also in an expression that does not', async () => {
    const { message } = await post(start('development'), { title: 'x', slow });
    expect(message).toBe('body/slow should NOT have more than 20 characters');
  });

  test('at most fifty are named', async () => {
    const { message } = await post(start('development'), { title: 'x', list: Array(1_000).fill('x') });
    expect(message.split(', ')).toHaveLength(50);
  });

  test('the option of the application decides', async () => {
    const ajv = { customOptions: { allErrors: false } };
    const { message } = await post(start('development', { ajv }), { count: 'x' });
    expect(message).toBe("body should have required property 'title'");
  });

  test('the facade replies as Fastify does', async () => {
    const { message } = await post(start('development', {}, fastify as never), { count: 'x' });
    expect(message).toBe("body must have required property 'title'");
  });
});

describe.each(['production', 'test'])('with NODE_ENV=%s', (environment) => {
  test('only the first problem is reported, and nothing behind it is read', async () => {
    const app = start(environment);
    app.setErrorHandler((error) => ({ message: error.message, errors: error.validation as object[] }));
    const hostile = { title: 'x', list: Array(100_000).fill('x') };
    const startedAtMs = performance.now();
    expect((await post(app, hostile)).errors).toHaveLength(1);
    expect((await post(app, { title: 'x', slow })).errors).toHaveLength(1);
    // Either of them takes a multiple of this if all problems are searched.
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
  });
});
