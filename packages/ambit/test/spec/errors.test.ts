/** Spec 7: what is answered when something fails, by row of its table and by rule. */
import { ambit, type Context, type InjectOptions, type RouteDetails, type ValidatorCompiler } from 'ambit';
import { describe, expect, test } from 'vitest';
import { servePort } from '../support/serve.ts';

const withName = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };

/** A way to fail in each part of a request. */
const failures: {
  part: string;
  context: string;
  details: RouteDetails;
  request: InjectOptions;
}[] = [
  {
    part: 'body',
    context: 'body',
    details: { schema: { body: withName } },
    request: { method: 'POST', url: '/anything', payload: {} },
  },
  {
    part: 'querystring',
    context: 'query',
    details: { schema: { querystring: withName } },
    request: { method: 'POST', url: '/anything' },
  },
  {
    part: 'params',
    context: 'params',
    details: { schema: { params: withName } },
    request: { method: 'POST', url: '/anything' },
  },
  {
    part: 'headers',
    context: 'headers',
    details: { schema: { headers: withName } },
    request: { method: 'POST', url: '/anything' },
  },
];

function postRoute(app: Context, details: RouteDetails, handler: () => unknown = () => 'handled'): Context {
  return app.post('/:id/:name?', details, handler);
}

describe('a request that fails validation', () => {
  for (const { part, details, request } of failures) {
    test(`is answered 400 with statusCode, error and message (${part})`, async () => {
      const app = postRoute(ambit(), details);
      const response = await app.inject(request);
      expect(response.statusCode).toBe(400);
      expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(response.json()).toMatchObject({
        statusCode: 400,
        error: 'Bad Request',
        message: `${part} should have required property 'name'`,
      });
    });

    test(`every validation error has statusCode 400, validation and validationContext (${part})`, async () => {
      const app = ambit();
      const seen: unknown[] = [];
      app.setErrorHandler((error, _request, reply) => {
        seen.push(error);
        reply.send('seen');
      });
      postRoute(app, details);
      await app.inject(request);
      expect(seen).toHaveLength(1);
      expect(seen[0]).toBeInstanceOf(Error);
      expect(seen[0]).toMatchObject({
        statusCode: 400,
        validation: [{ keyword: 'required', params: { missingProperty: 'name' } }],
      });
    });
  }

  for (const { part, context, details, request } of failures) {
    test(`validationContext says ${context} for ${part}`, async () => {
      const app = ambit();
      app.setErrorHandler((error, _request, reply) => reply.send(error.validationContext));
      postRoute(app, details);
      expect((await app.inject(request)).body).toBe(context);
    });
  }

  test('answers the same over a socket', async () => {
    const app = postRoute(ambit(), { schema: { body: withName } });
    const port = await servePort(app);
    const response = await fetch(`http://127.0.0.1:${port}/anything`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      message: "body should have required property 'name'",
    });
  });

  test('the payload shows neither the problems nor a stack', async () => {
    const app = postRoute(ambit(), { schema: { body: withName } });
    const response = await app.inject({ method: 'POST', url: '/anything', payload: {} });
    expect(Object.keys(response.json()).sort()).toEqual(['code', 'error', 'message', 'statusCode']);
  });

  test('the message points at a property inside the part', async () => {
    const nested = { type: 'object', properties: { owner: withName } };
    const app = postRoute(ambit(), { schema: { body: nested } });
    const response = await app.inject({ method: 'POST', url: '/anything', payload: { owner: {} } });
    expect(response.json()).toMatchObject({ message: "body/owner should have required property 'name'" });
  });

  test('the handler does not run', async () => {
    let runs = 0;
    const app = postRoute(ambit(), { schema: { body: withName } }, () => ++runs);
    await app.inject({ method: 'POST', url: '/anything', payload: {} });
    expect(runs).toBe(0);
  });
});

describe('attachValidation', () => {
  const attached: RouteDetails = { schema: { body: withName }, attachValidation: true };

  test('gives the handler request.validationError, and the status is its choice', async () => {
    const app = ambit();
    app.post('/', attached, (request, reply) => {
      reply.code(418).send({ problem: request.validationError?.message });
    });
    const response = await app.inject({ method: 'POST', url: '/', payload: {} });
    expect(response.statusCode).toBe(418);
    expect(response.json()).toEqual({ problem: "body should have required property 'name'" });
  });

  test('reply.code(400).send(request.validationError) answers like the default', async () => {
    const app = ambit();
    app.post('/', attached, (request, reply) => {
      reply.code(400).send(request.validationError);
    });
    const response = await app.inject({ method: 'POST', url: '/', payload: {} });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      message: "body should have required property 'name'",
    });
  });

  test('leaves request.validationError unset when validation passes', async () => {
    const app = ambit();
    app.post('/', attached, (request) => ({ isUnset: request.validationError === undefined }));
    const response = await app.inject({ method: 'POST', url: '/', payload: { name: 'ada' } });
    expect(response.json()).toEqual({ isUnset: true });
  });
});

describe('a custom error handler', () => {
  test('may answer 422 to errors that carry validation', async () => {
    const app = ambit();
    app.setErrorHandler((error, _request, reply) => {
      reply.code(422).send({ invalid: error.validationContext });
    });
    postRoute(app, { schema: { body: withName } });
    const response = await app.inject({ method: 'POST', url: '/anything', payload: {} });
    expect(response.statusCode).toBe(422);
    expect(response.json()).toEqual({ invalid: 'body' });
  });

  test('receives the error, the request and the reply', async () => {
    const app = ambit();
    app.setErrorHandler((error, request, reply) => {
      reply.code(409).send({ error: error.message, url: request.url });
    });
    app.get('/broken', () => {
      throw new Error('it broke');
    });
    const response = await app.inject('/broken');
    expect(response.statusCode).toBe(409);
    expect(response.json()).toEqual({ error: 'it broke', url: '/broken' });
  });

  test('finds no validation on other errors', async () => {
    const app = ambit();
    app.setErrorHandler((error, _request, reply) =>
      reply.send({ isValidation: error.validation !== undefined }),
    );
    app.get('/broken', () => {
      throw new Error('it broke');
    });
    expect((await app.inject('/broken')).json()).toEqual({ isValidation: false });
  });

  test('does not run when nothing fails', async () => {
    const app = ambit();
    let runs = 0;
    app.setErrorHandler(() => ++runs);
    postRoute(app, { schema: { body: withName } });
    await app.inject({ method: 'POST', url: '/anything', payload: { name: 'ada' } });
    expect(runs).toBe(0);
  });

  test('does not see the failures of a sibling', async () => {
    const app = ambit();
    app.register(async (context) => {
      context.setErrorHandler((_error, _request, reply) => reply.send('mine'));
    });
    app.register(async (context) => {
      context.get('/broken', () => {
        throw new Error('it broke');
      });
    });
    const response = await app.inject('/broken');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ message: 'it broke' });
  });
});

describe('a custom validator compiler without a compiler for a part', () => {
  const compilers: Record<string, ValidatorCompiler> = { body: () => () => true };
  const compile: ValidatorCompiler = (request) => {
    const forPart = compilers[request.httpPart ?? ''];
    if (forPart === undefined) throw new Error(`Missing compiler for http part ${request.httpPart}`);
    return forPart(request);
  };

  test('fails the boot with an error whose text names the part', async () => {
    const app = ambit();
    app.setValidatorCompiler(compile);
    postRoute(app, { schema: { querystring: withName } });
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_SCH_VALIDATION_BUILD',
      message: expect.stringContaining('Missing compiler for http part querystring'),
    });
  });

  test('serves the parts that it has a compiler for', async () => {
    const app = ambit();
    app.setValidatorCompiler(compile);
    postRoute(app, { schema: { body: withName } });
    const response = await app.inject({ method: 'POST', url: '/anything', payload: {} });
    expect(response.body).toBe('handled');
  });
});

describe('the schema error formatter', () => {
  const details: RouteDetails = { schema: { body: withName } };
  const request: InjectOptions = { method: 'POST', url: '/anything', payload: {} };

  test('builds the message', async () => {
    const app = ambit({
      schemaErrorFormatter: (problems, part) => new Error(`${part}: ${problems[0]?.keyword}`),
    });
    postRoute(app, details);
    const response = await app.inject(request);
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ error: 'Bad Request', message: 'body: required' });
  });

  test('its errors carry statusCode, validation and validationContext too', async () => {
    const app = ambit();
    app.setSchemaErrorFormatter(() => new Error('mine'));
    app.setErrorHandler((error, _request, reply) => {
      const { statusCode, validation, validationContext } = error;
      reply.send({
        statusCode,
        keywords: (validation as { keyword: string }[]).map((one) => one.keyword),
        validationContext,
      });
    });
    postRoute(app, details);
    expect((await app.inject(request)).json()).toEqual({
      statusCode: 400,
      keywords: ['required'],
      validationContext: 'body',
    });
  });

  for (const [what, value] of [
    ['a string', 'text'],
    ['an object', { message: 'text' }],
    ['null', null],
    ['undefined', undefined],
    ['a promise', Promise.resolve(new Error('late'))],
  ] as const) {
    test(`must return an Error: ${what} is answered 500`, async () => {
      const app = ambit();
      app.setSchemaErrorFormatter(() => value as never);
      postRoute(app, details);
      const response = await app.inject(request);
      expect(response.statusCode).toBe(500);
      expect(response.json()).toMatchObject({ code: 'AMBIT_ERR_SCHEMA_ERROR_FORMATTER_RESULT' });
    });
  }
});

describe('not found', () => {
  test('a URL that is no route is answered 404 with method and URL', async () => {
    const app = ambit();
    const response = await app.inject({ method: 'PUT', url: '/nowhere?at=all' });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toEqual({
      statusCode: 404,
      error: 'Not Found',
      message: 'Route PUT:/nowhere?at=all not found',
    });
  });

  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
    test(`405 is never invented: ${method} on a GET route is answered 404`, async () => {
      const app = ambit();
      app.get('/only-get', () => 'got');
      const port = await servePort(app);
      const response = await fetch(`http://127.0.0.1:${port}/only-get`, { method });
      expect(response.status).toBe(404);
      expect(response.headers.get('allow')).toBeNull();
      expect(await response.json()).toMatchObject({ message: `Route ${method}:/only-get not found` });
    });
  }

  test('each prefix has its own not-found handler', async () => {
    const app = ambit();
    app.setNotFoundHandler((_request, reply) => reply.code(404).send('root'));
    app.register(
      async (context) => {
        context.setNotFoundHandler((_request, reply) => reply.code(404).send('v1'));
        context.register(
          async (child) => {
            child.setNotFoundHandler((_request, reply) => reply.code(404).send('v1 admin'));
          },
          { prefix: '/admin' },
        );
      },
      { prefix: '/v1' },
    );
    app.register(async () => {}, { prefix: '/v2' });
    const ask = async (url: string) => (await app.inject(url)).body;
    expect(await ask('/nowhere')).toBe('root');
    expect(await ask('/v1/nowhere')).toBe('v1');
    expect(await ask('/v1')).toBe('v1');
    expect(await ask('/v1/admin/nowhere')).toBe('v1 admin');
    expect(await ask('/v2/nowhere')).toBe('root');
    expect(await ask('/v11')).toBe('root');
  });

  test('a second not-found handler for one prefix is refused', () => {
    const app = ambit();
    app.setNotFoundHandler(() => 'one');
    expect(() => app.setNotFoundHandler(() => 'two')).toThrow(/Not found handler already set/);
  });

  test('reply.callNotFound answers with the handler of the prefix', async () => {
    const app = ambit();
    app.register(
      async (context) => {
        context.setNotFoundHandler((_request, reply) => reply.code(404).send('no such item'));
        context.get('/:id', (_request, reply) => reply.callNotFound());
      },
      { prefix: '/items' },
    );
    const response = await app.inject('/items/1');
    expect(response.statusCode).toBe(404);
    expect(response.body).toBe('no such item');
  });
});

describe('default payloads', () => {
  function failingWith(error: unknown): Context {
    const app = ambit();
    app.get('/', () => {
      throw error;
    });
    return app;
  }

  test('an error without a status is answered 500, with its message and no stack', async () => {
    const response = await failingWith(new Error('it broke')).inject('/');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({ statusCode: 500, error: 'Internal Server Error', message: 'it broke' });
    expect(response.body).not.toContain('.ts:');
  });

  test('what hangs on an error stays on the server', async () => {
    const error = Object.assign(new Error('it broke', { cause: new Error('the secret') }), {
      query: 'SELECT secret',
    });
    const response = await failingWith(error).inject('/');
    expect(response.body).not.toContain('secret');
  });

  test('the code of an error is told', async () => {
    const response = await failingWith(Object.assign(new Error('it broke'), { code: 'E_BROKEN' })).inject(
      '/',
    );
    expect(response.json()).toEqual({
      statusCode: 500,
      code: 'E_BROKEN',
      error: 'Internal Server Error',
      message: 'it broke',
    });
  });

  for (const [statusCode, answered] of [
    [399, 500],
    [400, 400],
    [404, 404],
    [503, 503],
    [599, 599],
    [600, 500],
    ['text', 500],
  ] as const) {
    test(`an error with statusCode ${statusCode} is answered ${answered}`, async () => {
      const response = await failingWith(Object.assign(new Error('it broke'), { statusCode })).inject('/');
      expect(response.statusCode).toBe(answered);
      expect(response.json()).toMatchObject({ statusCode: answered });
    });
  }

  test('the status set on the reply counts where the error has none', async () => {
    const app = ambit();
    app.get('/', (_request, reply) => {
      reply.code(409);
      throw new Error('conflict');
    });
    const response = await app.inject('/');
    expect(response.statusCode).toBe(409);
    expect(response.json()).toMatchObject({ error: 'Conflict' });
  });

  test('a body that is no JSON is answered 400', async () => {
    const app = postRoute(ambit(), {});
    const headers = { 'content-type': 'application/json' };
    const response = await app.inject({ method: 'POST', url: '/anything', headers, payload: '{"open' });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      statusCode: 400,
      error: 'Bad Request',
      code: 'FST_ERR_CTP_INVALID_JSON_BODY',
    });
  });

  test('a body of a type that nobody parses is answered 415', async () => {
    const app = postRoute(ambit(), {});
    const headers = { 'content-type': 'image/png' };
    const response = await app.inject({ method: 'POST', url: '/anything', headers, payload: 'png' });
    expect(response.statusCode).toBe(415);
    expect(response.json()).toMatchObject({ statusCode: 415, error: 'Unsupported Media Type' });
  });

  test('a URL that cannot be decoded is answered 400', async () => {
    const app = ambit();
    app.get('/:id', () => 'got');
    const response = await app.inject('/%E0%A4%A');
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ statusCode: 400, error: 'Bad Request', code: 'FST_ERR_BAD_URL' });
  });

  test('a response that its schema cannot take is answered 500', async () => {
    const app = ambit();
    const response = {
      200: { type: 'object', properties: { when: { type: 'string' } }, required: ['when'] },
    };
    app.get('/', { schema: { response } }, () => ({}));
    const answer = await app.inject('/');
    expect(answer.statusCode).toBe(500);
    expect(answer.json()).toMatchObject({ statusCode: 500, error: 'Internal Server Error' });
  });
});
