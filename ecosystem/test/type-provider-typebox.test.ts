/** `@fastify/type-provider-typebox`: TypeBox schemas type handlers, and its compiler validates in the context that sets it. */
import {
  type FastifyPluginAsyncTypebox,
  Type,
  type TypeBoxTypeProvider,
  TypeBoxValidatorCompiler,
} from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

const Point = Type.Object({ x: Type.Number(), label: Type.String({ minLength: 2 }) });
const Page = Type.Object({ limit: Type.Integer({ default: 10 }) });

/** A plugin as the documentation writes it: its routes are typed without `withTypeProvider`. */
const shapes: FastifyPluginAsyncTypebox = async (context) => {
  context.post('/shape', { schema: { body: Point } }, (request) => {
    expectTypeOf(request.body).toEqualTypeOf<{ x: number; label: string }>();
    return { double: request.body.x * 2 };
  });
};

function makeApp(create: Flavor['create']): FastifyInstance {
  const app = create();
  app.register(async (context) => {
    const typed = context
      .setValidatorCompiler(TypeBoxValidatorCompiler)
      .withTypeProvider<TypeBoxTypeProvider>();
    typed.post('/inside', { schema: { body: Point, response: { 200: Point } } }, (request) => ({
      ...request.body,
      hidden: true,
    }));
    typed.get('/page', { schema: { querystring: Page } }, (request) => {
      expectTypeOf(request.query.limit).toBeNumber();
      return { limit: request.query.limit };
    });
  });
  app.register(shapes);
  app.post('/outside', { schema: { body: Point } }, (request) => request.body as object);
  return app;
}

function post(url: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

describe.each(flavors)('type-provider-typebox on $flavor', ({ create }) => {
  test('a body that fits its schema is taken, and the answer is what its schema says', async () => {
    const origin = await serve(makeApp(create));
    const response = await post(`${origin}/inside`, { x: 1, label: 'ab' });
    expect(await response.json()).toEqual({ x: 1, label: 'ab' });
  });

  test('the compiler of TypeBox does not coerce bodies', async () => {
    const origin = await serve(makeApp(create));
    const response = await post(`${origin}/inside`, { x: '1', label: 'ab' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ code: 'FST_ERR_VALIDATION' });
  });

  test('it converts query strings', async () => {
    const origin = await serve(makeApp(create));
    expect(await (await fetch(`${origin}/page?limit=5`)).json()).toEqual({ limit: 5 });
    expect((await fetch(`${origin}/page?limit=many`)).status).toBe(400);
  });

  test('its schemas are plain JSON Schema to the default compiler', async () => {
    const origin = await serve(makeApp(create));
    expect(await (await post(`${origin}/shape`, { x: 21, label: 'ab' })).json()).toEqual({ double: 42 });
    expect((await post(`${origin}/shape`, { x: 21, label: 'a' })).status).toBe(400);
  });

  test('outside the context the default compiler coerces as it always does', async () => {
    const origin = await serve(makeApp(create));
    const response = await post(`${origin}/outside`, { x: '1', label: 'ab' });
    expect(await response.json()).toEqual({ x: 1, label: 'ab' });
  });
});
