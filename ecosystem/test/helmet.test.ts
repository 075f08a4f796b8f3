/** `@fastify/helmet`: security headers on the routes of the context that registers it, as each route wants them. */
import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

function makeApp(create: Flavor['create']): FastifyInstance {
  const app = create();
  app.register(async (context) => {
    await context.register(helmet, { enableCSPNonces: true });
    context.get('/inside', () => ({ hello: 'world' }));
    context.get('/nonce', (_request, reply) => reply.cspNonce);
    context.get('/error', () => {
      throw new Error('broken');
    });
    context.get('/disabled', { helmet: false }, () => 'disabled');
    context.get(
      '/own',
      { helmet: { frameguard: { action: 'deny' }, referrerPolicy: false, enableCSPNonces: false } },
      () => 'own',
    );
  });
  app.register(async (context) => {
    await context.register(helmet, { global: false });
    context.get('/on-demand', async (_request, reply) => {
      await reply.helmet({ frameguard: false });
      return 'on demand';
    });
  });
  app.get('/outside', (_request, reply) => typeof reply.helmet);
  return app;
}

describe.each(flavors)('helmet on $flavor', ({ create }) => {
  test.each(['/inside', '/error'])('the headers are on the answer of %s', async (path) => {
    const origin = await serve(makeApp(create));
    const { headers } = await fetch(origin + path);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
    expect(headers.get('strict-transport-security')).toContain('max-age=');
  });

  test('a route reads the nonces that are in its policy', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/nonce`);
    const nonces = (await response.json()) as { script: string; style: string };
    const policy = response.headers.get('content-security-policy');
    expect(policy).toContain(`'nonce-${nonces.script}'`);
    expect(policy).toContain(`'nonce-${nonces.style}'`);
  });

  test('a route turns the headers off', async () => {
    const origin = await serve(makeApp(create));
    const { headers } = await fetch(`${origin}/disabled`);
    expect(headers.get('x-frame-options')).toBeNull();
  });

  test('a route has its own', async () => {
    const origin = await serve(makeApp(create));
    const { headers } = await fetch(`${origin}/own`);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('referrer-policy')).toBeNull();
  });

  test('a handler applies them on demand', async () => {
    const origin = await serve(makeApp(create));
    const { headers } = await fetch(`${origin}/on-demand`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('x-frame-options')).toBeNull();
  });

  test('outside the context there are no headers and no decorator', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/outside`);
    expect(response.headers.get('x-content-type-options')).toBeNull();
    expect(await response.text()).toBe('undefined');
  });
});
