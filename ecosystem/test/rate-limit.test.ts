/** `@fastify/rate-limit`: requests are counted in the context that registers it, and each route may set its own limit. */
import rateLimit from '@fastify/rate-limit';
import { ambit } from 'ambit';
import { type FastifyInstance, fastify } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

function makeApp(create: Flavor['create']): FastifyInstance {
  const app = create();
  app.register(
    async (context) => {
      await context.register(rateLimit, { max: 2, timeWindow: '1 minute' });
      context.get('/', () => ({ hello: 'world' }));
      context.get('/own', { config: { rateLimit: { max: 1, timeWindow: 60_000 } } }, () => 'own');
      context.get('/free', { config: { rateLimit: false } }, () => 'free');
      context.setNotFoundHandler({ preHandler: context.rateLimit({ max: 1 }) }, (_request, reply) => {
        reply.code(404).send('guessed wrong');
      });
    },
    { prefix: '/inside' },
  );
  app.get('/outside', () => 'outside');
  return app;
}

/** The statuses of so many requests, one after another. */
async function ask(url: string, times: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) statuses.push((await fetch(url)).status);
  return statuses;
}

describe.each(flavors)('rate-limit on $flavor', ({ create }) => {
  test('the request after the limit is answered 429', async () => {
    const origin = await serve(makeApp(create));
    expect(await ask(`${origin}/inside`, 3)).toEqual([200, 200, 429]);
    const response = await fetch(`${origin}/inside`);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(await response.json()).toEqual({
      statusCode: 429,
      error: 'Too Many Requests',
      message: 'Rate limit exceeded, retry in 1 minute',
    });
  });

  test('the answers say how much is left', async () => {
    const origin = await serve(makeApp(create));
    const { headers } = await fetch(`${origin}/inside`);
    expect(headers.get('x-ratelimit-limit')).toBe('2');
    expect(headers.get('x-ratelimit-remaining')).toBe('1');
    expect(headers.get('x-ratelimit-reset')).toBe('60');
  });

  test('a route has its own limit, or none', async () => {
    const origin = await serve(makeApp(create));
    expect(await ask(`${origin}/inside/own`, 2)).toEqual([200, 429]);
    expect(await ask(`${origin}/inside/free`, 4)).toEqual([200, 200, 200, 200]);
  });

  test('the not-found handler is limited by a hook of its own', async () => {
    const origin = await serve(makeApp(create));
    expect(await ask(`${origin}/inside/nowhere`, 2)).toEqual([404, 429]);
  });

  test('outside the context nothing is counted', async () => {
    const origin = await serve(makeApp(create));
    expect(await ask(`${origin}/outside`, 4)).toEqual([200, 200, 200, 200]);
    const { headers } = await fetch(`${origin}/outside`);
    expect(headers.get('x-ratelimit-limit')).toBeNull();
  });

  test('an error handler words the answer', async () => {
    const app = create();
    app.setErrorHandler((error: Error & { statusCode?: number }, _request, reply) => {
      reply.code(error.statusCode ?? 500).send({ slow: 'down' });
    });
    await app.register(rateLimit, { max: 1 });
    app.get('/', () => 'fine');
    const origin = await serve(app);
    expect(await ask(origin, 1)).toEqual([200]);
    const response = await fetch(origin);
    expect(response.status).toBe(429);
    expect(await response.json()).toEqual({ slow: 'down' });
  });
});

test('on ambit a chain may go on with the routes: they are limited', async () => {
  const app = ambit()
    .register(rateLimit as unknown as (context: unknown, options: { max: number }) => void, { max: 1 })
    .get('/', () => 'fine')
    .get('/free', { config: { rateLimit: false } }, () => 'free');
  const origin = await serve(app as never);
  expect(await ask(origin, 2)).toEqual([200, 429]);
  expect(await ask(`${origin}/free`, 2)).toEqual([200, 200]);
});

test('on the facade, as in Fastify, routes are limited that are declared once the plugin has loaded', async () => {
  const app = fastify();
  app.register(rateLimit, { max: 1 });
  app.get('/at-once', () => 'fine');
  app.after(() => app.get('/after', () => 'fine'));
  const origin = await serve(app);
  expect(await ask(`${origin}/at-once`, 2)).toEqual([200, 200]);
  expect(await ask(`${origin}/after`, 2)).toEqual([200, 429]);
});
