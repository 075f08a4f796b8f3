// The default serializer engine in an application: errors of schemas at boot, errors of values in a request, options.
import { type AmbitOptions, ambit, type RouteSchema } from 'ambit';
import { describe, expect, test } from 'vitest';
import { LogLines } from '../../test/support/log-lines.ts';
import { serve } from '../../test/support/serve.ts';

type ResponseSchema = NonNullable<RouteSchema['response']>[string];

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });
const user = object({ id: { type: 'integer' }, name: { type: 'string' } }, { required: ['id'] });

async function bodyOf(schema: ResponseSchema, value: unknown, options: AmbitOptions = {}): Promise<string> {
  const app = ambit(options);
  app.get('/', { schema: { response: { 200: schema } } }, () => value);
  return (await app.inject('/')).body;
}

describe('a fault of a schema', () => {
  const loop: Record<string, unknown> = { $ref: '#/definitions/a' };
  const faults: [string, ResponseSchema, string][] = [
    ['a type that does not exist', object({ age: { type: 'intger' } }), '/properties/age/type'],
    ['a reference that leads nowhere', object({ a: { $ref: '#nowhere' } }), '/properties/a/$ref'],
    ['a reference to no shared schema', { type: 'array', items: { $ref: 'none#' } }, '/items/$ref'],
    ['a reference to itself', { ...loop, definitions: { a: loop } }, '/definitions/a'],
    ['properties that are no object', object([]), '/properties'],
    ['a pattern that is none', object({}, { patternProperties: { '(': {} } }), '/patternProperties/('],
    ['an empty anyOf', object({ a: { anyOf: [] } }), '/properties/a/anyOf'],
    ['types in allOf that exclude each other', { allOf: [user, { type: 'string' }] }, '/type'],
    [
      'an unused definition that is wrong',
      { ...user, definitions: { a: { type: 5 } } },
      '/definitions/a/type',
    ],
    ['a keyword that nothing is written from', object({ a: { minimum: '1' } }), '/properties/a/minimum'],
  ];
  for (const [what, schema, path] of faults) {
    test(`${what} fails the boot with context, route, file, and its path in the schema`, async () => {
      const app = ambit();
      app.register(async function shop(context) {
        context.get('/cart', { schema: { response: { 200: schema } } }, () => 'never');
      });
      await expect(app.ready()).rejects.toMatchObject({
        code: 'FST_ERR_SCH_SERIALIZATION_BUILD',
        message: expect.stringMatching(
          /^Failed building the serialization schema for GET: \/cart, due to error /,
        ),
        cause: { name: 'SchemaError', schemaPath: path },
        where: {
          plugin: expect.stringMatching(/> shop$/),
          route: 'GET /cart',
          file: expect.stringContaining('serializer-engine.test.ts'),
        },
      });
      await expect(app.ready()).rejects.toThrow(`in the schema, at ${path}`);
    });
  }

  test('of one of a few media types fails the boot too', async () => {
    const app = ambit();
    const content = { 'application/json': { schema: user }, 'text/csv': { schema: { type: 'no' } } };
    app.get('/', { schema: { response: { 200: { content } } } }, () => 'never');
    await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_SCH_SERIALIZATION_BUILD' });
  });

  test('in a shared schema names that schema', async () => {
    const app = ambit().addSchema({ $id: 'user', ...object({ age: { $ref: '#/definitions/none' } }) });
    app.get('/', { schema: { response: { 200: { $ref: 'user#' } } } }, () => 'never');
    await expect(app.ready()).rejects.toThrow('(in the schema, at user#/properties/age/$ref)');
  });
});

describe('a value that cannot be serialized', () => {
  const circle: { name: string; kids: unknown[] } = { name: 'a', kids: [] };
  circle.kids.push({ name: 'b', kids: [circle] });
  const tree = {
    type: 'object',
    properties: { name: { type: 'string' }, kids: { type: 'array', items: { $ref: '#' } } },
  };
  const rows = Array.from({ length: 500 }, (_, id) => ({ id, name: 'x'.repeat(200) }));
  const failing: [string, ResponseSchema, unknown, string, string][] = [
    ['a missing property', object({ user }), { user: { name: 'ada' } }, '"id" is required!', '/user'],
    [
      'a number that is none',
      object({ users: { type: 'array', items: user } }),
      { users: [{ id: 1 }, { id: 'two' }] },
      'The value "two" cannot be converted to an integer.',
      '/users/1/id',
    ],
    [
      'the last row of many',
      { type: 'array', items: user },
      [...rows, { name: 'ada' }],
      '"id" is required!',
      '/500',
    ],
    [
      'a value that matches no branch',
      object({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
      { a: 5 },
      "The value of '#/properties/a' does not match schema definition.",
      '/a',
    ],
    [
      'a getter that throws',
      object({ a: { type: 'string' } }),
      {
        get a() {
          throw new Error('no database');
        },
      },
      'no database',
      '/a',
    ],
    ['a circle', tree, circle, 'a value that contains itself cannot be written as JSON', '/kids/0/kids/0'],
    [
      'a bigint without a schema',
      object({ a: {} }),
      { a: [1n] },
      'a bigint needs a schema of type integer or number to be written as JSON',
      '/a/0',
    ],
    [
      'an invalid date',
      object({ a: { type: 'string' } }),
      { a: new Date(Number.NaN) },
      'Invalid time value',
      '/a',
    ],
  ];
  for (const [what, schema, value, message, path] of failing) {
    test(`${what} is answered 500 as a whole, and logged with its path`, async () => {
      const stream = new LogLines();
      const app = ambit({ logger: { stream } });
      app.get('/', { schema: { response: { 200: schema } } }, () => value);
      const response = await fetch(await serve(app));
      const body = await response.text();
      expect(response.status).toBe(500);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(response.headers.get('content-length')).toBe(String(Buffer.byteLength(body)));
      expect(JSON.parse(body)).toEqual({ statusCode: 500, error: 'Internal Server Error', message });
      const errors = stream.lines.filter(({ err }) => err !== undefined);
      expect(errors).toHaveLength(1);
      // Pino appends the message of the cause to that of the error.
      expect(errors[0]!.err).toMatchObject({
        type: 'SerializationError',
        message: expect.stringContaining(message),
        path,
      });
    });
  }

  test('leaves the connection good for the next request', async () => {
    const app = ambit();
    app.get('/:id', { schema: { response: { 200: user } } }, ({ params }) => params);
    const origin = await serve(app);
    const statuses: number[] = [];
    for (const id of ['1', 'x', '2']) statuses.push((await fetch(`${origin}/${id}`)).status);
    expect(statuses).toEqual([200, 500, 200]);
  });

  test('is an error for error handlers, with the cause, the path and the mark of the ecosystem', async () => {
    const app = ambit();
    const cause = new Error('no database');
    const seen: unknown[] = [];
    app.setErrorHandler((error, _request, reply) => {
      seen.push(error);
      return reply.code(503).send({ sorry: true });
    });
    const value = {
      get name() {
        throw cause;
      },
    };
    app.get('/', { schema: { response: { 200: object({ name: { type: 'string' } }) } } }, () => value);
    expect((await app.inject('/')).body).toBe('{"sorry":true}');
    expect(seen).toEqual([expect.objectContaining({ message: 'no database', path: '/name', cause })]);
    expect(seen[0]).toHaveProperty('serialization.url', '/');
  });

  test('that is an error itself, under a schema for errors, falls back to a plain answer', async () => {
    const app = ambit();
    const response = { 500: object({ count: { type: 'integer' } }, { required: ['count'] }) };
    app.get('/', { schema: { response } }, () => Promise.reject(new Error('first')));
    const answer = await app.inject('/');
    expect([answer.statusCode, answer.json<{ message: string }>().message]).toEqual([500, 'first']);
  });
});

describe('options of the engine', () => {
  for (const [rounding, written] of [
    [undefined, 1],
    ['trunc', 1],
    ['floor', 1],
    ['round', 2],
    ['ceil', 2],
  ] as const) {
    test(`rounding ${rounding} writes the integer 1.5 as ${written}`, async () => {
      const serializerOpts = rounding === undefined ? {} : { rounding };
      expect(await bodyOf(object({ a: { type: 'integer' } }), { a: 1.5 }, { serializerOpts })).toBe(
        `{"a":${written}}`,
      );
    });
  }

  test('those of fast-json-stringify leave the output as it is', async () => {
    const serializerOpts = {
      ajv: { strictSchema: true },
      compileValidators: true,
      largeArrayMechanism: 'json-stringify',
      largeArraySize: 1,
      maxDepth: 1,
      mode: 'standalone',
      objectMechanism: 'native',
      schema: { other: {} },
    };
    const schema = { type: 'array', items: object({ a: { type: 'integer' } }) };
    const written = await bodyOf(schema, [{ a: '7', secret: 1 }], { serializerOpts });
    expect(written).toBe('[{"a":7}]');
  });
});

describe('sharing', () => {
  const response = () => ({ 200: object({ name: { type: 'string' } }) });

  test('routes with schemas of equal content share one serializer, and only within one set of shared schemas', async () => {
    const app = ambit({ reportSerialization: false });
    const found = new Map<string, unknown>();
    for (const url of ['/a', '/b']) {
      app.get(url, { schema: { response: response() } }, (_request, reply) => {
        found.set(url, reply.getSerializationFunction(200));
        return {};
      });
    }
    app.register(async (child) => {
      child.addSchema({ $id: 'own', type: 'string' });
      child.get('/c', { schema: { response: response() } }, (_request, reply) => {
        found.set('/c', reply.getSerializationFunction(200));
        return {};
      });
    });
    for (const url of ['/a', '/b', '/c']) await app.inject(url);
    expect(found.get('/a')).toBe(found.get('/b'));
    expect(found.get('/a')).not.toBe(found.get('/c'));
  });

  test('two contexts with different schemas under one $id never share', async () => {
    const app = ambit();
    for (const [prefix, type] of [
      ['/text', 'string'],
      ['/number', 'integer'],
    ]) {
      app.register(
        async (child) => {
          child.addSchema({ $id: 'id', type });
          child.get('/', { schema: { response: { 200: object({ id: { $ref: 'id#' } }) } } }, () => ({
            id: 7,
          }));
        },
        { prefix: prefix! },
      );
    }
    expect((await app.inject('/text')).body).toBe('{"id":"7"}');
    expect((await app.inject('/number')).body).toBe('{"id":7}');
  });

  test('a route may use a shared schema whole', async () => {
    const shared = { $id: 'user', ...user, definitions: { deep: { type: 'string' } } };
    const app = ambit().addSchema(shared);
    app.get('/', { schema: { response: { 200: shared } } }, () => ({ id: '7', name: 8, secret: 1 }));
    expect((await app.inject('/')).body).toBe('{"id":7,"name":"8"}');
  });
});
