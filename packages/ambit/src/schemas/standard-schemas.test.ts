/** Schemas of zod, valibot and arktype instead of JSON Schemas, for requests and for responses. */

import { ambit } from 'ambit';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { serve } from '../../test/support/serve.ts';

/** The same schema in each library: a name that is trimmed, and a count with a default. */
const notes = {
  zod: z.object({ name: z.string().trim().min(2), count: z.number().default(1) }),
  valibot: v.object({
    name: v.pipe(v.string(), v.trim(), v.minLength(2)),
    count: v.optional(v.number(), 1),
  }),
  arktype: type({ name: 'string.trim', count: 'number = 1', '+': 'delete' }).narrow(
    ({ name }, problem) => name.length >= 2 || problem.reject({ path: ['name'], expected: 'longer' }),
  ),
};

interface Answer {
  status: number;
  json: { message?: string; validation?: unknown };
}

async function post(origin: string, payload?: unknown): Promise<Answer> {
  const response = await fetch(origin, {
    method: 'POST',
    ...(payload !== undefined && {
      body: JSON.stringify(payload),
      headers: { 'content-type': 'application/json' },
    }),
  });
  return { status: response.status, json: (await response.json()) as Answer['json'] };
}

for (const [library, schema] of Object.entries(notes)) {
  describe(library, () => {
    test('hands the handler what the schema makes of the body', async () => {
      const app = ambit();
      app.post('/', { schema: { body: schema } }, (request) => request.body);
      expect(await post(await serve(app), { name: ' ada ', extra: true })).toEqual({
        status: 200,
        json: { name: 'ada', count: 1 },
      });
    });

    test('answers 400 with the fields of any failed validation', async () => {
      const app = ambit();
      app.setErrorHandler((error, _request, reply) => {
        const { validation, validationContext, statusCode, code, message } = error;
        reply.code(400).send({ validation, validationContext, statusCode, code, message });
      });
      app.post('/', { schema: { body: schema } }, () => 'handled');
      const { json } = await post(await serve(app), { name: 1 });
      expect(json).toMatchObject({ validationContext: 'body', statusCode: 400, code: 'FST_ERR_VALIDATION' });
      expect(json.message).toMatch(/^body\/name /);
      expect(json.validation).toEqual([
        {
          keyword: library,
          instancePath: '/name',
          schemaPath: '#',
          params: { issue: expect.anything() },
          message: expect.any(String),
        },
      ]);
    });

    test('writes responses through the schema: what it does not declare stays inside', async () => {
      const app = ambit();
      app.get('/', { schema: { response: { 200: schema } } }, () => ({ name: ' ada ', password: 'x' }));
      const response = await fetch(await serve(app));
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await response.json()).toEqual({ name: 'ada', count: 1 });
    });

    test('answers 500 for a payload that the schema refuses, and sends nothing of it', async () => {
      const app = ambit();
      app.get('/', { schema: { response: { 200: schema } } }, () => ({ name: 1 as never, password: 'x' }));
      const response = await fetch(await serve(app));
      expect(response.status).toBe(500);
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ code: 'AMBIT_ERR_RESPONSE_INVALID' });
      expect(JSON.parse(text).message).toMatch(/^response\/name /);
      expect(text).not.toContain('password');
    });
  });
}

describe('every part of a request', () => {
  test('may have a schema of its own library, beside JSON Schema', async () => {
    const app = ambit();
    app.post(
      '/:id',
      {
        schema: {
          params: z.object({ id: z.coerce.number() }),
          querystring: v.object({
            tags: v.pipe(
              v.string(),
              v.transform((text) => text.split(',')),
            ),
          }),
          headers: type({ 'x-count': 'string.numeric.parse' }),
          body: { type: 'object', properties: { on: { type: 'boolean' } } },
        },
      },
      ({ params, query, headers, body }) => ({ params, query, count: headers['x-count'], body }),
    );
    const response = await fetch(`${await serve(app)}/7?tags=a,b`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-count': '3' },
      body: '{"on":"true"}',
    });
    expect(await response.json()).toEqual({
      params: { id: 7 },
      query: { tags: ['a', 'b'] },
      count: 3,
      body: { on: true },
    });
  });

  test('is named in the error', async () => {
    const app = ambit();
    app.get('/:id', { schema: { params: z.object({ id: z.coerce.number() }) } }, () => 'handled');
    const response = await app.inject('/seven');
    expect(response.statusCode).toBe(400);
    expect(response.json<Answer['json']>().message).toMatch(/^params\/id /);
  });

  test('headers of a plain object, which valibot’s schemas are, keep the case of their names', async () => {
    const app = ambit();
    const schema = v.object({ 'x-Count': v.optional(v.string()), 'x-size': v.string() });
    app.get('/', { schema: { headers: schema } }, ({ headers }) => headers['x-size']);
    expect((await app.inject({ url: '/', headers: { 'X-Size': '4' } })).body).toBe('4');
  });

  test('a body schema may be optional', async () => {
    const app = ambit();
    app.post('/', { schema: { body: z.object({ a: z.number() }).optional() } }, ({ body }) => ({
      isMissing: body === undefined,
    }));
    const origin = await serve(app);
    expect((await post(origin)).json).toEqual({ isMissing: true });
    expect((await post(origin, { a: 'x' })).status).toBe(400);
  });

  test('each media type of a body has its own schema', async () => {
    const app = ambit();
    app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, body, done) => done(null, body));
    const content = {
      'application/json': { schema: z.object({ a: z.number() }) },
      'text/csv': { schema: z.string().transform((text) => text.split(',')) },
    };
    app.post('/', { schema: { body: { content } } }, ({ body }) => body);
    const answer = await app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'text/csv' },
      payload: 'a,b',
    });
    expect(answer.json()).toEqual(['a', 'b']);
    expect((await post(await serve(app), { a: '1' })).status).toBe(400);
  });
});

describe('an async schema', () => {
  const free = z.object({ name: z.string().refine(async (name) => name !== 'taken', 'is taken') });

  test('validates requests', async () => {
    const app = ambit();
    app.post('/', { schema: { body: free } }, ({ body }) => body);
    const origin = await serve(app);
    expect(await post(origin, { name: 'ada' })).toEqual({ status: 200, json: { name: 'ada' } });
    expect((await post(origin, { name: 'taken' })).json.message).toBe('body/name is taken');
  });

  test('is refused for responses', async () => {
    const app = ambit();
    app.get('/', { schema: { response: { 200: v.objectAsync({ a: v.number() }) } } }, () => ({ a: 1 }));
    const response = await app.inject('/');
    expect(response.statusCode).toBe(500);
    expect(response.json<{ code: string }>().code).toBe('AMBIT_ERR_RESPONSE_SCHEMA_ASYNC');
  });
});

describe('responses', () => {
  test('have a schema by status, each of its own library', async () => {
    const app = ambit();
    const response = {
      200: z.object({ at: z.date() }),
      '4xx': v.object({ problem: v.string() }),
      default: { type: 'object', properties: { other: { type: 'string' } } },
    };
    app.get('/:status', { schema: { response } }, (request, reply) => {
      const { status } = request.params as { status: string };
      return reply
        .code(Number(status))
        .send({ at: new Date(0), problem: 'none', other: 'some', secret: true });
    });
    const bodies = ['200', '404', '503'].map(async (status) => (await app.inject(`/${status}`)).json());
    expect(await Promise.all(bodies)).toEqual([
      { at: '1970-01-01T00:00:00.000Z' },
      { problem: 'none' },
      { other: 'some' },
    ]);
  });

  test('are null if a transform returns undefined', async () => {
    const app = ambit();
    const nothing = z.object({}).transform(() => undefined);
    app.get('/', { schema: { response: { 200: nothing } } }, () => ({}));
    expect((await app.inject('/')).body).toBe('null');
  });
});

describe('encapsulation', () => {
  test('a compiler that is set for a context is given its schemas as they are', async () => {
    const app = ambit();
    const body = z.object({ a: z.number() });
    const seen: unknown[] = [];
    app.register(async (child) => {
      child.setValidatorCompiler(({ schema }) => {
        seen.push(schema);
        return () => true;
      });
      child.post('/child', { schema: { body } }, () => 'unchecked');
    });
    app.post('/root', { schema: { body } }, () => 'checked');
    const statuses = ['/child', '/root'].map(
      async (url) => (await app.inject({ method: 'POST', url, payload: { a: 'x' } })).statusCode,
    );
    expect(await Promise.all(statuses)).toEqual([200, 400]);
    expect(seen).toEqual([body]);
  });
});

describe('requests and replies', () => {
  test('validate and serialize by hand', async () => {
    const app = ambit();
    app.get('/', (request, reply) => {
      const schema = z.object({ a: z.string().trim() });
      return {
        validated: request.validateInput({ a: ' x ' }, schema),
        refused: request.validateInput({ a: 1 }, schema) as object,
        text: reply.serializeInput({ a: ' y ', b: 1 }, schema),
      };
    });
    const answer = (await app.inject('/')).json<Record<string, unknown>>();
    expect(answer.validated).toEqual({ value: { a: 'x' } });
    expect(answer.refused).toEqual({ error: [expect.objectContaining({ instancePath: '/a' })] });
    expect(answer.text).toBe('{"a":"y"}');
  });

  test('a failure may be attached', async () => {
    const app = ambit();
    const options = { attachValidation: true, schema: { body: notes.zod } };
    app.post('/', options, (request) => ({ message: request.validationError?.message }));
    expect((await post(await serve(app), {})).json.message).toMatch(/^body\/name /);
  });
});
