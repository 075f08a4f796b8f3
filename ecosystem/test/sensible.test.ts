/** `@fastify/sensible`: HTTP errors, request and reply helpers, and a shared schema, in the context that registers it. */
import sensible from '@fastify/sensible';
import type { FastifyInstance } from 'fastify';
import { describe, expect, test } from 'vitest';
import { type Flavor, flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

function makeApp(create: Flavor['create']): FastifyInstance {
  const app = create();
  app.register(async (context) => {
    await context.register(sensible, { sharedSchemaId: 'HttpError' });
    context.get('/sent', (_request, reply) => {
      reply.notFound('no such note');
    });
    context.get('/thrown', async () => {
      throw context.httpErrors.imateapot();
    });
    context.get('/returned', async (_request, reply) => reply.getHttpError(409));
    context.get('/asserted', async () => context.assert(false, 402, 'asserted'));
    context.get('/created', async () => {
      throw context.httpErrors.createError(410, 'gone for good', { detail: 'moved' });
    });
    context.get(
      '/shared',
      { schema: { response: { 404: { $ref: 'HttpError' } } } },
      async (_request, reply) => reply.notFound('by schema'),
    );
    context.get('/cached', (_request, reply) => {
      reply.cacheControl('public').cacheControl('max-age', 42);
      reply.vary('Accept');
      reply.vary('Accept-Encoding');
      return 'cached';
    });
    context.post('/type', (request) => ({ json: request.is(['json']), forwarded: request.forwarded() }));
  });
  app.get('/outside', (request, reply) => ({
    notFound: typeof reply.notFound,
    is: typeof request.is,
    httpErrors: typeof app.httpErrors,
    schemas: Object.keys(app.getSchemas()),
  }));
  return app;
}

describe.each(flavors)('sensible on $flavor', ({ create }) => {
  test.each([
    ['/sent', 404, 'Not Found', 'no such note'],
    ['/thrown', 418, "I'm a Teapot", "I'm a Teapot"],
    ['/returned', 409, 'Conflict', 'Conflict'],
    ['/asserted', 402, 'Payment Required', 'asserted'],
    ['/created', 410, 'Gone', 'gone for good'],
  ])('the error of %s is answered as %i', async (path, statusCode, error, message) => {
    const origin = await serve(makeApp(create));
    const response = await fetch(origin + path);
    expect(response.status).toBe(statusCode);
    expect(await response.json()).toEqual({ statusCode, error, message });
  });

  test('routes refer to the shared schema of errors', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/shared`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ statusCode: 404, error: 'Not Found', message: 'by schema' });
  });

  test('cache-control and vary collect what is added', async () => {
    const origin = await serve(makeApp(create));
    const { headers } = await fetch(`${origin}/cached`);
    expect(headers.get('cache-control')).toBe('public, max-age=42');
    expect(headers.get('vary')).toBe('Accept, Accept-Encoding');
  });

  test('a request tells its media type and where it came from', async () => {
    const origin = await serve(makeApp(create));
    const response = await fetch(`${origin}/type`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(await response.json()).toEqual({ json: 'json', forwarded: ['127.0.0.1'] });
  });

  test('outside the context there are no helpers and no schema', async () => {
    const origin = await serve(makeApp(create));
    expect(await (await fetch(`${origin}/outside`)).json()).toEqual({
      notFound: 'undefined',
      is: 'undefined',
      httpErrors: 'undefined',
      schemas: [],
    });
  });
});
