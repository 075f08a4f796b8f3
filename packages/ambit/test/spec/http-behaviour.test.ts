/** Spec 4.5: what routes answer over HTTP, in the encapsulation model and with a schema. */
import bearerAuth from '@fastify/bearer-auth';
import { ambit, type Context, type Request } from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import { serve } from '../support/serve.ts';

type Decorated = Request & { answer?: number; foo?: string; bar?: string };

const answerAll = async (request: Request) => {
  const { answer, foo, bar } = request as Decorated;
  return { answer, foo, bar };
};

/** The application of the specification's example: a root, an authenticated child, a public child and its grandchild. */
function makeApplication(): Context {
  const app = ambit();
  app.decorateRequest('answer', 42);
  app.get('/root', answerAll);
  app.register(async (authenticated) => {
    authenticated.register(bearerAuth as never, { keys: new Set(['abc123']) });
    authenticated.register(async (deeper) => {
      deeper.get('/deeper', answerAll);
    });
    authenticated.get('/private', answerAll);
  });
  app.register(async (open) => {
    open.decorateRequest('foo', 'foo');
    open.get('/public', answerAll);
    open.register(async (grandchild) => {
      grandchild.decorateRequest('bar', 'bar');
      grandchild.get('/grandchild', answerAll);
    });
  });
  return app;
}

const bearer = { authorization: 'Bearer abc123' };

describe('routes in the encapsulation model', () => {
  const routes = [
    ['/root', {}, { answer: 42 }],
    ['/private', bearer, { answer: 42 }],
    ['/deeper', bearer, { answer: 42 }],
    ['/public', {}, { answer: 42, foo: 'foo' }],
    ['/grandchild', {}, { answer: 42, foo: 'foo', bar: 'bar' }],
  ] as const;

  for (const [path, headers, body] of routes) {
    test(`GET ${path} answers a JSON object of the decorators visible there`, async () => {
      const response = await fetch((await serve(makeApplication())) + path, { headers });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await response.json()).toEqual(body);
    });
  }

  test('a decorator that is not visible reads undefined and its key is left out', async () => {
    const response = await fetch(`${await serve(makeApplication())}/public`);
    expect(await response.text()).toBe('{"answer":42,"foo":"foo"}');
  });

  test('other methods than the declared one find no route', async () => {
    const response = await fetch(`${await serve(makeApplication())}/public`, { method: 'POST' });
    expect(response.status).toBe(404);
  });

  for (const path of ['/private', '/deeper']) {
    for (const headers of [{}, { authorization: 'Bearer wrong' }, { authorization: 'Basic abc123' }]) {
      test(`GET ${path} behind the bearer plugin refuses ${JSON.stringify(headers)}`, async () => {
        const response = await fetch((await serve(makeApplication())) + path, { headers });
        expect(response.status).toBe(401);
        expect(await response.json()).not.toHaveProperty('answer');
      });
    }
  }

  test('routes outside of the bearer plugin’s context need no header', async () => {
    const origin = await serve(makeApplication());
    const statuses = await Promise.all(
      ['/root', '/public', '/grandchild'].map((path) => fetch(origin + path)),
    );
    expect(statuses.map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});

describe('routes with a schema', () => {
  const schema = {
    body: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    response: { 200: { type: 'object', properties: { greeting: { type: 'string' } } } },
  };
  const post = (origin: string, body: unknown) =>
    fetch(origin, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('a request is validated before the handler runs', async () => {
    const handler = vi.fn(() => ({ greeting: 'never' }));
    const app = ambit();
    app.post('/', { schema }, handler);
    const response = await post(await serve(app), { nickname: 'Ada' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      statusCode: 400,
      code: 'FST_ERR_VALIDATION',
      error: 'Bad Request',
      message: "body should have required property 'name'",
    });
    expect(handler).not.toHaveBeenCalled();
  });

  test('a request that passes reaches the handler, and the response is serialized by schema.response', async () => {
    const app = ambit();
    app.post('/', { schema }, (request) => ({
      greeting: `Hello ${(request.body as { name: string }).name}`,
      secret: 'kept',
    }));
    const response = await post(await serve(app), { name: 'Ada' });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe('{"greeting":"Hello Ada"}');
  });

  test('without schema.response the response is plain JSON', async () => {
    const app = ambit();
    app.post('/', { schema: { body: schema.body } }, () => ({ greeting: 'Hello', extra: true }));
    expect(await (await post(await serve(app), { name: 'Ada' })).json()).toEqual({
      greeting: 'Hello',
      extra: true,
    });
  });

  test('validation runs after preValidation hooks and before preHandler hooks', async () => {
    const order: string[] = [];
    const app = ambit();
    app.post('/', {
      schema,
      preValidation: async (request) => {
        order.push('preValidation');
        request.body = { name: 'from the hook' };
      },
      preHandler: async () => void order.push('preHandler'),
      handler: (request) => ({ greeting: (request.body as { name: string }).name }),
    });
    const response = await post(await serve(app), {});
    expect(await response.json()).toEqual({ greeting: 'from the hook' });
    expect(order).toEqual(['preValidation', 'preHandler']);
  });

  test('when validation fails, preHandler hooks do not run', async () => {
    const preHandler = vi.fn(async () => {});
    const app = ambit();
    app.post('/', { schema, preHandler }, () => ({}));
    await post(await serve(app), {});
    expect(preHandler).not.toHaveBeenCalled();
  });
});
