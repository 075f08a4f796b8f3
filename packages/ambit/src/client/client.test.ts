/** The typed client and the typed calls of `inject`, against a server. */
import { ambit } from 'ambit';
import { client } from 'ambit/client';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serve } from '../../test/support/serve.ts';

function makeApp() {
  return ambit()
    .get(
      '/users/:id',
      { schema: { querystring: { full: { type: 'boolean' } } } },
      ({ params, query, headers }) => ({
        params,
        query,
        token: headers['x-token'],
      }),
    )
    .post('/users', { schema: { body: z.object({ name: z.string() }) } }, ({ body }, reply) =>
      reply.code(201).send(body),
    )
    .put('/text', async (request) => request.body)
    .delete('/users/:id', (_request, reply) => reply.code(204).send())
    .get('/files/*', async ({ params }) => params['*'])
    .get('/fail', async () => {
      throw new Error('broken');
    });
}

describe('client', () => {
  test('fills in parameters, query and headers, and parses JSON', async () => {
    const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()), { headers: { 'x-token': 't' } });
    const reply = await api.get('/users/:id', { params: { id: 'a/b' }, query: { full: true } });
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ params: { id: 'a/b' }, query: { full: true }, token: 't' });
    expect(reply.headers.get('content-type')).toContain('json');
  });

  test('sends JSON, and text as it is', async () => {
    const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()));
    expect(await api.post('/users', { body: { name: 'ada' } })).toMatchObject({
      status: 201,
      body: { name: 'ada' },
    });
    expect(await api.put('/text', { body: 'plain' })).toMatchObject({ status: 200, body: 'plain' });
  });

  test('gives failures as replies, and an empty body as undefined', async () => {
    const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()));
    expect(await api.get('/fail')).toMatchObject({ status: 500, body: { message: 'broken' } });
    expect(await api.post('/users', { body: { name: 1 as never } })).toMatchObject({ status: 400 });
    expect(await api.delete('/users/:id', { params: { id: 1 } })).toMatchObject({
      status: 204,
      body: undefined,
    });
  });

  test('keeps the slashes of a wildcard, and a base URL’s path', async () => {
    const seen: string[] = [];
    const fetch = async (url: string): Promise<Response> => {
      seen.push(url);
      return new Response('');
    };
    const api = client<ReturnType<typeof makeApp>>('http://host/base/', { fetch });
    await api.get('/files/*', { params: { '*': 'a b/c' } });
    await api.get('/users/:id', { params: { id: 1 }, query: { full: undefined } as never });
    expect(seen).toEqual(['http://host/base/files/a%20b/c', 'http://host/base/users/1']);
  });

  test('may be the result of an asynchronous function: it is no promise', async () => {
    const connect = async () => client<ReturnType<typeof makeApp>>(await serve(makeApp()));
    const api = await connect();
    expect(await api.get('/files/*', { params: { '*': 'a' } })).toMatchObject({ body: 'a' });
  });

  test('an aborted call rejects', async () => {
    const api = client<ReturnType<typeof makeApp>>(await serve(makeApp()));
    await expect(api.get('/fail', { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    });
  });

  test('a parameter without a value is refused before anything is sent', async () => {
    const api = client<ReturnType<typeof makeApp>>('http://localhost:1');
    await expect(api.get('/users/:id', { params: {} as never })).rejects.toThrow(
      "no value for 'id' of /users/:id",
    );
  });
});

describe('inject', () => {
  test('has a method for each kind of call', async () => {
    const app = makeApp();
    const found = await app.inject.get('/users/:id', { params: { id: 7 }, query: { full: false } });
    expect([found.statusCode, found.json()]).toEqual([200, { params: { id: '7' }, query: { full: false } }]);
    const made = await app.inject.post('/users', { body: { name: 'ada' }, headers: { accept: 'text/html' } });
    expect(made.statusCode).toBe(201);
  });

  test('still takes options, a URL, a callback, or starts a chain', async () => {
    const app = makeApp();
    expect((await app.inject('/users/1')).statusCode).toBe(200);
    expect((await app.inject({ method: 'DELETE', url: '/users/1' })).statusCode).toBe(204);
    expect((await app.inject().get('/users/1').end()).statusCode).toBe(200);
    const status = await new Promise((resolve) =>
      app.inject('/users/1', (_error, response) => resolve(response?.statusCode)),
    );
    expect(status).toBe(200);
  });

  test('is inherited by children', async () => {
    const app = ambit();
    app.register(async (child) => {
      child.get('/', () => 'child');
      expect(child.inject).toBe(app.inject);
    });
    expect((await app.inject.get('/')).body).toBe('child');
  });
});
