/** `@fastify/bearer-auth`: a bearer token is asked for in the context that registers it, and nowhere else. */
import bearerAuth from '@fastify/bearer-auth';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

function makeApp(create: Flavor['create']): FastifyInstance {
  const app = create();
  app.register(async (guarded) => {
    await guarded.register(bearerAuth, { keys: new Set(['a-super-secret-key']) });
    guarded.get('/inside', () => ({ hello: 'inside' }));
    guarded.register(async (child) => {
      child.get('/inside/child', () => ({ hello: 'child' }));
    });
  });
  app.get('/outside', () => ({ hello: 'outside' }));
  return app;
}

describe.each(flavors)('bearer-auth on $flavor', ({ create }) => {
  test.each([
    ['no token', {}, 'missing authorization header'],
    ['another scheme', { authorization: 'Basic YTpi' }, 'invalid authorization header'],
    ['a wrong key', { authorization: 'Bearer a-super-secret-kez' }, 'invalid authorization header'],
  ])('a request with %s is answered 401', async (_given, headers, error) => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/inside`, { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error });
  });

  test.each(['/inside', '/inside/child'])('a request with the key reaches %s', async (path) => {
    const origin = await serve(makeApp(create));
    const response = await fetch(origin + path, { headers: { authorization: 'Bearer a-super-secret-key' } });
    expect(response.status).toBe(200);
  });

  test('a child of the context is guarded too', async () => {
    const origin = await serve(makeApp(create));
    expect((await fetch(`${origin}/inside/child`)).status).toBe(401);
  });

  test('a route outside the context asks for no token', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/outside`);
    expect(await response.json()).toEqual({ hello: 'outside' });
  });

  test('without the hook, the verification is a decorator to be used as one', async () => {
    const app = create();
    await app.register(bearerAuth, { addHook: false, keys: new Set(['key']) });
    app.get('/guarded', { onRequest: app.verifyBearerAuth! }, () => 'guarded');
    app.get('/open', () => 'open');
    const origin = await serve(app);
    expect((await fetch(`${origin}/guarded`)).status).toBe(401);
    expect((await fetch(`${origin}/open`)).status).toBe(200);
  });
});
