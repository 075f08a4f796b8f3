/** `@fastify/cors`: cross-origin headers and preflight answers, for the routes of the context that registers it. */
import cors from '@fastify/cors';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

const friend = { origin: 'https://friend.example' };
const preflight = { ...friend, 'access-control-request-method': 'PUT' };

function makeApp(create: Flavor['create']): FastifyInstance {
  const app = create();
  app.register(
    async (context) => {
      await context.register(cors, {
        origin: [/\.friend\.example$/, 'https://friend.example'],
        methods: ['GET', 'PUT'],
        credentials: true,
        maxAge: 600,
      });
      context.get('/', () => ({ hello: 'world' }));
      context.get('/closed', { config: { cors: { origin: false } } }, () => 'closed');
    },
    { prefix: '/inside' },
  );
  app.get('/outside', () => 'outside');
  return app;
}

describe.each(flavors)('cors on $flavor', ({ create }) => {
  test('an allowed origin is named in the answer', async () => {
    const origin = await serve(makeApp(create));
    const { status, headers } = await fetch(`${origin}/inside`, { headers: friend });
    expect(status).toBe(200);
    expect(headers.get('access-control-allow-origin')).toBe('https://friend.example');
    expect(headers.get('access-control-allow-credentials')).toBe('true');
    expect(headers.get('vary')).toBe('Origin');
  });

  test('another origin is not', async () => {
    const origin = await serve(makeApp(create));
    const { headers } = await fetch(`${origin}/inside`, { headers: { origin: 'https://foe.example' } });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('a preflight request is answered for routes that do not declare OPTIONS', async () => {
    const origin = await serve(makeApp(create));
    const { status, headers } = await fetch(`${origin}/inside/any`, {
      method: 'OPTIONS',
      headers: preflight,
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-methods')).toBe('GET, PUT');
    expect(headers.get('access-control-max-age')).toBe('600');
  });

  test('an OPTIONS request that is no preflight is refused', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/inside/any`, { method: 'OPTIONS' });
    expect(response.status).toBe(400);
    expect(await response.text()).toBe('Invalid Preflight Request');
  });

  test('a route turns it off in its config', async () => {
    const origin = await serve(makeApp(create));
    const { headers } = await fetch(`${origin}/inside/closed`, { headers: friend });
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  test('outside the context there are no headers and no preflight answers', async () => {
    const origin = await serve(makeApp(create));
    const { headers } = await fetch(`${origin}/outside`, { headers: friend });
    expect(headers.get('access-control-allow-origin')).toBeNull();
    const { status } = await fetch(`${origin}/outside`, { method: 'OPTIONS', headers: preflight });
    expect(status).toBe(404);
  });

  test('on the root it covers answers of the not-found handler too', async () => {
    const app = create();
    await app.register(cors);
    const origin = await serve(app);
    const { status, headers } = await fetch(`${origin}/nowhere`, { headers: friend });
    expect(status).toBe(404);
    expect(headers.get('access-control-allow-origin')).toBe('*');
  });
});
