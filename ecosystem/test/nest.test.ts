/** `@nestjs/platform-fastify`: a Nest application whose adapter is given an instance of ours, and one that it makes itself. */
import cookie from '@fastify/cookie';
import { describe, expect, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serveNest } from './support/nest-app.ts';

const key = { 'x-key': 'secret', 'content-type': 'application/json' };
const byAdapter: Flavor = { flavor: 'what the adapter makes itself', create: () => undefined as never };

describe.each([...flavors, byAdapter])('nest on $flavor', ({ create }) => {
  test('a controller answers with what its service returns, in the envelope of its interceptor', async () => {
    const { origin } = await serveNest(create);
    const response = await fetch(`${origin}/cats/1`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(await response.json()).toEqual({ data: { id: 1, name: 'Tom' } });
  });

  test('a guard refuses a request without its key', async () => {
    const { origin } = await serveNest(create);
    const response = await fetch(`${origin}/cats`, { method: 'POST' });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      statusCode: 403,
      error: 'Forbidden',
      message: 'Forbidden resource',
    });
  });

  test('a pipe changes the body', async () => {
    const { origin } = await serveNest(create);
    const body = JSON.stringify({ name: '  Garfield ' });
    const response = await fetch(`${origin}/cats`, { method: 'POST', headers: key, body });
    expect(response.status).toBe(201);
    expect(await response.json()).toEqual({ data: { id: 2, name: 'Garfield' } });
  });

  test('a pipe refuses the body', async () => {
    const { origin } = await serveNest(create);
    const body = JSON.stringify({ name: ' ' });
    const response = await fetch(`${origin}/cats`, { method: 'POST', headers: key, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ message: 'body has no name' });
  });

  test('a parameter that is no number is refused by its pipe', async () => {
    const { origin } = await serveNest(create);
    const response = await fetch(`${origin}/cats/first`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      message: 'Validation failed (numeric string is expected)',
    });
  });

  test('an exception filter answers through the reply', async () => {
    const { origin } = await serveNest(create);
    const response = await fetch(`${origin}/cats/9`);
    expect(response.status).toBe(404);
    expect(response.headers.get('x-filter')).toBe('cats');
    expect(await response.json()).toEqual({ missing: 'no cat 9' });
  });

  test('a status of its own has no content', async () => {
    const { origin } = await serveNest(create);
    const response = await fetch(`${origin}/cats/1`, { method: 'DELETE' });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });

  test('text, query, redirect and reply are what the controller says', async () => {
    const { origin } = await serveNest(create);
    expect(await (await fetch(`${origin}/?name=nest`)).text()).toBe('hello nest');
    const away = await fetch(`${origin}/away`, { redirect: 'manual' });
    expect([away.status, away.headers.get('location')]).toEqual([301, '/elsewhere']);
    const reply = await fetch(`${origin}/reply`);
    expect(JSON.parse(reply.headers.get('x-config')!)).toEqual({ url: '/reply', method: 'GET' });
    expect(await reply.json()).toEqual({ url: '/reply' });
  });

  test('a file is streamed with its headers', async () => {
    const { origin } = await serveNest(create);
    const response = await fetch(`${origin}/file`);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(response.headers.get('content-disposition')).toBe('attachment');
    expect(await response.text()).toBe('streamed');
    const head = await fetch(`${origin}/file`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('the config and the schema of a route reach the framework', async () => {
    const { origin } = await serveNest(create);
    expect(await (await fetch(`${origin}/config?n=2`)).json()).toEqual({ limit: 3, n: 2 });
    expect((await fetch(`${origin}/config?n=two`)).status).toBe(400);
  });

  test('a form body is parsed', async () => {
    const { origin } = await serveNest(create);
    const response = await fetch(`${origin}/form`, { method: 'POST', body: new URLSearchParams({ a: 'b' }) });
    expect(await response.json()).toEqual({ a: 'b' });
  });

  test.each([
    ['/missing', 404, 'nothing here'],
    ['/nowhere', 404, 'Cannot GET /nowhere'],
    ['/broken', 500, 'Internal server error'],
  ])('the error of %s is answered %i', async (path, status, message) => {
    const { origin } = await serveNest(create);
    const response = await fetch(origin + path);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ statusCode: status, message });
  });

  test('a middleware runs on its routes only', async () => {
    const { origin } = await serveNest(create);
    expect((await fetch(`${origin}/cats/1`)).headers.get('x-middleware')).toBe('ran');
    expect((await fetch(`${origin}/file`)).headers.get('x-middleware')).toBeNull();
  });

  test('an exception of a middleware is answered on the raw response', async () => {
    const { origin } = await serveNest(create);
    const response = await fetch(`${origin}/cats/1`, { headers: { 'x-foe': 'yes' } });
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    expect(await response.json()).toEqual({ statusCode: 400, error: 'Bad Request', message: 'no foes' });
  });

  test('a global prefix, CORS and plugins go through the adapter', async () => {
    const { nest, origin } = await serveNest(create, async (nest) => {
      nest.setGlobalPrefix('api');
      nest.enableCors({ origin: 'https://friend.example' });
      await nest.register(cookie as never);
    });
    const response = await fetch(`${origin}/api/cats/1`, { headers: { origin: 'https://friend.example' } });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://friend.example');
    expect(nest.getHttpAdapter().getInstance().hasPlugin('@fastify/cookie')).toBe(true);
  });

  test('requests are injected without a network', async () => {
    const { nest } = await serveNest(create);
    const response = await nest.inject({ method: 'GET', url: '/cats/1' });
    expect(JSON.parse(response.payload)).toEqual({ data: { id: 1, name: 'Tom' } });
  });

  test('what a plugin adds in a context of its own does not reach the controllers', async () => {
    const { origin } = await serveNest(create, (nest) => {
      nest
        .getHttpAdapter()
        .getInstance()
        .register(async (context: ReturnType<Flavor['create']>) => {
          await context.register(cookie);
          context.addHook('onRequest', async (_request, reply) => void reply.header('x-context', 'own'));
          context.get('/own', (request) => request.cookies);
        });
    });
    const own = await fetch(`${origin}/own`, { headers: { cookie: 'a=b' } });
    expect(await own.json()).toEqual({ a: 'b' });
    const controller = await fetch(`${origin}/cats/1`);
    expect(controller.headers.get('x-context')).toBeNull();
  });
});

/** Nest tells errors of the framework by the name `FastifyError`: an application on Nest runs on the facade. */
const namedAsInFastify = [...flavors.filter(({ flavor }) => flavor !== 'ambit'), byAdapter];

test.each(namedAsInFastify)(
  'on $flavor, a body that is no JSON is answered by the exception layer of Nest',
  async ({ create }) => {
    const { origin } = await serveNest(create);
    const response = await fetch(`${origin}/cats`, { method: 'POST', headers: key, body: '{' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ statusCode: 400, message: expect.stringContaining('JSON') });
  },
);
