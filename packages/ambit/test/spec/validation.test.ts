/** Spec 4.7: what is validated, how values are coerced, and what becomes of a failure. */

import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import ajvErrors from 'ajv-errors';
import * as localize from 'ajv-i18n';
import {
  type AjvOptions,
  type AmbitOptions,
  ambit,
  type Handler,
  type RouteDetails,
  type RouteSchema,
  type ValidatorCompiler,
} from 'ambit';
import Joi from 'joi';
import { describe, expect, test, vi } from 'vitest';
import * as yup from 'yup';
import type { Failure } from '../support/failure.ts';
import { flavors } from '../support/flavors.ts';
import { serve } from '../support/serve.ts';

// The package has no types.
const ajvMergePatch = createRequire(import.meta.url)('ajv-merge-patch');

const echoBody: Handler = (request) => ({ body: request.body });
const echoQuery: Handler = (request) => request.query;

const named = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

/** The status and body of one POST with a JSON body to a route with these details. */
async function post(details: RouteDetails, body: unknown, options: AmbitOptions = {}, handler = echoBody) {
  const app = ambit(options);
  app.post('/', details, handler);
  const response = await app.inject({
    method: 'POST',
    url: '/',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.statusCode, body: response.json<Failure>() };
}

/** The status and body of one GET to a route with these details. */
async function get(
  details: RouteDetails,
  url: string,
  options: AmbitOptions = {},
  pattern = '/',
  handler = echoQuery,
) {
  const app = ambit(options);
  app.get(pattern, details, handler);
  const response = await app.inject(url);
  return { status: response.statusCode, body: response.json<Failure>() };
}

describe('validation of bodies is attempted only for JSON', () => {
  const send = async (contentType: string, body: string, app = ambit()) => {
    app.post('/', { schema: { body: named } }, echoBody);
    const response = await fetch(await serve(app), {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  test('application/json is validated', async () => {
    expect((await send('application/json', '{}')).status).toBe(400);
    expect((await send('application/json', '{"name":"Ada"}')).status).toBe(200);
  });

  test('application/json with parameters is validated', async () => {
    expect((await send('application/json; charset=utf-8', '{}')).status).toBe(400);
  });

  test('a type that ends in +json is validated when a parser takes it', async () => {
    const make = () => {
      const app = ambit();
      app.addContentTypeParser('application/vnd.api+json', { parseAs: 'string' }, async (_request, body) =>
        JSON.parse(body),
      );
      return app;
    };
    expect((await send('application/vnd.api+json', '{}', make())).status).toBe(400);
    expect((await send('application/vnd.api+json', '{"name":"Ada"}', make())).status).toBe(200);
  });

  for (const contentType of [
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'application/jsonp',
  ]) {
    test(`${contentType} is answered 415, which names what the route takes, and never reaches the handler`, async () => {
      const app = ambit();
      app.addContentTypeParser('*', { parseAs: 'string' }, async (_request, body) => ({ name: body }));
      const { status, body } = await send(contentType, '{"name":"Ada"}', app);
      expect(status).toBe(415);
      expect(body).toEqual({
        statusCode: 415,
        code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE',
        error: 'Unsupported Media Type',
        message: 'Unsupported Media Type: this route accepts application/json, application/*+json',
      });
    });
  }

  test('a missing body fails validation with 400', async () => {
    const app = ambit();
    app.post('/', { schema: { body: named } }, echoBody);
    const response = await app.inject({ method: 'POST', url: '/' });
    expect(response.statusCode).toBe(400);
    expect(response.json<Failure>().message).toBe('body should be object');
  });

  test('a route without a body schema takes every body that parses', async () => {
    const app = ambit();
    app.post('/', echoBody);
    const response = await app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'text/plain' },
      body: 'plain',
    });
    expect(response.json()).toEqual({ body: 'plain' });
  });

  for (const contentType of [undefined, 'text/plain', 'application/json', 'nonsense']) {
    test(`params, query string and headers are validated with Content-Type ${contentType}`, async () => {
      const failures = await Promise.all(
        [
          { params: { type: 'object', properties: { id: { type: 'integer' } } } },
          { querystring: { type: 'object', properties: { q: { type: 'integer' } } } },
          { headers: { type: 'object', properties: { 'x-n': { type: 'integer' } } } },
        ].map(async (schema) => {
          const app = ambit();
          app.get('/:id', { schema }, () => 'handled');
          const headers = { 'x-n': 'n', ...(contentType && { 'content-type': contentType }) };
          return (await app.inject({ url: '/a?q=q', headers })).statusCode;
        }),
      );
      expect(failures).toEqual([400, 400, 400]);
    });
  }
});

describe('body schemas per media type', () => {
  const form = { type: 'object', required: ['age'], properties: { age: { type: 'integer' } } };
  const make = () => {
    const app = ambit();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      async (_request, body) => Object.fromEntries(new URLSearchParams(body)),
    );
    app.addContentTypeParser(/^(image|audio)\//, { parseAs: 'buffer' }, async (_request, body) => ({
      bytes: body.length,
    }));
    app.addContentTypeParser(/^application\/[\w.]+\+json$/, { parseAs: 'string' }, async (_request, body) =>
      JSON.parse(body),
    );
    return app;
  };
  const send = (app: ReturnType<typeof ambit>, contentType: string, body: string) =>
    app.inject({ method: 'POST', url: '/', headers: { 'content-type': contentType }, body });
  const content = {
    'application/json': { schema: named },
    'Application/X-WWW-Form-Urlencoded': { schema: form },
  };

  test('each media type is validated by its own schema', async () => {
    const app = make();
    app.post('/', { schema: { body: { content } } }, echoBody);
    const ok = await send(app, 'application/x-www-form-urlencoded', 'age=7');
    expect([ok.statusCode, ok.json()]).toEqual([200, { body: { age: 7 } }]);
    expect((await send(app, 'application/x-www-form-urlencoded', 'age=old')).statusCode).toBe(400);
    expect((await send(app, 'application/json', '{"name":"Ada"}')).statusCode).toBe(200);
    const other = await send(app, 'application/json', '{"age":7}');
    expect(other.json<Failure>().message).toBe("body should have required property 'name'");
  });

  test('a media type that the map does not name is answered 415', async () => {
    const app = make();
    app.post('/', { schema: { body: { content } } }, echoBody);
    const response = await send(app, 'text/plain', 'age=7');
    expect(response.statusCode).toBe(415);
    expect(response.json<Failure>().message).toBe(
      'Unsupported Media Type: this route accepts application/json, application/x-www-form-urlencoded',
    );
  });

  test('JSON is answered 415 where the map does not name it', async () => {
    const app = make();
    app.post(
      '/',
      { schema: { body: { content: { 'application/x-www-form-urlencoded': { schema: form } } } } },
      echoBody,
    );
    expect((await send(app, 'application/json', '{"age":7}')).statusCode).toBe(415);
  });

  for (const contentType of [
    'application/json',
    'application/x-www-form-urlencoded',
    'text/plain',
    undefined,
  ]) {
    test(`a missing body with Content-Type ${contentType} does not get past the map`, async () => {
      const handler = vi.fn(echoBody);
      const app = make();
      app.post('/', { schema: { body: { content } } }, handler);
      const headers = contentType === undefined ? {} : { 'content-type': contentType };
      const response = await app.inject({ method: 'POST', url: '/', headers });
      expect(response.statusCode).toBe(400);
      expect(handler).not.toHaveBeenCalled();
    });
  }

  test('ranges cover what they say', async () => {
    const bytes = { type: 'object', properties: { bytes: { type: 'integer', maximum: 3 } } };
    const app = make();
    app.post('/', { schema: { body: { content: { 'image/*': { schema: bytes } } } } }, echoBody);
    expect((await send(app, 'image/png', 'abc')).statusCode).toBe(200);
    expect((await send(app, 'image/png', 'abcd')).statusCode).toBe(400);
    expect((await send(app, 'audio/ogg', 'abc')).statusCode).toBe(415);
  });

  test('a range of suffixes validates what it covers', async () => {
    const app = make();
    app.post('/', { schema: { body: { content: { 'application/*+json': { schema: named } } } } }, echoBody);
    expect((await send(app, 'application/vnd.api+json', '{"name":"Ada"}')).statusCode).toBe(200);
    expect((await send(app, 'application/vnd.api+json', '{}')).statusCode).toBe(400);
    expect((await send(app, 'application/json', '{"name":"Ada"}')).statusCode).toBe(415);
  });

  test('*/* covers the rest', async () => {
    const app = make();
    app.post(
      '/',
      { schema: { body: { content: { 'application/json': { schema: named }, '*/*': { schema: form } } } } },
      echoBody,
    );
    expect((await send(app, 'application/json', '{"name":"Ada"}')).statusCode).toBe(200);
    expect((await send(app, 'application/x-www-form-urlencoded', 'age=7')).statusCode).toBe(200);
    expect((await send(app, 'application/x-www-form-urlencoded', 'age=x')).statusCode).toBe(400);
  });

  test('the compiler is told the media type', async () => {
    const seen: (string | undefined)[] = [];
    const app = make();
    app.setValidatorCompiler(({ contentType }) => {
      seen.push(contentType);
      return () => true;
    });
    app.post('/', { schema: { body: { content } } }, echoBody);
    await app.ready();
    expect(seen).toEqual(['application/json', 'application/x-www-form-urlencoded']);
  });

  test('an entry without a schema fails the boot', async () => {
    const app = ambit();
    app.post('/', { schema: { body: { content: { 'application/json': {} } } } }, echoBody);
    await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_SCH_CONTENT_MISSING_SCHEMA' });
  });
});

describe('body is validated only for POST, PUT and PATCH', () => {
  for (const method of ['POST', 'PUT', 'PATCH'] as const) {
    test(`${method} validates the body`, async () => {
      const app = ambit();
      app.route({ method, url: '/', schema: { body: named }, handler: echoBody });
      const origin = await serve(app);
      const send = (body: string) =>
        fetch(origin, { method, headers: { 'content-type': 'application/json' }, body });
      expect((await send('{}')).status).toBe(400);
      expect((await send('{"name":"Ada"}')).status).toBe(200);
    });
  }

  for (const method of ['GET', 'HEAD', 'TRACE']) {
    for (const body of [named, {}, true, false]) {
      test(`${method} refuses the body schema ${JSON.stringify(body)} when it is declared`, () => {
        const declare = () => ambit().route({ method, url: '/', schema: { body }, handler: echoBody });
        expect(declare).toThrow(
          expect.objectContaining({ code: 'FST_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED' }),
        );
      });
    }
  }

  test('a GET request with a body has no request.body to validate', async () => {
    const app = ambit();
    app.get('/', (request) => ({ body: request.body ?? 'none' }));
    const response = await app.inject({
      method: 'GET',
      url: '/',
      headers: { 'content-type': 'application/json' },
      body: '{"name":7}',
    });
    expect(response.json()).toEqual({ body: 'none' });
  });
});

describe('the default validator coerces', () => {
  const ids = { type: 'object', properties: { ids: { type: 'array', default: [] } } };

  test('a single query value becomes an array of one string', async () => {
    const app = ambit();
    app.get('/', { schema: { querystring: ids } }, echoQuery);
    const response = await fetch(`${await serve(app)}/?ids=1`);
    expect(await response.json()).toEqual({ ids: ['1'] });
  });

  test('several query values stay an array', async () => {
    expect((await get({ schema: { querystring: ids } }, '/?ids=1&ids=2')).body).toEqual({ ids: ['1', '2'] });
  });

  test('a missing array takes its default', async () => {
    expect((await get({ schema: { querystring: ids } }, '/')).body).toEqual({ ids: [] });
  });

  test('items of the array are coerced too', async () => {
    const querystring = {
      type: 'object',
      properties: { ids: { type: 'array', items: { type: 'integer' } } },
    };
    expect((await get({ schema: { querystring } }, '/?ids=7')).body).toEqual({ ids: [7] });
    expect((await get({ schema: { querystring } }, '/?ids=seven')).status).toBe(400);
  });

  const coercions = [
    ['integer', '7', 7],
    ['number', '7.5', 7.5],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
    ['null', '', null],
    ['string', '7', '7'],
  ] as const;
  for (const [type, given, value] of coercions) {
    test(`'${given}' becomes the ${type} ${JSON.stringify(value)}`, async () => {
      const querystring = { type: 'object', properties: { v: { type } } };
      expect((await get({ schema: { querystring } }, `/?v=${given}`)).body).toEqual({ v: value });
    });
  }

  const refusals = [
    ['integer', '7.5'],
    ['integer', 'seven'],
    ['number', '7x'],
    ['boolean', 'yes'],
    ['null', 'null'],
  ] as const;
  for (const [type, given] of refusals) {
    test(`'${given}' is no ${type}`, async () => {
      const querystring = { type: 'object', properties: { v: { type } } };
      const { status, body } = await get({ schema: { querystring } }, `/?v=${given}`);
      expect([status, body.message]).toEqual([400, `querystring/v should be ${type}`]);
    });
  }

  test('params and headers are coerced as well', async () => {
    const schema = {
      params: { type: 'object', properties: { id: { type: 'integer' } } },
      headers: { type: 'object', properties: { 'X-Count': { type: 'integer' } } },
    };
    const app = ambit();
    app.get('/:id', { schema }, (request) => ({ params: request.params, count: request.headers['x-count'] }));
    const response = await app.inject({ url: '/7', headers: { 'x-count': '8' } });
    expect(response.json()).toEqual({ params: { id: 7 }, count: 8 });
  });

  test('bodies are coerced and completed', async () => {
    const body = {
      type: 'object',
      properties: {
        n: { type: 'integer' },
        tags: { type: 'array', items: { type: 'string' } },
        flag: { default: true },
      },
    };
    expect((await post({ schema: { body } }, { n: '7', tags: 1 })).body).toEqual({
      body: { n: 7, tags: ['1'], flag: true },
    });
  });

  test('a root scalar is replaced by its coerced value', async () => {
    expect((await post({ schema: { body: { type: 'integer' } } }, '7')).body).toEqual({ body: 7 });
    expect((await post({ schema: { body: { type: 'string' } } }, 7)).body).toEqual({ body: '7' });
    expect((await post({ schema: { body: { type: 'array' } } }, 7)).body).toEqual({ body: [7] });
    expect((await post({ schema: { body: { type: 'integer' } } }, 'seven')).status).toBe(400);
  });

  test('undeclared properties go where the schema says additionalProperties: false', async () => {
    const closed = { ...named, additionalProperties: false };
    expect((await post({ schema: { body: closed } }, { name: 'Ada', extra: 1 })).body).toEqual({
      body: { name: 'Ada' },
    });
    expect((await post({ schema: { body: named } }, { name: 'Ada', extra: 1 })).body).toEqual({
      body: { name: 'Ada', extra: 1 },
    });
  });

  test('one request’s defaults are not another’s', async () => {
    const app = ambit();
    app.get('/', { schema: { querystring: ids } }, (request) => {
      const query = request.query as { ids: unknown[] };
      query.ids.push('mine');
      return query;
    });
    await app.inject('/');
    expect((await app.inject('/')).json()).toEqual({ ids: ['mine'] });
  });
});

describe('the keywords of schemas', () => {
  const keywords: [string, object, unknown, unknown][] = [
    ['required', named, { name: 'Ada' }, {}],
    ['maxItems', { type: 'array', maxItems: 2 }, [1, 2], [1, 2, 3]],
    ['items', { type: 'array', items: { type: 'integer' } }, [1], ['x']],
    ['enum', { enum: ['a', 'b'] }, 'b', 'c'],
    [
      'oneOf',
      {
        oneOf: [
          { type: 'object', required: ['a'] },
          { type: 'object', required: ['b'] },
        ],
      },
      { a: 1 },
      { a: 1, b: 1 },
    ],
    ['not', { not: { required: ['admin'] } }, {}, { admin: true }],
    ['minimum', { type: 'integer', minimum: 3 }, 3, 2],
    ['maxLength', { type: 'string', maxLength: 3 }, 'abc', 'abcd'],
    ['a union of types', { type: ['number', 'null'] }, null, 'x'],
    ['nullable', { type: 'number', nullable: true }, null, 'x'],
    ['anyOf', { anyOf: [{ type: 'object', required: ['a'] }, { type: 'array' }] }, [], { b: 1 }],
    ['allOf', { allOf: [{ required: ['a'] }, { required: ['b'] }] }, { a: 1, b: 1 }, { a: 1 }],
    [
      'if, then, else',
      // biome-ignore lint/suspicious/noThenProperty: the keyword of JSON Schema, in an object that is never awaited.
      { if: { required: ['a'] }, then: { required: ['b'] }, else: false },
      { a: 1, b: 1 },
      { b: 1 },
    ],
    ['const', { const: 'a' }, 'a', 'b'],
    ['pattern', { type: 'string', pattern: '^a+$' }, 'aa', 'ab'],
    ['format', { type: 'string', format: 'date' }, '2024-02-29', '2023-02-29'],
    ['uniqueItems', { type: 'array', uniqueItems: true }, [1, 2], [1, 1]],
    [
      'patternProperties',
      { type: 'object', patternProperties: { '^n': { type: 'integer' } } },
      { n1: 1 },
      { n1: 'x' },
    ],
    ['propertyNames', { type: 'object', propertyNames: { maxLength: 2 } }, { ab: 1 }, { abc: 1 }],
  ];
  for (const [keyword, body, good, bad] of keywords) {
    test(`${keyword} accepts ${JSON.stringify(good)}`, async () => {
      expect((await post({ schema: { body } }, good)).status).toBe(200);
    });
    test(`${keyword} rejects ${JSON.stringify(bad)}`, async () => {
      expect((await post({ schema: { body } }, bad)).status).toBe(400);
    });
  }

  for (const body of [{ type: ['number', 'null'] }, { type: 'number', nullable: true }]) {
    test(`${JSON.stringify(body)} accepts a number and null as they are`, async () => {
      expect((await post({ schema: { body } }, 7)).body).toEqual({ body: 7 });
      expect((await post({ schema: { body } }, null)).body).toEqual({ body: null });
    });
  }

  test('the schema true accepts everything, the schema false nothing', async () => {
    expect((await post({ schema: { body: true } }, { any: 1 })).status).toBe(200);
    expect((await post({ schema: { body: false } }, { any: 1 })).status).toBe(400);
    expect((await get({ schema: { querystring: false } }, '/')).status).toBe(400);
    expect((await get({ schema: { querystring: true } }, '/?a=1')).status).toBe(200);
    expect((await get({ schema: { params: false } }, '/a', {}, '/:id')).status).toBe(400);
    expect((await get({ schema: { headers: false } }, '/')).status).toBe(400);
  });

  test('the short form lists its properties at the top', async () => {
    const schema = { querystring: { page: { type: 'integer', minimum: 1 } } };
    expect((await get({ schema }, '/?page=1')).body).toEqual({ page: 1 });
    expect((await get({ schema }, '/?page=0')).status).toBe(400);
  });

  test('header names in a schema match whatever their case', async () => {
    const schema = {
      headers: {
        type: 'object',
        required: ['X-Key'],
        properties: { 'X-Key': { type: 'string', maxLength: 3 } },
      },
    };
    const app = ambit();
    app.get('/', { schema }, () => 'handled');
    expect((await app.inject({ url: '/', headers: { 'x-KEY': 'abc' } })).statusCode).toBe(200);
    expect((await app.inject({ url: '/', headers: { 'x-key': 'abcd' } })).statusCode).toBe(400);
    expect((await app.inject('/')).json<Failure>().message).toBe(
      "headers should have required property 'x-key'",
    );
  });

  test('an unknown keyword fails the boot with the place of the route', async () => {
    const app = ambit();
    app.post('/users', { schema: { body: { type: 'object', minumum: 1 } } }, echoBody);
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_SCH_VALIDATION_BUILD',
      message: expect.stringContaining('minumum'),
      where: { route: 'POST /users', file: expect.stringContaining('validation.test.ts') },
    });
  });
});

describe('the schema compiler can be replaced per HTTP part', () => {
  const engines = { body: new Ajv({ coerceTypes: false }), other: new Ajv({ coerceTypes: 'array' }) };
  const perPart: ValidatorCompiler = ({ schema, httpPart }) =>
    (({ body: engines.body })[httpPart as 'body'] ?? engines.other).compile(schema as object);
  const n = { type: 'object', properties: { n: { type: 'integer' } } };

  const appOf = (details: RouteDetails) => {
    const app = ambit();
    app.post('/', { schema: { body: n, querystring: n }, ...details }, (request) => ({
      query: request.query,
      body: request.body,
    }));
    return app;
  };
  const send = (app: ReturnType<typeof ambit>, url: string, body: unknown) =>
    app.inject({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

  test('without coercion for the body only, the body is refused and the query string coerced', async () => {
    const app = ambit();
    app.setValidatorCompiler(perPart);
    app.post('/', { schema: { body: n, querystring: n } }, (request) => ({
      query: request.query,
      body: request.body,
    }));
    const refused = await send(app, '/?n=7', { n: '7' });
    expect([refused.statusCode, refused.json<Failure>().message]).toEqual([400, 'body/n should be integer']);
    const taken = await send(app, '/?n=7', { n: 7 });
    expect(taken.json()).toEqual({ query: { n: 7 }, body: { n: 7 } });
  });

  test('the compiler of one route does the same for it alone', async () => {
    expect((await send(appOf({ validatorCompiler: perPart }), '/?n=7', { n: '7' })).statusCode).toBe(400);
    expect((await send(appOf({}), '/?n=7', { n: '7' })).statusCode).toBe(200);
  });

  test('the compiler gets every part under its name', async () => {
    const parts: unknown[] = [];
    const app = ambit();
    app.setValidatorCompiler(({ schema, method, url, httpPart }) => {
      parts.push([httpPart, (schema as { title: string }).title, method, url]);
      return () => true;
    });
    const titled = (title: string) => ({ title, type: 'object' });
    const schema = { body: titled('b'), querystring: titled('q'), params: titled('p'), headers: titled('h') };
    app.post('/:id', { schema }, echoBody);
    await app.ready();
    expect(parts).toHaveLength(4);
    expect(parts).toEqual(
      expect.arrayContaining([
        ['body', 'b', 'POST', '/:id'],
        ['querystring', 'q', 'POST', '/:id'],
        ['params', 'p', 'POST', '/:id'],
        ['headers', 'h', 'POST', '/:id'],
      ]),
    );
  });

  test('a compiler that finds none for a part fails the boot with its own text', async () => {
    const app = appOf({
      validatorCompiler: ({ httpPart }) => {
        throw new Error(`Missing compiler for ${httpPart}`);
      },
    });
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_SCH_VALIDATION_BUILD',
      message: expect.stringContaining('Missing compiler for '),
    });
  });

  test('a compiler that returns no function fails the boot', async () => {
    await expect(appOf({ validatorCompiler: () => undefined as never }).ready()).rejects.toMatchObject({
      code: 'FST_ERR_SCH_VALIDATION_BUILD',
      message: expect.stringContaining('must return a function'),
    });
  });
});

describe.each(flavors)('a compiler that returns something, but no function, on %s', (_flavor, create) => {
  test('lets the application boot, and no request in', async () => {
    const handler = vi.fn(() => 'in');
    const app = create();
    app.setValidatorCompiler((() => ({ value: 1 })) as never);
    app.get('/', { schema: { querystring: { type: 'object' } } }, handler);
    const { statusCode, body } = await app.inject('/');
    expect([statusCode, JSON.parse(body).message]).toEqual([
      500,
      "the validator compiler must return a function for 'querystring', but it returned [object Object]",
    ]);
    expect(handler).not.toHaveBeenCalled();
  });
});

describe('a failure ends the request, unless attachValidation is true', () => {
  test('it is answered 400 and the handler does not run', async () => {
    const handler = vi.fn(echoBody);
    const { status, body } = await post({ schema: { body: named } }, {}, {}, handler);
    expect([status, body.statusCode, body.error]).toEqual([400, 400, 'Bad Request']);
    expect(handler).not.toHaveBeenCalled();
  });

  test('attachValidation: false is the same as none', async () => {
    expect((await post({ schema: { body: named }, attachValidation: false }, {})).status).toBe(400);
  });

  test('with attachValidation the handler runs and finds the error', async () => {
    const { status, body } = await post(
      { schema: { body: named }, attachValidation: true },
      {},
      {},
      (request) => {
        const error = request.validationError!;
        return {
          isError: error instanceof Error,
          message: error.message,
          context: error.validationContext,
          keyword: (error.validation as { keyword: string }[])[0]!.keyword,
        };
      },
    );
    expect(status).toBe(200);
    expect(body).toEqual({
      isError: true,
      message: "body should have required property 'name'",
      context: 'body',
      keyword: 'required',
    });
  });

  test('with attachValidation the handler may answer with the error', async () => {
    const { status, body } = await post(
      { schema: { body: named }, attachValidation: true },
      {},
      {},
      (request, reply) => reply.code(422).send(request.validationError),
    );
    expect(status).toBe(400);
    expect(body.message).toBe("body should have required property 'name'");
  });

  test('with attachValidation and a request that passes there is no error', async () => {
    const { body } = await post(
      { schema: { body: named }, attachValidation: true },
      { name: 'Ada' },
      {},
      (request) => ({
        has: 'validationError' in request && request.validationError !== undefined,
      }),
    );
    expect(body).toEqual({ has: false });
  });

  test('with attachValidation preHandler hooks run too', async () => {
    const preHandler = vi.fn(async () => {});
    await post({ schema: { body: named }, attachValidation: true, preHandler }, {});
    expect(preHandler).toHaveBeenCalledOnce();
  });

  test('without attachValidation request.validationError is not set in the error handler', async () => {
    const app = ambit();
    app.setErrorHandler((_error, request, reply) =>
      reply.send({ set: request.validationError !== undefined }),
    );
    app.get('/', { schema: { querystring: false } }, echoQuery);
    expect((await app.inject('/')).json()).toEqual({ set: false });
  });
});

describe('every validation error carries statusCode 400', () => {
  const parts = [
    ['params', { params: { type: 'object', properties: { id: { type: 'integer' } } } }, 'params'],
    ['body', { body: named }, 'body'],
    ['querystring', { querystring: { type: 'object', required: ['q'] } }, 'query'],
    ['query', { query: { type: 'object', required: ['q'] } }, 'query'],
    ['headers', { headers: { type: 'object', required: ['x-key'] } }, 'headers'],
  ] as const;
  for (const [part, schema, context] of parts) {
    test(`one of ${part} carries statusCode 400, validation and validationContext '${context}'`, async () => {
      const app = ambit();
      app.setErrorHandler((error, _request, reply) =>
        reply.code(200).send({
          statusCode: error.statusCode,
          code: error.code,
          context: error.validationContext,
          list: Array.isArray(error.validation),
        }),
      );
      app.post('/:id', { schema }, echoBody);
      const response = await app.inject({
        method: 'POST',
        url: '/x',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect(response.json()).toEqual({ statusCode: 400, code: 'FST_ERR_VALIDATION', context, list: true });
    });
  }

  test('parts are validated in the order params, body, query string, headers', async () => {
    const bad = { type: 'object', required: ['never'] };
    const first = async (schema: RouteSchema) => {
      const app = ambit();
      app.post('/:id/:never?', { schema }, echoBody);
      const headers = { 'content-type': 'application/json' };
      const response = await app.inject({ method: 'POST', url: '/x', headers, body: '{}' });
      return response.json<Failure>().message.split(' ')[0];
    };
    expect(await first({ headers: bad, querystring: bad, body: bad, params: bad })).toBe('params');
    expect(await first({ headers: bad, querystring: bad, body: bad })).toBe('body');
    expect(await first({ headers: bad, querystring: bad })).toBe('querystring');
    expect(await first({ headers: bad })).toBe('headers');
  });

  test('a status that the formatter’s error brings along is kept', async () => {
    const schemaErrorFormatter = () => Object.assign(new Error('mine'), { statusCode: 422 });
    const { status, body } = await post({ schema: { body: named } }, {}, { schemaErrorFormatter });
    expect([status, body.message]).toEqual([422, 'mine']);
  });
});

describe('messages', () => {
  test('the default message names the part, the place in it and the problem', async () => {
    const body = {
      type: 'object',
      properties: { users: { type: 'array', items: named } },
    };
    const answer = await post({ schema: { body } }, { users: [{ name: 'Ada' }, {}] });
    expect(answer.body.message).toBe("body/users/1 should have required property 'name'");
  });

  test('the formatter builds it', async () => {
    const seen: unknown[] = [];
    const schemaErrorFormatter: AmbitOptions['schemaErrorFormatter'] = (problems, dataVar) => {
      seen.push(
        dataVar,
        problems.map(({ keyword }) => keyword),
      );
      return new Error(`no good: ${dataVar}`);
    };
    const { status, body } = await get(
      { schema: { querystring: { type: 'object', required: ['q'] } } },
      '/',
      {
        schemaErrorFormatter,
      },
    );
    expect([status, body.message]).toEqual([400, 'no good: querystring']);
    expect(seen).toEqual(['querystring', ['required']]);
  });

  test('errors in the structure of the default validator make the default message', async () => {
    const validatorCompiler: ValidatorCompiler = () => () => ({
      error: [{ keyword: 'x', instancePath: '/name', schemaPath: '#', params: {}, message: 'must be nicer' }],
    });
    const { status, body } = await post({ schema: { body: named }, validatorCompiler }, {});
    expect([status, body.message]).toEqual([400, 'body/name should be nicer']);
  });

  test('a custom error handler reads validation and validationContext', async () => {
    const app = ambit();
    app.setErrorHandler((error, _request, reply) =>
      reply.code(422).send({ in: error.validationContext, problems: error.validation }),
    );
    app.post(
      '/',
      { schema: { body: Joi.object({ name: Joi.string().required() }) }, validatorCompiler: joi },
      echoBody,
    );
    const response = await app.inject({
      method: 'POST',
      url: '/',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect(response.statusCode).toBe(422);
    expect(response.json<{ in: string }>().in).toBe('body');
    expect(response.json<{ problems: Joi.ValidationError }>().problems.details[0]!.message).toBe(
      '"name" is required',
    );
  });
});

const joi: ValidatorCompiler =
  ({ schema }) =>
  (data) =>
    (schema as Joi.Schema).validate(data);
const yupCompiler: ValidatorCompiler =
  ({ schema }) =>
  (data) => {
    try {
      return { value: (schema as yup.Schema).validateSync(data, { strict: false, abortEarly: false }) };
    } catch (error) {
      return { error };
    }
  };
const yupAsync: ValidatorCompiler =
  ({ schema }) =>
  async (data) => {
    try {
      return { value: await (schema as yup.Schema).validate(data) };
    } catch (error) {
      return { error };
    }
  };

describe('other libraries validate through validatorCompiler', () => {
  const joiBody = Joi.object({ age: Joi.number().integer().min(1).required() });
  const yupBody = yup.object({ age: yup.number().integer().min(1).required() });
  const libraries = [
    ['Joi', joi, joiBody, '"age" must be greater than or equal to 1'],
    ['Yup', yupCompiler, yupBody, 'age must be greater than or equal to 1'],
    ['Yup by promise', yupAsync, yupBody, 'age must be greater than or equal to 1'],
  ] as const;

  for (const [name, validatorCompiler, body, message] of libraries) {
    test(`${name} passes, and its converted value replaces the body`, async () => {
      const answer = await post({ schema: { body }, validatorCompiler }, { age: '7' });
      expect(answer).toEqual({ status: 200, body: { body: { age: 7 } } });
    });

    test(`${name} fails with 400 and its own message`, async () => {
      const answer = await post({ schema: { body }, validatorCompiler }, { age: 0 });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({
        statusCode: 400,
        code: 'FST_ERR_VALIDATION',
        error: 'Bad Request',
        message,
      });
    });

    test(`${name} works with attachValidation`, async () => {
      const details = { schema: { body }, validatorCompiler, attachValidation: true };
      const answer = await post(details, { age: 0 }, {}, (request) => ({
        message: request.validationError?.message,
        context: request.validationError?.validationContext,
        status: (request.validationError as { statusCode?: number }).statusCode,
        hasProblems: request.validationError?.validation !== undefined,
      }));
      expect(answer.body).toEqual({ message, context: 'body', status: 400, hasProblems: true });
    });

    test(`${name} validates params, query string and headers`, async () => {
      const schema = { params: body, querystring: body };
      const app = ambit();
      app.setValidatorCompiler(validatorCompiler);
      app.get('/:age', { schema }, (request) => ({ params: request.params, query: request.query }));
      expect((await app.inject('/7?age=8')).json()).toEqual({ params: { age: 7 }, query: { age: 8 } });
      expect((await app.inject('/0?age=8')).json<Failure>().message).toBe(message);
      expect((await app.inject('/7?age=0')).json<Failure>().message).toBe(message);
    });
  }

  test('Joi’s validate may be given as it is: it is called with the data alone', async () => {
    const validatorCompiler: ValidatorCompiler = ({ schema }) =>
      (schema as Joi.Schema).validate.bind(schema) as never;
    expect((await post({ schema: { body: joiBody }, validatorCompiler }, { age: '7' })).body).toEqual({
      body: { age: 7 },
    });
  });
});

describe('what a validator may answer', () => {
  const answering =
    (answer: (data: unknown) => unknown): ValidatorCompiler =>
    () =>
      answer as never;
  const body = (answer: (data: unknown) => unknown, given: unknown = { given: true }) =>
    post({ schema: { body: named }, validatorCompiler: answering(answer) }, given);

  const passes: [string, (data: unknown) => unknown, unknown][] = [
    ['true', () => true, { given: true }],
    ['nothing', () => undefined, { given: true }],
    ['null', () => null, { given: true }],
    ['a value to use instead', () => ({ value: { other: 1 } }), { other: 1 }],
    ['a value with an undefined error', () => ({ value: 7, error: undefined }), 7],
    ['a value with a null error', () => ({ value: 7, error: null }), 7],
    ['the value null', () => ({ value: null }), null],
    ['the value 0', () => ({ value: 0 }), 0],
    ['the value false', () => ({ value: false }), false],
    ['an empty object', () => ({}), { given: true }],
    ['a promise of true', async () => true, { given: true }],
    ['a promise of nothing', async () => undefined, { given: true }],
    ['a promise of a value', async () => ({ value: 'late' }), 'late'],
  ];
  for (const [name, answer, result] of passes) {
    test(`${name} passes`, async () => {
      expect(await body(answer)).toEqual({ status: 200, body: { body: result } });
    });
  }

  const withErrors = Object.assign(() => false, {
    errors: [{ keyword: 'k', instancePath: '', schemaPath: '', params: {}, message: 'must be other' }],
  });
  const withErrorsLater = Object.assign(async () => false, { errors: withErrors.errors });
  const failures: [string, (data: unknown) => unknown, string][] = [
    ['false with errors on the function', withErrors, 'body should be other'],
    ['a promise of false with errors on the function', withErrorsLater, 'body should be other'],
    ['an error', () => ({ error: new Error('no good') }), 'no good'],
    ['an error beside a value', () => ({ value: 1, error: new Error('no good') }), 'no good'],
    ['a promise of an error', async () => ({ error: new Error('no good') }), 'no good'],
    ['a list of problems as the error', () => ({ error: withErrors.errors }), 'body should be other'],
  ];
  for (const [name, answer, message] of failures) {
    test(`${name} fails with 400`, async () => {
      const outcome = await body(answer);
      expect([outcome.status, outcome.body.message]).toEqual([400, message]);
    });
  }

  test('false without errors fails with 400', async () => {
    expect((await body(() => false)).status).toBe(400);
    expect((await body(async () => false)).status).toBe(400);
  });

  const broken: [string, (data: unknown) => unknown][] = [
    [
      'a validator that throws',
      () => {
        throw new Error('the validator broke');
      },
    ],
    [
      'a validator that throws no Error',
      () => {
        throw 'the validator broke';
      },
    ],
  ];
  for (const [name, answer] of broken) {
    test(`${name} is an error of the request: 500, and the server lives on`, async () => {
      const app = ambit();
      app.post('/', { schema: { body: named }, validatorCompiler: answering(answer) }, echoBody);
      const origin = await serve(app);
      const send = () =>
        fetch(origin, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
      for (const response of [await send(), await send()]) {
        expect(response.status).toBe(500);
        expect(await response.json()).toMatchObject({ statusCode: 500, message: 'the validator broke' });
      }
    });
  }

  for (const reason of [new Error('not this one'), 'not this one']) {
    test(`a validator that rejects with ${typeof reason} says that the part is invalid: 400`, async () => {
      const outcome = await body(() => Promise.reject(reason));
      expect(outcome).toEqual({
        status: 400,
        body: { statusCode: 400, code: 'FST_ERR_VALIDATION', error: 'Bad Request', message: 'not this one' },
      });
    });
  }

  test('a validator that is not the default engine’s is called with the data alone', async () => {
    const validate = vi.fn(() => true);
    await body(validate, { a: 1 });
    expect(validate.mock.calls).toEqual([[{ a: 1 }]]);
  });

  test('a handler does not run before the promise has settled', async () => {
    const order: string[] = [];
    const validatorCompiler = answering(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      order.push('validated');
      return true;
    });
    await post({ schema: { body: named }, validatorCompiler }, {}, {}, () => {
      order.push('handled');
      return {};
    });
    expect(order).toEqual(['validated', 'handled']);
  });

  test('parts after one that was validated by promise are validated as well', async () => {
    const validatorCompiler: ValidatorCompiler =
      ({ httpPart }) =>
      async () =>
        httpPart === 'querystring' ? { error: new Error('query is wrong') } : true;
    const schema = { body: named, querystring: named };
    expect((await post({ schema, validatorCompiler }, {})).body.message).toBe('query is wrong');
  });

  test('an error that says its own status keeps it', async () => {
    const outcome = await body(() => ({ error: Object.assign(new Error('too much'), { statusCode: 422 }) }));
    expect(outcome.status).toBe(422);
  });
});

describe('validator plugins', () => {
  test('plugins extend the default validator: merge and patch keywords', async () => {
    const options: AmbitOptions = { ajv: { plugins: [ajvMergePatch] } };
    const body = {
      $patch: { source: named, with: [{ op: 'add', path: '/properties/q', value: { type: 'number' } }] },
    };
    expect((await post({ schema: { body } }, { name: 'Ada', q: 7 }, options)).status).toBe(200);
    expect((await post({ schema: { body } }, { name: 'Ada', q: 'x' }, options)).status).toBe(400);
    const merged = { $merge: { source: named, with: { required: ['name', 'q'] } } };
    expect((await post({ schema: { body: merged } }, { name: 'Ada' }, options)).status).toBe(400);
    expect((await post({ schema: { body: merged } }, { name: 'Ada', q: 1 }, options)).status).toBe(200);
  });

  test('a keyword of a plugin that is not there fails the boot', async () => {
    const app = ambit();
    app.post('/', { schema: { body: { $merge: { source: named, with: {} } } } }, echoBody);
    await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_SCH_VALIDATION_BUILD' });
  });

  const withMessages = {
    type: 'object',
    required: ['name', 'age'],
    properties: { name: { type: 'string' }, age: { type: 'integer' } },
    errorMessage: { required: { name: 'why no name?', age: 'how old?' } },
  };

  test('errorMessage gives messages of your own under allErrors', async () => {
    const options: AmbitOptions = {
      ajv: { customOptions: { allErrors: true }, plugins: [ajvErrors as never] },
    };
    const { status, body } = await post({ schema: { body: withMessages } }, {}, options);
    expect([status, body.message]).toEqual([400, 'body why no name?, body how old?']);
  });

  test('errorMessage without allErrors fails the boot', async () => {
    const app = ambit({ ajv: { plugins: [ajvErrors as never] } });
    app.post('/', { schema: { body: withMessages } }, echoBody);
    await expect(app.ready()).rejects.toMatchObject({ message: expect.stringContaining('allErrors') });
  });

  test('a plugin takes its options', async () => {
    const ajv: AjvOptions = {
      customOptions: { allErrors: true },
      plugins: [[ajvErrors as never, { singleError: '; ' }]],
    };
    const name = {
      type: 'string',
      minLength: 3,
      pattern: '^A',
      errorMessage: { minLength: 'longer', pattern: 'A…' },
    };
    const { body } = await post({ schema: { body: { name } } }, { name: 'x' }, { ajv });
    expect(body.message).toBe('body/name longer; A…');
  });

  test('validation stops at the first error unless allErrors is set', async () => {
    const both = { type: 'object', required: ['a', 'b'] };
    const one = await post({ schema: { body: both } }, {});
    const all = await post({ schema: { body: both } }, {}, { ajv: { customOptions: { allErrors: true } } });
    expect(one.body.message).toBe("body should have required property 'a'");
    expect(all.body.message).toBe(
      "body should have required property 'a', body should have required property 'b'",
    );
  });

  for (const [language, message] of [
    ['en', 'must have required property name'],
    ['ru', 'должно иметь обязательное поле name'],
    ['de', 'muss das erforderliche Attribut name enthalten'],
  ] as const) {
    test(`messages can be localized to ${language} in an error handler`, async () => {
      const app = ambit();
      app.setErrorHandler((error, _request, reply) => {
        const problems = error.validation as { message: string }[];
        const translate = (localize as unknown as { default: Record<string, (problems: unknown) => void> })
          .default;
        translate[language]!(problems);
        return reply.code(400).send(problems.map((problem) => problem.message));
      });
      app.post('/', { schema: { body: named } }, echoBody);
      const response = await app.inject({
        method: 'POST',
        url: '/',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      });
      expect(response.json()).toEqual([message]);
    });
  }
});
