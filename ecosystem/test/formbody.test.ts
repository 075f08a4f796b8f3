/** `@fastify/formbody`: form bodies are parsed in the context that registers it, and refused elsewhere. */
import formbody from '@fastify/formbody';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

const person = {
  type: 'object',
  required: ['name', 'age'],
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
};

function makeApp(create: Flavor['create']): FastifyInstance {
  const app = create();
  app.register(async (context) => {
    await context.register(formbody, { bodyLimit: 16 });
    context.post('/inside', (request) => request.body as object);
    context.post(
      '/person',
      { schema: { body: { content: { 'application/x-www-form-urlencoded': { schema: person } } } } },
      (request) => request.body as object,
    );
  });
  app.post('/outside', (request) => request.body as object);
  return app;
}

function post(url: string, body: string): Promise<Response> {
  return fetch(url, { method: 'POST', headers: form, body });
}

describe.each(flavors)('formbody on $flavor', ({ create }) => {
  test('a form body is parsed, repeated names as lists', async () => {
    const origin = await serve(makeApp(create));
    const response = await post(`${origin}/inside`, 'a=1&a=2&b=x+y');
    expect(await response.json()).toEqual({ a: ['1', '2'], b: 'x y' });
  });

  test.each([
    [16, 200],
    [17, 413],
  ])('a form body of %i bytes under its limit of 16 bytes answers %i', async (bytes, status) => {
    const origin = await serve(makeApp(create));
    expect((await post(`${origin}/inside`, `a=${'x'.repeat(bytes - 2)}`)).status).toBe(status);
  });

  test('a schema for the media type validates and coerces the form', async () => {
    const origin = await serve(makeApp(create));
    const good = await post(`${origin}/person`, 'name=Ada&age=36');
    expect(await good.json()).toEqual({ name: 'Ada', age: 36 });
    const bad = await post(`${origin}/person`, 'name=Ada');
    expect(bad.status).toBe(400);
    expect(await bad.json()).toMatchObject({ code: 'FST_ERR_VALIDATION' });
  });

  test('outside the context a form body is answered 415', async () => {
    const origin = await serve(makeApp(create));
    const response = await post(`${origin}/outside`, 'a=1');
    expect(response.status).toBe(415);
    expect(await response.json()).toMatchObject({ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE' });
  });
});
