/** Spec 5: authentication comes from a plugin, here the real `@fastify/bearer-auth`, and applies to its context only. */
import bearerAuth from '@fastify/bearer-auth';
import { ambit, type Context, hoist, type Request } from 'ambit';
import { beforeAll, describe, expect, test } from 'vitest';
import { servePort } from '../support/serve.ts';

type Decorated = Request & { answer?: number; foo?: string; bar?: string };

const visible = (request: Request): object => {
  const { answer, foo, bar } = request as Decorated;
  return { answer, foo, bar };
};

/** The application of the specification: one context with the bearer plugin, one without, and one inside that. */
function makeExample(): Context {
  const app = ambit();
  app.decorateRequest('answer', 42);
  app.get('/', (request) => visible(request));
  app.register(async function authenticatedContext(context) {
    context.get('/before', (request) => visible(request));
    context.register(bearerAuth, { keys: ['abc', 'another key'] });
    context.get('/one', (request) => visible(request));
    context.post('/one', (request) => request.body);
    context.register(async function inside(child) {
      child.get('/inside', (request) => visible(request));
    });
  });
  app.register(async function publicContext(context) {
    context.decorateRequest('foo', 'foo');
    context.get('/two', (request) => visible(request));
    context.register(async function grandchildContext(grandchild) {
      grandchild.decorateRequest('bar', 'bar');
      grandchild.get('/three', (request) => visible(request));
    });
  });
  return app;
}

async function get(
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: unknown }> {
  const port = await servePort(makeExample());
  const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
  return { status: response.status, body: await response.json() };
}

describe('a route in the context of the bearer plugin', () => {
  test('answers a request that carries an accepted key', async () => {
    expect(await get('/one', { authorization: 'Bearer abc' })).toEqual({ status: 200, body: { answer: 42 } });
  });

  test('accepts every string of `keys`', async () => {
    expect(await get('/one', { authorization: 'Bearer another key' })).toMatchObject({ status: 200 });
  });

  test('refuses a request without the header', async () => {
    expect(await get('/one')).toEqual({ status: 401, body: { error: 'missing authorization header' } });
  });

  for (const [what, header] of [
    ['a key that is not in `keys`', 'Bearer wrong'],
    ['the beginning of a key', 'Bearer ab'],
    ['a key with something after it', 'Bearer abcd'],
    ['an empty key', 'Bearer '],
    ['a key without the scheme', 'abc'],
    ['another scheme', 'Basic abc'],
  ] as const) {
    test(`refuses ${what}`, async () => {
      const { status } = await get('/one', { authorization: header });
      expect(status).toBe(401);
    });
  }

  test('does not run for a refused request', async () => {
    const app = ambit();
    let runs = 0;
    app.register(bearerAuth, { keys: ['abc'] });
    app.get('/', () => {
      runs++;
      return 'in';
    });
    const response = await app.inject('/');
    expect(response.statusCode).toBe(401);
    expect(runs).toBe(0);
  });

  test('refuses before the body is read', async () => {
    const app = ambit();
    app.register(bearerAuth, { keys: ['abc'] });
    app.post('/', (request) => request.body);
    const headers = { 'content-type': 'application/json' };
    const response = await app.inject({ method: 'POST', url: '/', headers, payload: '{not json' });
    expect(response.statusCode).toBe(401);
  });
});

describe('the scope of the bearer plugin', () => {
  test('covers the descendants of its context', async () => {
    expect(await get('/inside')).toMatchObject({ status: 401 });
    expect(await get('/inside', { authorization: 'Bearer abc' })).toEqual({
      status: 200,
      body: { answer: 42 },
    });
  });

  test('covers routes of its context that were declared before it', async () => {
    expect(await get('/before')).toMatchObject({ status: 401 });
  });

  test('leaves the parent open', async () => {
    expect(await get('/')).toEqual({ status: 200, body: { answer: 42 } });
  });

  test('leaves a sibling open', async () => {
    expect(await get('/two')).toEqual({ status: 200, body: { answer: 42, foo: 'foo' } });
  });

  test('leaves the descendants of a sibling open', async () => {
    expect(await get('/three')).toEqual({ status: 200, body: { answer: 42, foo: 'foo', bar: 'bar' } });
  });

  test('leaves a URL that is no route open: it is answered 404, not 401', async () => {
    expect(await get('/nowhere')).toMatchObject({ status: 404 });
  });

  test('covers the parent when the context around it is hoisted', async () => {
    const app = ambit();
    const authenticated = hoist(async (context) => {
      context.register(bearerAuth, { keys: ['abc'] });
    });
    app.register(authenticated);
    app.get('/', () => 'in');
    expect((await app.inject('/')).statusCode).toBe(401);
  });

  test('two contexts have keys of their own', async () => {
    const app = ambit();
    for (const [prefix, key] of [
      ['/a', 'key of a'],
      ['/b', 'key of b'],
    ] as const) {
      app.register(
        async (context) => {
          context.register(bearerAuth as never, { keys: [key] } as never);
          context.get('/', () => 'in');
        },
        { prefix },
      );
    }
    const ask = async (url: string, key: string) =>
      (await app.inject({ url, headers: { authorization: `Bearer ${key}` } })).statusCode;
    expect(await ask('/a', 'key of a')).toBe(200);
    expect(await ask('/a', 'key of b')).toBe(401);
    expect(await ask('/b', 'key of b')).toBe(200);
    expect(await ask('/b', 'key of a')).toBe(401);
  });
});

describe('without a plugin', () => {
  let app: Context;
  beforeAll(() => {
    app = ambit();
    app.get('/', () => 'open');
  });

  test('nothing is asked for', async () => {
    expect((await app.inject('/')).body).toBe('open');
  });

  test('an authorization header that comes anyway changes nothing', async () => {
    const response = await app.inject({ url: '/', headers: { authorization: 'Bearer wrong' } });
    expect(response.body).toBe('open');
  });
});

test('a bearer plugin whose keys are no list fails the boot', async () => {
  const app = ambit();
  app.register(bearerAuth as never, { keys: 'abc' } as never);
  await expect(app.ready()).rejects.toMatchObject({ code: 'FST_BEARER_AUTH_INVALID_KEYS_OPTION_TYPE' });
});
