/** `@fastify/cookie`: cookies are parsed, set and signed in the context that registers it. */
import cookie from '@fastify/cookie';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

function makeApp(create: Flavor['create']): FastifyInstance {
  const app = create();
  app.register(async (context) => {
    await context.register(cookie, { secret: 'my-secret', hook: 'onRequest', parseOptions: {} });
    context.get('/set', (_request, reply) => {
      reply
        .setCookie('foo', 'f o o', { domain: 'example.com', path: '/' })
        .cookie('baz', 'baz')
        .setCookie('signed', 'value', { path: '/', signed: true, httpOnly: true })
        .send({ hello: 'world' });
    });
    context.get('/clear', (_request, reply) => reply.clearCookie('foo', { path: '/' }).send());
    context.get('/read', (request) => request.cookies);
    context.get('/unsign', (request) => request.unsignCookie(request.cookies.signed!));
  });
  app.get('/outside', (request, reply) => ({
    cookies: typeof request.cookies,
    setCookie: typeof reply.setCookie,
    parseCookie: typeof app.parseCookie,
  }));
  return app;
}

describe.each(flavors)('cookie on $flavor', ({ create }) => {
  test('cookies of the request are parsed and decoded', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/read`, { headers: { cookie: 'foo=f%20o%20o; bar=b' } });
    expect(await response.json()).toEqual({ foo: 'f o o', bar: 'b' });
  });

  test('each cookie that is set is a header of its own', async () => {
    const origin = await serve(makeApp(create));
    const set = (await fetch(`${origin}/set`)).headers.getSetCookie();
    expect(set).toHaveLength(3);
    expect(set[0]).toBe('foo=f%20o%20o; Domain=example.com; Path=/; SameSite=Lax');
    expect(set[1]).toBe('baz=baz; SameSite=Lax');
    expect(set[2]).toMatch(/^signed=value\.[^;]+; Path=\/; HttpOnly; SameSite=Lax$/);
  });

  test('a cleared cookie is in the past', async () => {
    const origin = await serve(makeApp(create));
    const [cleared] = (await fetch(`${origin}/clear`)).headers.getSetCookie();
    expect(cleared).toMatch(/^foo=; .*Expires=Thu, 01 Jan 1970 00:00:00 GMT/);
  });

  test('a signed cookie is verified on its way back', async () => {
    const origin = await serve(makeApp(create));
    const signed = (await fetch(`${origin}/set`)).headers.getSetCookie()[2]!.split(';')[0]!;
    const honest = await fetch(`${origin}/unsign`, { headers: { cookie: signed } });
    expect(await honest.json()).toEqual({ valid: true, renew: false, value: 'value' });
    const forged = await fetch(`${origin}/unsign`, {
      headers: { cookie: signed.replace('value', 'other') },
    });
    expect(await forged.json()).toEqual({ valid: false, renew: false, value: null });
  });

  test('outside the context, nothing knows of cookies', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/outside`, { headers: { cookie: 'foo=foo' } });
    expect(await response.json()).toEqual({
      cookies: 'undefined',
      setCookie: 'undefined',
      parseCookie: 'undefined',
    });
  });
});
