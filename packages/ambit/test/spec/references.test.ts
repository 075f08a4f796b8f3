/** Spec 4.8: every form of `$ref`, for the validator and for the serializer. */
import { ambit, type Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import type { Failure } from '../support/failure.ts';

const city = { type: 'object', required: ['city'], properties: { city: { type: 'string', maxLength: 6 } } };

/** Shared under both kinds of `$id`, with every place that a reference of the table can point to. */
const sharedSchema = ($id: string) => ({
  $id,
  type: 'object',
  required: ['city'],
  definitions: {
    place: city,
    marked: { $id: '#spot', ...city },
  },
  properties: { city: { type: 'string', maxLength: 6 }, town: city },
});

/** Form of the reference, the schema whose property `home` is reached through it, the shared schema's id. */
const forms = (id: string): [string, object][] => [
  ['#<id>', { type: 'object', properties: { first: { $id: '#spot', ...city }, home: { $ref: '#spot' } } }],
  [
    '#<id> of a definition',
    {
      type: 'object',
      definitions: { any: { $id: '#spot', ...city } },
      properties: { home: { $ref: '#spot' } },
    },
  ],
  [
    '#/definitions/<name>',
    { type: 'object', definitions: { place: city }, properties: { home: { $ref: '#/definitions/place' } } },
  ],
  ['<shared_id>#', { type: 'object', properties: { home: { $ref: `${id}#` } } }],
  ['<shared_id>', { type: 'object', properties: { home: { $ref: id } } }],
  [
    '<shared_id>#/definitions/<name>',
    { type: 'object', properties: { home: { $ref: `${id}#/definitions/place` } } },
  ],
  ['<shared_id>#<id>', { type: 'object', properties: { home: { $ref: `${id}#spot` } } }],
  [
    '<shared_id>#/properties/<name>',
    { type: 'object', properties: { home: { $ref: `${id}#/properties/town` } } },
  ],
];

const json = { 'content-type': 'application/json' };

async function validate(app: Context, body: object, value: unknown) {
  app.post('/', { schema: { body } }, (request) => ({ body: request.body }));
  const response = await app.inject({ method: 'POST', url: '/', headers: json, body: JSON.stringify(value) });
  return { status: response.statusCode, body: response.json<Failure>() };
}

async function serialize(app: Context, response: object, value: unknown) {
  app.get('/', { schema: { response: { 200: response } } }, () => value);
  return (await app.inject('/')).body;
}

for (const id of ['address', 'http://example.com/address.json', 'urn:example:address']) {
  const withShared = () => ambit().addSchema(sharedSchema(id));

  describe(`with the shared id ${id}`, () => {
    for (const [form, schema] of forms(id)) {
      test(`${form} resolves for the validator`, async () => {
        expect((await validate(withShared(), schema, { home: { city: 'Milano' } })).status).toBe(200);
        const bad = await validate(withShared(), schema, { home: { city: 'Firenze' } });
        expect([bad.status, bad.body.message]).toEqual([
          400,
          'body/home/city should NOT have more than 6 characters',
        ]);
        expect((await validate(withShared(), schema, { home: {} })).status).toBe(400);
      });

      test(`${form} resolves for the serializer`, async () => {
        const value = { home: { city: 'Milano', secret: 1 }, secret: 2 };
        expect(await serialize(withShared(), schema, value)).toBe('{"home":{"city":"Milano"}}');
      });
    }

    for (const reference of [`${id}#/properties/city`, `${id}#/properties/town/properties/city`]) {
      test(`${reference} resolves as the items of an array, for both`, async () => {
        const list = {
          type: 'object',
          properties: { cities: { type: 'array', items: { $ref: reference } } },
        };
        expect((await validate(withShared(), list, { cities: ['Milano', 'Roma'] })).status).toBe(200);
        expect((await validate(withShared(), list, { cities: ['Milano', 'Firenze'] })).status).toBe(400);
        expect(await serialize(withShared(), list, { cities: ['Milano', 7] })).toBe(
          '{"cities":["Milano","7"]}',
        );
      });
    }

    test('a root $ref is a whole body schema', async () => {
      const body = { $ref: `${id}#` };
      expect((await validate(withShared(), body, { city: 'Milano' })).status).toBe(200);
      const bad = await validate(withShared(), body, {});
      expect([bad.status, bad.body.message]).toEqual([400, "body should have required property 'city'"]);
    });

    test('a root $ref is a whole headers schema', async () => {
      const app = withShared();
      app.get('/', { schema: { headers: { $ref: `${id}#` } } }, () => 'handled');
      expect((await app.inject({ url: '/', headers: { City: 'Milano' } })).statusCode).toBe(200);
      const bad = await app.inject('/');
      expect([bad.statusCode, bad.json<Failure>().message]).toEqual([
        400,
        "headers should have required property 'city'",
      ]);
    });

    test('a root $ref is a whole params or query string schema', async () => {
      const app = withShared();
      const root = { $ref: `${id}#` };
      app.get('/:city', { schema: { params: root, querystring: root } }, () => 'handled');
      expect((await app.inject('/Roma?city=Roma')).statusCode).toBe(200);
      expect((await app.inject('/Firenze?city=Roma')).json<Failure>().message).toMatch(/^params\/city/);
      expect((await app.inject('/Roma?city=Firenze')).json<Failure>().message).toMatch(/^querystring\/city/);
    });

    test('a root $ref is a whole response schema', async () => {
      expect(await serialize(withShared(), { $ref: `${id}#` }, { city: 'Roma', secret: 1 })).toBe(
        '{"city":"Roma"}',
      );
    });

    test('a root $ref may point into the shared schema', async () => {
      const root = { $ref: `${id}#/definitions/place` };
      expect((await validate(withShared(), root, { city: 'Firenze' })).status).toBe(400);
      expect(await serialize(withShared(), root, { city: 'Roma', secret: 1 })).toBe('{"city":"Roma"}');
    });

    test('a root $ref is the schema of one media type', async () => {
      const content = { 'application/json': { schema: { $ref: `${id}#` } } };
      expect((await validate(withShared(), { content }, { city: 'Firenze' })).status).toBe(400);
      expect((await validate(withShared(), { content }, { city: 'Roma' })).status).toBe(200);
      expect(await serialize(withShared(), { content }, { city: 'Roma', secret: 1 })).toBe('{"city":"Roma"}');
    });

    test('a shared schema may be used as it is, by value', async () => {
      const app = withShared();
      const whole = app.getSchema(id) as object;
      expect((await validate(app, whole, { city: 'Firenze' })).status).toBe(400);
      const other = withShared();
      expect(await serialize(other, other.getSchema(id) as object, { city: 'Roma', secret: 1 })).toBe(
        '{"city":"Roma"}',
      );
    });
  });
}

describe('beyond the table', () => {
  test('a shared schema may refer to another, whichever was added first', async () => {
    const user = { $id: 'user', type: 'object', properties: { address: { $ref: 'address#' } } };
    const address = { $id: 'address', ...city };
    for (const order of [
      [user, address],
      [address, user],
    ]) {
      const make = () => order.reduce((app, schema) => app.addSchema(schema), ambit());
      expect((await validate(make(), { $ref: 'user#' }, { address: { city: 'Firenze' } })).status).toBe(400);
      expect((await validate(make(), { $ref: 'user#' }, { address: { city: 'Roma' } })).status).toBe(200);
      const value = { address: { city: 'Roma', secret: 1 } };
      expect(await serialize(make(), { $ref: 'user#' }, value)).toBe('{"address":{"city":"Roma"}}');
    }
  });

  test('a schema may refer to itself', async () => {
    const node = {
      $id: 'node',
      type: 'object',
      required: ['n'],
      properties: { n: { type: 'integer' }, next: { $ref: '#' } },
    };
    const make = () => ambit().addSchema(node);
    expect((await validate(make(), { $ref: 'node#' }, { n: 1, next: { n: 2, next: { n: 3 } } })).status).toBe(
      200,
    );
    expect((await validate(make(), { $ref: 'node#' }, { n: 1, next: { n: 2, next: {} } })).status).toBe(400);
    const value = { n: 1, secret: 0, next: { n: 2, secret: 0 } };
    expect(await serialize(make(), { $ref: 'node#' }, value)).toBe('{"n":1,"next":{"n":2}}');
  });

  test('defaults and coercion work through references', async () => {
    const app = ambit().addSchema({
      $id: 'page',
      type: 'object',
      properties: {
        size: { type: 'integer', default: 10 },
        ids: { type: 'array', items: { type: 'integer' } },
      },
    });
    app.get('/', { schema: { querystring: { $ref: 'page#' } } }, (request) => request.query);
    expect((await app.inject('/?ids=7')).json()).toEqual({ size: 10, ids: [7] });
  });

  test('references work in oneOf, anyOf and allOf, for both', async () => {
    const make = () =>
      ambit()
        .addSchema({ $id: 'a', type: 'object', required: ['a'], properties: { a: { type: 'string' } } })
        .addSchema({ $id: 'b', type: 'object', required: ['b'], properties: { b: { type: 'string' } } });
    const both = [{ $ref: 'a#' }, { $ref: 'b#' }];
    for (const keyword of ['oneOf', 'anyOf']) {
      const schema = { type: 'object', properties: { v: { [keyword]: both } } };
      expect((await validate(make(), schema, { v: { b: 'x' } })).status).toBe(200);
      expect((await validate(make(), schema, { v: { c: 'x' } })).status).toBe(400);
      expect(await serialize(make(), schema, { v: { b: 'x', secret: 1 } })).toBe('{"v":{"b":"x"}}');
    }
    expect((await validate(make(), { allOf: both }, { a: 'x' })).status).toBe(400);
    expect(await serialize(make(), { allOf: both }, { a: 'x', b: 'y', secret: 1 })).toBe('{"a":"x","b":"y"}');
  });

  test('two routes may refer to the same shared schema', async () => {
    const app = ambit().addSchema({ $id: 'address', ...city });
    const schema = { body: { $ref: 'address#' }, response: { 200: { $ref: 'address#' } } };
    app.post('/a', { schema }, (request) => request.body);
    app.post('/b', { schema }, (request) => request.body);
    for (const url of ['/a', '/b']) {
      const response = await app.inject({
        method: 'POST',
        url,
        headers: json,
        body: '{"city":"Roma","secret":1}',
      });
      expect(response.body).toBe('{"city":"Roma"}');
    }
  });

  test('two routes may use the same id inside of their own schemas', async () => {
    const schemaOf = (maxLength: number) => ({
      type: 'object',
      definitions: { any: { $id: '#spot', type: 'string', maxLength } },
      properties: { v: { $ref: '#spot' } },
    });
    const app = ambit();
    app.post('/3', { schema: { body: schemaOf(3) } }, () => 'handled');
    app.post('/5', { schema: { body: schemaOf(5) } }, () => 'handled');
    const send = (url: string) => app.inject({ method: 'POST', url, headers: json, body: '{"v":"abcd"}' });
    expect((await send('/3')).statusCode).toBe(400);
    expect((await send('/5')).statusCode).toBe(200);
  });

  test('a child sees its own schema and its parent’s, a sibling does not', async () => {
    const app = ambit().addSchema({ $id: 'outer', ...city });
    const both = { type: 'object', properties: { o: { $ref: 'outer#' }, i: { $ref: 'inner#' } } };
    app.register(async (child) => {
      child.addSchema({ $id: 'inner', type: 'integer' });
      child.post('/', { schema: { body: both, response: { 200: both } } }, (request) => request.body);
    });
    const send = (body: string) => app.inject({ method: 'POST', url: '/', headers: json, body });
    expect((await send('{"o":{"city":"Roma"},"i":7}')).body).toBe('{"o":{"city":"Roma"},"i":7}');
    expect((await send('{"i":"seven"}')).statusCode).toBe(400);

    const clash = ambit();
    clash.register(async (child) => void child.addSchema({ $id: 'inner', type: 'integer' }));
    clash.register(
      async (sibling) => void sibling.post('/', { schema: { body: { $ref: 'inner#' } } }, () => ''),
    );
    await expect(clash.ready()).rejects.toMatchObject({ code: 'FST_ERR_SCH_VALIDATION_BUILD' });
  });
});

describe('references that lead nowhere', () => {
  const nowhere = [
    '#nowhere',
    '#/definitions/nowhere',
    'nowhere#',
    'address#/definitions/nowhere',
    'address#nowhere',
  ];
  for (const $ref of nowhere) {
    for (const [part, schema] of [
      ['body', { body: { type: 'object', properties: { home: { $ref } } } }],
      ['root body', { body: { $ref } }],
      ['query string', { querystring: { type: 'object', properties: { home: { $ref } } } }],
    ] as const) {
      test(`${$ref} in the ${part} fails the boot, with the place`, async () => {
        const app = ambit().addSchema(sharedSchema('address'));
        app.register(async function shop(child) {
          child.post('/cart', { schema }, () => 'never');
        });
        await expect(app.ready()).rejects.toMatchObject({
          code: 'FST_ERR_SCH_VALIDATION_BUILD',
          message: expect.stringContaining('/cart'),
          where: {
            plugin: expect.stringContaining('shop'),
            route: 'POST /cart',
            file: expect.stringContaining('references.test.ts'),
          },
        });
      });
    }

    test(`${$ref} in a response fails the boot, with the place`, async () => {
      const app = ambit().addSchema(sharedSchema('address'));
      const response = { 200: { type: 'object', properties: { home: { $ref } } } };
      app.get('/cart', { schema: { response } }, () => 'never');
      await expect(app.ready()).rejects.toMatchObject({
        code: 'FST_ERR_SCH_SERIALIZATION_BUILD',
        message: expect.stringContaining('/cart'),
        where: { route: 'GET /cart' },
      });
    });
  }
});
