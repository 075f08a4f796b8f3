/** A 404 in development names the routes that the request was probably meant for. */
import { request as sendRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify } from '@ambit/fastify';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { afterEach, describe, expect, test, vi } from 'vitest';

const open: Context[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  await Promise.all(open.splice(0).map((app) => app.close()));
});

const handler = (): string => 'ok';

function addRoutes(app: Context): Context {
  open.push(app);
  app.post('/notes', handler);
  app.get('/notes/:id', handler);
  app.get('/files/*', handler);
  app.get('/secret', { schema: { hide: true } as never, handler });
  app.options('*', handler);
  app.register(async (context) => void context.get('/users', handler), { prefix: '/v1' });
  app.get('/gone/:id', (_request, reply) => reply.callNotFound());
  return app;
}

function start(environment: string | undefined, options: AmbitOptions = {}): Context {
  vi.stubEnv('NODE_ENV', environment);
  return addRoutes(ambit(options));
}

async function send(app: Context, method: string, path: string, headers: Record<string, string> = {}) {
  if (!app.server.listening) await app.listen();
  const { port } = app.server.address() as AddressInfo;
  return new Promise<{ status: number; type: string; body: Record<string, unknown> }>((resolve, reject) => {
    const sent = sendRequest({ port, host: '127.0.0.1', method, path, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      response.on('end', () => {
        const type = String(response.headers['content-type']);
        resolve({ status: response.statusCode!, type, body: JSON.parse(text) });
      });
    });
    sent.on('error', reject).end();
  });
}

describe('in development', () => {
  test.each([
    ['GET', '/notes', ['POST /notes']],
    ['GET', '/nots/7?full=1', ['GET /notes/:id']],
    ['PUT', '/notes/7', ['GET /notes/:id', 'POST /notes']],
    ['GET', '/users', ['GET /v1/users']],
    ['DELETE', '/files/a/b.txt', ['GET /files/*']],
  ])('%s %s is near to %j', async (method, path, didYouMean) => {
    const { status, body } = await send(start('development'), method, path);
    expect(status).toBe(404);
    expect(body).toEqual({
      message: `Route ${method}:${path} not found`,
      error: 'Not Found',
      statusCode: 404,
      didYouMean,
    });
  });

  test('at most three routes are named', async () => {
    const app = start('development');
    for (const name of ['aa', 'ab', 'ac', 'ad', 'ae']) app.get(`/some/${name}`, handler);
    expect((await send(app, 'GET', '/some/ax')).body.didYouMean).toHaveLength(3);
  });

  test('without NODE_ENV, and as problem details', async () => {
    const { type, body } = await send(start(undefined, { errors: 'problem' }), 'GET', '/note');
    expect(type).toBe('application/problem+json; charset=utf-8');
    expect(body).toMatchObject({ status: 404, detail: 'Route GET:/note not found' });
    expect(body.didYouMean).toEqual(['POST /notes']);
  });

  test.each([
    ['/completely/different', 'nothing is near'],
    ['/secrets', 'the route is hidden'],
    ['/gone/7', 'the route itself has answered that there is nothing'],
    ['/', 'the path is empty'],
  ])('%s: nothing is added, because %s', async (path) => {
    const { body } = await send(start('development'), 'GET', path);
    expect(Object.keys(body)).toEqual(['message', 'error', 'statusCode']);
  });

  test.each([
    ['x-forwarded-for', '127.0.0.1'],
    ['forwarded', 'for=127.0.0.1'],
    ['host', 'attacker.example'],
  ])('a request with %s: %s learns of no routes', async (name, value) => {
    const { body } = await send(start('development'), 'GET', '/nots/7', { [name]: value });
    expect(body).not.toHaveProperty('didYouMean');
  });

  test('a client on another machine learns of no routes', async () => {
    const app = start('development');
    const reply = await app.inject({ url: '/nots/7', remoteAddress: '192.0.2.7' });
    expect(reply.json()).not.toHaveProperty('didYouMean');
    expect((await app.inject('/nots/7')).json()).toHaveProperty('didYouMean');
  });

  test('the facade replies as Fastify does', async () => {
    vi.stubEnv('NODE_ENV', 'development');
    const { body } = await send(addRoutes(fastify() as never), 'GET', '/nots/7');
    expect(body).not.toHaveProperty('didYouMean');
  });
});

test.each(['production', 'test'])('with NODE_ENV=%s, no routes are named', async (environment) => {
  const { body } = await send(start(environment), 'GET', '/nots/7');
  expect(body).toEqual({ message: 'Route GET:/nots/7 not found', error: 'Not Found', statusCode: 404 });
});
