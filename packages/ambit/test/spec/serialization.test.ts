/** Spec 4.9: which schema serializes a response, custom serializers, and that nothing undeclared leaves. */
import { ambit, type Handler, type RouteDetails, type RouteSchema } from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import type { Failure } from '../support/failure.ts';
import { serve } from '../support/serve.ts';

/** A response schema that lets only the property of this name through. */
const only = (name: string) => ({ type: 'object', properties: { [name]: { type: 'string' } } });
/** An object with all the properties that the tests choose among. */
const all = Object.fromEntries(
  ['exact', 'pattern', 'fallback', 'json', 'v1', 'star', 'secret'].map((key) => [key, key]),
);

async function answerOf(response: RouteSchema['response'], handler: Handler, details: RouteDetails = {}) {
  const app = ambit();
  app.get('/', { ...details, schema: { response: response! } }, handler);
  return app.inject('/');
}

describe('only routes with a response schema are serialized by the default serializer', () => {
  test('without a schema the whole value leaves as JSON', async () => {
    const app = ambit();
    app.get('/', () => ({ a: 1, nested: { b: [2] } }));
    expect(await (await fetch(await serve(app))).text()).toBe('{"a":1,"nested":{"b":[2]}}');
  });

  test('with schemas for the request alone the whole value leaves', async () => {
    const app = ambit();
    app.get('/', { schema: { querystring: { q: { type: 'string' } } } }, () => ({ a: 1 }));
    expect((await app.inject('/')).body).toBe('{"a":1}');
  });

  test('an empty response object is no schema', async () => {
    expect((await answerOf({}, () => ({ a: 1 }))).body).toBe('{"a":1}');
  });

  test('a status that no entry serves is not serialized by schema', async () => {
    expect((await answerOf({ 201: only('exact') }, () => ({ a: 1 }))).body).toBe('{"a":1}');
  });

  const untouched: [string, () => unknown, string][] = [
    ['a string', () => 'text', 'text'],
    ['a Buffer', () => Buffer.from('bytes'), 'bytes'],
    ['undefined', () => undefined, ''],
    ['a stream', () => new Response('stream').body, 'stream'],
  ];
  for (const [name, make, body] of untouched) {
    test(`${name} is sent as it is, whatever the schema`, async () => {
      expect((await answerOf({ 200: only('exact') }, async () => make())).body).toBe(body);
    });
  }
});

describe('the schema is chosen by status: exact, then pattern, then default', () => {
  const response = { 201: only('exact'), '2xx': only('pattern'), default: only('fallback') };
  const statuses = [
    [201, 'exact'],
    [200, 'pattern'],
    [202, 'pattern'],
    [299, 'pattern'],
    [300, 'fallback'],
    [404, 'fallback'],
    [500, 'fallback'],
  ] as const;
  for (const [status, chosen] of statuses) {
    test(`${status} is served by the ${chosen} entry`, async () => {
      const answer = await answerOf(response, (_request, reply) => reply.code(status).send(all));
      expect([answer.statusCode, answer.json()]).toEqual([status, { [chosen]: chosen }]);
    });
  }

  test('the order of the entries does not matter', async () => {
    const reversed = { default: only('fallback'), '2xx': only('pattern'), 201: only('exact') };
    expect((await answerOf(reversed, (_request, reply) => reply.code(201).send(all))).json()).toEqual({
      exact: 'exact',
    });
  });

  for (const [pattern, status] of [
    ['1xx', 199],
    ['2xx', 200],
    ['2XX', 200],
    ['2xX', 200],
    ['3xx', 304],
    ['4xx', 404],
    ['5XX', 503],
  ] as const) {
    test(`${pattern} compiles and serves its class of statuses`, async () => {
      const app = ambit();
      app.get('/', { schema: { response: { [pattern]: only('pattern') } } }, (_request, reply) => {
        // Also of a status that cannot be sent.
        reply.raw.statusCode = status;
        const text = reply.serialize(all);
        return reply.code(200).type('text/plain').send(text);
      });
      expect((await app.inject('/')).body).toBe('{"pattern":"pattern"}');
    });
  }

  for (const key of ['2x', 'xx', '6xx', '600', '99', 'ok', '20x', '', 'Default ', 'properties']) {
    test(`'${key}' is no status and fails the boot`, async () => {
      const app = ambit();
      app.get('/', { schema: { response: { [key]: only('exact') } } }, () => all);
      await expect(app.ready()).rejects.toMatchObject({
        code: 'FST_ERR_SCH_SERIALIZATION_BUILD',
        message: expect.stringContaining('response schemas should be nested under a valid status code'),
        where: { route: 'GET /' },
      });
    });
  }

  test('the short form of an entry lists its properties at the top', async () => {
    const answer = await answerOf({ 200: { exact: { type: 'string' } } }, () => all);
    expect(answer.body).toBe('{"exact":"exact"}');
  });

  test('an error answer is serialized by the schema of its status', async () => {
    const failing = async () => Promise.reject(Object.assign(new Error('no such user'), { statusCode: 404 }));
    const entry = { type: 'object', properties: { message: { type: 'string' } } };
    expect((await answerOf({ 404: entry }, failing)).body).toBe('{"message":"no such user"}');
    expect((await answerOf({ '4xx': entry }, failing)).body).toBe('{"message":"no such user"}');
    expect((await answerOf({ default: entry }, failing)).body).toBe('{"message":"no such user"}');
  });
});

describe('inside an entry the schema is chosen by media type', () => {
  const content = {
    'application/json': { schema: only('json') },
    'Application/vnd.V1+json': { schema: only('v1') },
    '*/*': { schema: only('star') },
  };
  const entry = { 200: { description: 'a choice', content } };
  const types = [
    ['application/json', 'json'],
    ['application/json; charset=utf-8', 'json'],
    ['APPLICATION/JSON', 'json'],
    [' application/json ; charset=utf-8', 'json'],
    ['application/vnd.v1+json', 'v1'],
    ['application/vnd.v1+json;profile=x', 'v1'],
    ['application/vnd.v2+json', 'star'],
    ['application/problem+json', 'star'],
  ] as const;
  for (const [type, chosen] of types) {
    test(`'${type}' is served by ${chosen}`, async () => {
      const answer = await answerOf(entry, (_request, reply) => reply.type(type.trim()).send(all));
      expect(answer.json()).toEqual({ [chosen]: chosen });
    });
  }

  test('without a media type the reply is JSON, and so is its schema', async () => {
    const answer = await answerOf(entry, () => all);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual({ json: 'json' });
  });

  test('the media type set on node’s response counts', async () => {
    const answer = await answerOf(entry, (_request, reply) => {
      reply.raw.setHeader('content-type', 'application/vnd.v1+json');
      return all;
    });
    expect(answer.json()).toEqual({ v1: 'v1' });
  });

  test('the status is chosen first: an entry without the media type does not fall to the pattern', async () => {
    const response = {
      200: {
        content: { 'application/vnd.v1+json': { schema: only('v1') }, '*/*': { schema: only('star') } },
      },
      '2xx': only('pattern'),
    };
    expect((await answerOf(response, () => all)).json()).toEqual({ star: 'star' });
  });

  test('patterns and default may have content as well', async () => {
    const response = {
      '2xx': { content },
      default: { content: { 'application/json': { schema: only('fallback') } } },
    };
    expect((await answerOf(response, () => all)).json()).toEqual({ json: 'json' });
    expect((await answerOf(response, (_request, reply) => reply.code(404).send(all))).json()).toEqual({
      fallback: 'fallback',
    });
  });

  test('a media type without a schema fails the boot', async () => {
    const app = ambit();
    app.get('/', { schema: { response: { 200: { content: { 'application/json': {} } } } } }, () => all);
    await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_SCH_CONTENT_MISSING_SCHEMA' });
  });
});

describe('custom serializers', () => {
  const shout = () => (value: never) => `custom ${JSON.stringify(value)}`;

  test('a serializer compiler returns the function that makes the text', async () => {
    const app = ambit();
    app.setSerializerCompiler(shout);
    app.get('/', { schema: { response: { 200: only('exact') } } }, () => ({ a: 1 }));
    const response = await fetch(await serve(app));
    expect(await response.text()).toBe('custom {"a":1}');
    expect(response.headers.get('content-length')).toBe('14');
  });

  test('it is told schema, method, url, status and media type', async () => {
    const seen: unknown[] = [];
    const app = ambit();
    app.setSerializerCompiler((request) => {
      seen.push(request);
      return () => '';
    });
    const content = { 'application/json': { schema: only('json') } };
    app.get(
      '/:id',
      {
        exposeHeadRoute: false,
        schema: { response: { 200: only('exact'), '4XX': only('pattern'), default: { content } } },
      },
      () => '',
    );
    await app.ready();
    expect(seen).toEqual([
      { schema: only('exact'), method: 'GET', url: '/:id', httpStatus: '200' },
      { schema: only('pattern'), method: 'GET', url: '/:id', httpStatus: '4xx' },
      {
        schema: only('json'),
        method: 'GET',
        url: '/:id',
        httpStatus: 'default',
        contentType: 'application/json',
      },
    ]);
  });

  test('it applies to every route below that defines a response schema, and to no other', async () => {
    const app = ambit();
    app.setSerializerCompiler(shout);
    app.get('/without', () => ({ a: 1 }));
    app.register(async (child) => {
      child.get('/with', { schema: { response: { 200: {} } } }, () => ({ a: 1 }));
    });
    expect((await app.inject('/without')).body).toBe('{"a":1}');
    expect((await app.inject('/with')).body).toBe('custom {"a":1}');
  });

  test('one that a child sets does not reach the parent or a sibling', async () => {
    const app = ambit();
    const route = { schema: { response: { 200: only('exact') } } };
    app.get('/parent', route, () => all);
    app.register(async (child) => {
      child.setSerializerCompiler(shout);
      child.get('/child', route, () => ({ a: 1 }));
    });
    app.register(async (sibling) => {
      sibling.get('/sibling', route, () => all);
    });
    expect((await app.inject('/child')).body).toBe('custom {"a":1}');
    expect((await app.inject('/parent')).body).toBe('{"exact":"exact"}');
    expect((await app.inject('/sibling')).body).toBe('{"exact":"exact"}');
  });

  test('one of the route goes before one of the context', async () => {
    const app = ambit();
    app.setSerializerCompiler(shout);
    const serializerCompiler = () => () => 'of the route';
    app.get('/', { serializerCompiler, schema: { response: { 200: {} } } }, () => ({ a: 1 }));
    expect((await app.inject('/')).body).toBe('of the route');
  });

  test('a compiler that returns no function fails the boot', async () => {
    const app = ambit();
    app.setSerializerCompiler(() => 'text' as never);
    app.get('/', { schema: { response: { 200: {} } } }, () => all);
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_SCH_SERIALIZATION_BUILD',
      message: expect.stringContaining('must return a function'),
    });
  });

  for (const output of [{ a: 1 }, 7, true, Symbol('no text')]) {
    test(`a serializer that returns ${typeof output} instead of text is answered 500`, async () => {
      const app = ambit();
      app.setSerializerCompiler(() => () => output as never);
      app.get('/', { schema: { response: { 200: {} } } }, () => all);
      const response = await app.inject('/');
      expect(response.statusCode).toBe(500);
      expect(response.json<Failure>().code).toBe('FST_ERR_REP_INVALID_PAYLOAD_TYPE');
    });
  }

  test('a serializer that throws is answered 500', async () => {
    const app = ambit();
    app.setSerializerCompiler(() => () => {
      throw new Error('cannot serialize');
    });
    app.get('/', { schema: { response: { 200: {} } } }, () => all);
    const response = await app.inject('/');
    expect([response.statusCode, response.json<Failure>().message]).toEqual([500, 'cannot serialize']);
  });

  test('reply.serializer serializes this one reply, before every other', async () => {
    const app = ambit();
    app.setReplySerializer(() => 'of the context');
    app.get('/', { schema: { response: { 200: only('exact') } } }, (request, reply) => {
      const { own } = request.query as { own?: string };
      reply.type('application/x-own');
      return reply
        .serializer(own === undefined ? (value: object) => `keys ${Object.keys(value)}` : () => own)
        .send(all);
    });
    expect((await app.inject('/')).body).toBe(`keys ${Object.keys(all)}`);
    expect((await app.inject('/?own=mine')).body).toBe('mine');
  });

  test('reply.serializer may return bytes', async () => {
    const app = ambit();
    app.get('/', (_request, reply) =>
      reply
        .type('application/x-protobuf')
        .serializer(() => Buffer.from([1, 2, 3]))
        .send({ a: 1 }),
    );
    expect((await app.inject('/')).rawPayload).toEqual(Buffer.from([1, 2, 3]));
  });

  test('without a media type a reply with a serializer of its own names none', async () => {
    const app = ambit();
    app.get('/', (_request, reply) => reply.serializer(() => '<a/>').send({ a: 1 }));
    const response = await app.inject('/');
    expect([response.body, response.headers['content-type']]).toEqual(['<a/>', undefined]);
  });

  test('a reply.serializer that throws is answered 500 by the usual serializer', async () => {
    const app = ambit();
    app.get('/', (_request, reply) =>
      reply
        .serializer(() => {
          throw new Error('cannot serialize');
        })
        .send({ a: 1 }),
    );
    const response = await app.inject('/');
    expect([response.statusCode, response.json<Failure>().message]).toEqual([500, 'cannot serialize']);
  });

  test('setReplySerializer serializes every reply of its context and below, with the status', async () => {
    const app = ambit();
    app.get('/outside', () => ({ a: 1 }));
    app.register(async (child) => {
      child.setReplySerializer((payload: object, status) => `${status} ${JSON.stringify(payload)}`);
      child.get('/child', (_request, reply) => reply.code(201).send({ a: 1 }));
      child.register(async (grandchild) => {
        grandchild.get('/grandchild', () => ({ a: 1 }));
      });
    });
    expect((await app.inject('/outside')).body).toBe('{"a":1}');
    expect((await app.inject('/child')).body).toBe('201 {"a":1}');
    expect((await app.inject('/grandchild')).body).toBe('200 {"a":1}');
  });

  test('preSerialization hooks see the value before any serializer, and may replace it', async () => {
    const seen = vi.fn();
    const answer = await answerOf({ 200: only('exact') }, () => all, {
      preSerialization: async (_request, _reply, payload) => {
        seen(payload);
        return { exact: 'replaced', secret: 1 };
      },
    });
    expect(seen).toHaveBeenCalledWith(all);
    expect(answer.body).toBe('{"exact":"replaced"}');
  });
});

describe('nothing undeclared leaves', () => {
  const secrets: [string, object, unknown, string][] = [
    ['a property', { type: 'object', properties: { a: { type: 'number' } } }, { a: 1, secret: 1 }, '{"a":1}'],
    [
      'a nested property',
      { type: 'object', properties: { n: { type: 'object', properties: { a: { type: 'number' } } } } },
      { n: { a: 1, secret: 1 }, secret: 1 },
      '{"n":{"a":1}}',
    ],
    [
      'a property of an item',
      { type: 'array', items: { type: 'object', properties: { a: { type: 'number' } } } },
      [{ a: 1, secret: 1 }, { secret: 1 }],
      '[{"a":1},{}]',
    ],
    ['any property where none is declared', { type: 'object' }, { secret: 1 }, '{}'],
    [
      'a property of the prototype',
      { type: 'object', properties: { a: { type: 'number' } } },
      Object.create({ secret: 1 }, { a: { value: 1, enumerable: true } }),
      '{"a":1}',
    ],
    [
      'a property that matches no pattern',
      { type: 'object', patternProperties: { '^x-': { type: 'string' } } },
      { 'x-a': 'a', secret: 's' },
      '{"x-a":"a"}',
    ],
    [
      'a property beside anyOf',
      {
        type: 'object',
        properties: {
          v: { anyOf: [{ type: 'object', properties: { a: { type: 'string' } } }, { type: 'null' }] },
        },
      },
      { v: { a: 'a', secret: 's' } },
      '{"v":{"a":"a"}}',
    ],
    [
      'a property beside allOf',
      {
        allOf: [
          { type: 'object', properties: { a: { type: 'string' } } },
          { type: 'object', properties: { b: { type: 'string' } } },
        ],
      },
      { a: 'a', b: 'b', secret: 's' },
      '{"a":"a","b":"b"}',
    ],
    [
      'a property of what toJSON gives',
      { type: 'object', properties: { a: { type: 'number' } } },
      { toJSON: () => ({ a: 1, secret: 1 }) },
      '{"a":1}',
    ],
  ];
  for (const [name, schema, value, text] of secrets) {
    test(`${name} stays`, async () => {
      const answer = await answerOf({ 200: schema }, () => value);
      expect([answer.statusCode, answer.body]).toEqual([200, text]);
    });
  }

  test('where additional properties are declared they leave', async () => {
    const schema = { type: 'object', properties: { a: { type: 'number' } }, additionalProperties: true };
    expect((await answerOf({ 200: schema }, () => ({ a: 1, b: { c: 2 } }))).json()).toEqual({
      a: 1,
      b: { c: 2 },
    });
  });

  test('additional properties leave in the declared type only', async () => {
    const schema = {
      type: 'object',
      additionalProperties: { type: 'object', properties: { a: { type: 'number' } } },
    };
    expect((await answerOf({ 200: schema }, () => ({ x: { a: 1, secret: 1 } }))).body).toBe('{"x":{"a":1}}');
  });

  test('values are coerced to the declared type', async () => {
    const schema = {
      type: 'object',
      properties: { s: { type: 'string' }, n: { type: 'integer' }, b: { type: 'boolean' } },
    };
    expect((await answerOf({ 200: schema }, () => ({ s: 7, n: '8', b: 1 }))).body).toBe(
      '{"s":"7","n":8,"b":true}',
    );
  });

  test('missing values take the default', async () => {
    const schema = { type: 'object', properties: { a: { type: 'string', default: 'none' } } };
    expect((await answerOf({ 200: schema }, () => ({}))).body).toBe('{"a":"none"}');
  });

  for (const [name, value] of [
    ['a missing required property', {}],
    ['a value that cannot be coerced', { n: 'no number' }],
  ] as const) {
    test(`${name} is answered 500, without the value`, async () => {
      const schema = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
      const answer = await answerOf({ 200: schema }, () => ({ ...value, secret: 'hunter2' }));
      expect(answer.statusCode).toBe(500);
      expect(answer.body).not.toContain('hunter2');
    });
  }

  test('fields of an error beyond the declared ones stay', async () => {
    const failing = async () =>
      Promise.reject(Object.assign(new Error('refused'), { statusCode: 409, password: 'hunter2' }));
    const plain = await answerOf(undefined, failing);
    const declared = await answerOf(
      { 409: { type: 'object', properties: { message: { type: 'string' } } } },
      failing,
    );
    expect(plain.json()).toEqual({ statusCode: 409, error: 'Conflict', message: 'refused' });
    expect(declared.body).toBe('{"message":"refused"}');
  });

  test('the HEAD route of a GET says the length of what GET would send', async () => {
    const app = ambit();
    app.get('/', { schema: { response: { 200: only('exact') } } }, () => all);
    const response = await app.inject({ method: 'HEAD', url: '/' });
    expect([response.headers['content-length'], response.body]).toEqual(['17', '']);
  });
});
