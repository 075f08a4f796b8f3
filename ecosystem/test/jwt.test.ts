/** `@fastify/jwt`: tokens are signed and verified in the context that registers it; a wrapped plugin guards routes with it. */
import cookie from '@fastify/cookie';
import jwt from '@fastify/jwt';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

declare module 'fastify' {
  interface FastifyInstance {
    authenticate(request: FastifyRequest, reply: FastifyReply): Promise<void>;
  }
}

/** What the plugin's documentation calls `authenticate`, as an application would write it. */
async function authenticationPlugin(app: FastifyInstance): Promise<void> {
  await app.register(jwt, {
    secret: 'supersecret',
    cookie: { cookieName: 'token', signed: false },
    sign: { expiresIn: '10m' },
  });
  app.decorate('authenticate', async (request: FastifyRequest, reply: FastifyReply) => {
    await request.jwtVerify().catch((error: Error) => reply.send(error));
  });
}

function makeApp(create: Flavor['create']): FastifyInstance {
  const app = create();
  app.register(async (context) => {
    await context.register(cookie);
    await context.register(Object.assign(authenticationPlugin, { [Symbol.for('skip-override')]: true }));
    context.post('/login', async (_request, reply) => ({ token: await reply.jwtSign({ name: 'ada' }) }));
    context.post('/expired', () => ({
      token: context.jwt.sign({ name: 'ada', iat: 1_000_000, exp: 1_000_001 }),
    }));
    context.get('/me', { onRequest: [context.authenticate] }, (request) => request.user);
    context.get('/open', (request) => ({ user: request.user }));
  });
  app.get('/outside', (request) => ({
    jwtVerify: typeof request.jwtVerify,
    jwt: typeof app.jwt,
    authenticate: typeof app.authenticate,
  }));
  return app;
}

async function login(origin: string, path = '/login'): Promise<string> {
  const response = await fetch(origin + path, { method: 'POST' });
  return ((await response.json()) as { token: string }).token;
}

describe.each(flavors)('jwt on $flavor', ({ create }) => {
  test('a token that was signed opens the guarded route', async () => {
    const origin = await serve(makeApp(create));
    const headers = { authorization: `Bearer ${await login(origin)}` };
    const response = await fetch(`${origin}/me`, { headers });
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ name: 'ada', exp: expect.any(Number) });
  });

  test('so does one in a cookie', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/me`, { headers: { cookie: `token=${await login(origin)}` } });
    expect(await response.json()).toMatchObject({ name: 'ada' });
  });

  test('without a token the route is answered 401 with the code of the plugin', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/me`);
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({
      statusCode: 401,
      code: 'FST_JWT_NO_AUTHORIZATION_IN_COOKIE',
      error: 'Unauthorized',
      message: 'No Authorization was found in request.cookies',
    });
  });

  test('a token with a changed signature is refused', async () => {
    const origin = await serve(makeApp(create));
    const [head, claims] = (await login(origin)).split('.');
    const headers = { authorization: `Bearer ${head}.${claims}.${'A'.repeat(43)}` };
    const response = await fetch(`${origin}/me`, { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'FST_JWT_AUTHORIZATION_TOKEN_INVALID' });
  });

  test('an expired token is refused', async () => {
    const origin = await serve(makeApp(create));
    const headers = { authorization: `Bearer ${await login(origin, '/expired')}` };
    const response = await fetch(`${origin}/me`, { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'FST_JWT_AUTHORIZATION_TOKEN_EXPIRED' });
  });

  test('a route that does not ask for the user has none', async () => {
    const origin = await serve(makeApp(create));
    const headers = { authorization: `Bearer ${await login(origin)}` };
    expect(await (await fetch(`${origin}/open`, { headers })).json()).toEqual({ user: null });
  });

  test('outside the context nothing is decorated', async () => {
    const origin = await serve(makeApp(create));
    expect(await (await fetch(`${origin}/outside`)).json()).toEqual({
      jwtVerify: 'undefined',
      jwt: 'undefined',
      authenticate: 'undefined',
    });
  });
});
