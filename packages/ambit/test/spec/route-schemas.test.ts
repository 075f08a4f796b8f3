// Spec 2.2: the `schema` object of a route, its aliases and its short form.
import { ambit, type RouteSchema } from 'ambit';
import { expect, test } from 'vitest';

const nameSchema = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

for (const method of ['POST', 'PUT', 'PATCH']) {
  test(`body validates the body of ${method} requests`, async () => {
    const app = ambit();
    app.route({ method, url: '/', schema: { body: nameSchema }, handler: (request) => request.body });
    const accepted = await app.inject({ method, url: '/', body: { name: 'ada' } });
    const refused = await app.inject({ method, url: '/', body: {} });
    expect(accepted.statusCode).toBe(200);
    expect(accepted.json()).toEqual({ name: 'ada' });
    expect(refused.statusCode).toBe(400);
    expect(refused.json<{ message: string }>().message).toBe("body should have required property 'name'");
  });
}

for (const method of ['GET', 'HEAD', 'TRACE']) {
  test(`a body schema on ${method}, whose requests have no body, is refused`, () => {
    const app = ambit();
    const declare = () => app.route({ method, url: '/pets', schema: { body: nameSchema }, handler: () => 1 });
    expect(declare).toThrow(
      expect.objectContaining({
        code: 'FST_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED',
        where: expect.objectContaining({ route: `${method} /pets` }),
      }),
    );
  });
}

test('a body schema on a list of methods that includes GET is refused', () => {
  const app = ambit();
  expect(() =>
    app.route({ method: ['GET', 'POST'], url: '/', schema: { body: nameSchema }, handler: () => 1 }),
  ).toThrow(expect.objectContaining({ code: 'FST_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED' }));
});

for (const key of ['querystring', 'query'] as const) {
  test(`${key} validates the query string`, async () => {
    const app = ambit();
    const schema = {
      [key]: { type: 'object', required: ['page'], properties: { page: { type: 'integer' } } },
    };
    app.get('/', { schema }, (request) => request.query);
    expect((await app.inject('/?page=2')).json()).toEqual({ page: 2 });
    expect((await app.inject('/')).json<{ message: string }>().message).toBe(
      "querystring should have required property 'page'",
    );
    expect((await app.inject('/?page=two')).statusCode).toBe(400);
  });
}

for (const [what, schema] of [
  ['two schemas', { querystring: { a: { type: 'string' } }, query: { b: { type: 'string' } } }],
  ['the schema false twice', { querystring: false, query: false }],
] as const) {
  test(`querystring and its alias together, ${what}, are refused at boot, where nobody could tell which counts`, async () => {
    const app = ambit();
    app.get('/list', { schema } as object, () => 1);
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_SCH_DUPLICATE',
      where: { plugin: 'ambit', route: 'GET /list' },
    });
  });
}

test('the alias with the schema false refuses every query string, of HEAD as of GET', async () => {
  const app = ambit();
  app.get('/list', { schema: { query: false } }, () => 1);
  const statuses = ['GET', 'HEAD'].map(
    async (method) => (await app.inject({ method: method as 'GET', url: '/list' })).statusCode,
  );
  expect(await Promise.all(statuses)).toEqual([400, 400]);
});

test('params validates the route params', async () => {
  const app = ambit();
  app.get(
    '/:id',
    { schema: { params: { type: 'object', properties: { id: { type: 'integer' } } } } },
    (request) => request.params,
  );
  expect((await app.inject('/7')).json()).toEqual({ id: 7 });
  expect((await app.inject('/seven')).json()).toMatchObject({
    statusCode: 400,
    message: 'params/id should be integer',
  });
});

test('headers validates the request headers, whatever the case of their names in the schema', async () => {
  const app = ambit();
  const headers = { type: 'object', required: ['X-Tenant'], properties: { 'X-Tenant': { type: 'integer' } } };
  app.get('/', { schema: { headers } }, (request) => ({ tenant: request.headers['x-tenant'] }));
  expect((await app.inject({ url: '/', headers: { 'x-TENANT': '5' } })).json()).toEqual({ tenant: 5 });
  expect((await app.inject('/')).json<{ message: string }>().message).toBe(
    "headers should have required property 'x-tenant'",
  );
});

test('response holds the output schemas, by status', async () => {
  const app = ambit();
  const response = { 200: { type: 'object', properties: { name: { type: 'string' } } } };
  app.get('/', { schema: { response } }, () => ({ name: 'ada', secret: 'x' }));
  expect((await app.inject('/')).json()).toEqual({ name: 'ada' });
});

test('keys that are none of these are annotations, shown but without effect', async () => {
  const app = ambit();
  app.get('/', { schema: { summary: 'lists', tags: ['pets'] } }, (request) => request.routeOptions.schema);
  expect((await app.inject('/')).json()).toEqual({ summary: 'lists', tags: ['pets'] });
});

const shortForms: [string, RouteSchema, string, string][] = [
  ['body', { body: { age: { type: 'integer' } } }, '/1', 'body/age should be integer'],
  [
    'querystring',
    { querystring: { age: { type: 'integer' } } },
    '/1?age=old',
    'querystring/age should be integer',
  ],
  ['query', { query: { age: { type: 'integer' } } }, '/1?age=old', 'querystring/age should be integer'],
  ['params', { params: { id: { type: 'integer' } } }, '/one', 'params/id should be integer'],
  ['headers', { headers: { 'X-Age': { type: 'integer' } } }, '/1', 'headers/x-age should be integer'],
];
for (const [part, schema, url, message] of shortForms) {
  test(`${part} may be given in short form`, async () => {
    const app = ambit();
    app.post('/:id', { schema }, () => 'ok');
    const reply = await app.inject({
      method: 'POST',
      url,
      headers: { 'x-age': 'old' },
      body: { age: 'old' },
    });
    expect(reply.statusCode).toBe(400);
    expect(reply.json<{ message: string }>().message).toBe(message);
  });

  test(`the short form of ${part} means the same as the full form`, async () => {
    const app = ambit();
    const [key, short] = Object.entries(schema)[0]!;
    app.post('/:id', { schema: { [key]: { type: 'object', properties: short } } }, () => 'ok');
    const reply = await app.inject({
      method: 'POST',
      url,
      headers: { 'x-age': 'old' },
      body: { age: 'old' },
    });
    expect(reply.json<{ message: string }>().message).toBe(message);
  });
}

test('the short form coerces and requires nothing: its parameters are optional', async () => {
  const app = ambit();
  app.get(
    '/',
    { schema: { querystring: { age: { type: 'integer' }, name: { type: 'string' } } } },
    (request) => request.query,
  );
  expect((await app.inject('/?age=3&name=4')).json()).toEqual({ age: 3, name: '4' });
  expect((await app.inject('/')).json()).toEqual({});
});

test('parameters of the short form may have the names of keywords that never hold a schema', async () => {
  const app = ambit();
  const querystring = { title: { type: 'string' }, minimum: { type: 'integer' } };
  app.get('/', { schema: { querystring } }, (request) => request.query);
  expect((await app.inject('/?title=a&minimum=3')).json()).toEqual({ title: 'a', minimum: 3 });
  expect((await app.inject('/?minimum=x')).json<{ message: string }>().message).toBe(
    'querystring/minimum should be integer',
  );
});

for (const [keyword, value] of [
  ['type', { type: 'integer' }],
  ['anyOf', false],
  ['properties', true],
  ['title', true],
] as const) {
  test(`a schema with ${keyword}: ${JSON.stringify(value)} at its top level is no short form, and fails the boot`, async () => {
    const app = ambit();
    app.get('/', { schema: { querystring: { page: { type: 'integer' }, [keyword]: value } } }, () => 'ok');
    await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_SCH_VALIDATION_BUILD' });
  });
}

test('any name may be declared in a full schema', async () => {
  const app = ambit();
  const properties = { title: { type: 'string' }, type: { type: 'integer' } };
  app.get('/', { schema: { querystring: { type: 'object', properties } } }, (request) => request.query);
  expect((await app.inject('/?title=a&type=3')).json()).toEqual({ title: 'a', type: 3 });
});

const fullSchemas: [string, object, unknown, unknown][] = [
  ['type', { type: 'string' }, '"text"', '{}'],
  ['properties', { properties: { a: { type: 'integer' } } }, '{"a":1}', '{"a":"x"}'],
  ['required', { required: ['a'] }, '{"a":1}', '{}'],
  ['oneOf', { oneOf: [{ type: 'integer' }, { type: 'boolean' }] }, '1', '"x"'],
  ['anyOf', { anyOf: [{ type: 'integer' }] }, '1', '"x"'],
  ['allOf', { allOf: [{ type: 'integer' }] }, '1', '"x"'],
  ['not', { not: { type: 'string' } }, '1', '"x"'],
  // biome-ignore lint/suspicious/noThenProperty: `then` is a JSON Schema keyword, and this schema is never awaited.
  ['if', { if: { type: 'string' }, then: { enum: ['a'] } }, '"a"', '"b"'],
  ['enum', { enum: ['a'] }, '"a"', '"b"'],
  ['const', { const: 'a' }, '"a"', '"b"'],
];
for (const [keyword, body, good, bad] of fullSchemas) {
  test(`an object with ${keyword} at its top level is a full schema, not the short form`, async () => {
    const app = ambit({ ajv: { customOptions: { coerceTypes: false, strictTypes: false } } });
    app.post('/', { schema: { body } }, () => 'ok');
    const headers = { 'content-type': 'application/json' };
    const accepted = await app.inject({ method: 'POST', url: '/', headers, body: good as string });
    const refused = await app.inject({ method: 'POST', url: '/', headers, body: bad as string });
    expect(accepted.statusCode).toBe(200);
    expect(refused.statusCode).toBe(400);
  });
}

test('a boolean schema counts: false refuses every body, true accepts every body', async () => {
  const app = ambit();
  app.post('/none', { schema: { body: false } }, () => 'ok');
  app.post('/any', { schema: { body: true } }, () => 'ok');
  expect((await app.inject({ method: 'POST', url: '/none', body: { a: 1 } })).statusCode).toBe(400);
  expect((await app.inject({ method: 'POST', url: '/any', body: { a: 1 } })).statusCode).toBe(200);
});

test('a part that is explicitly undefined is warned about and validates nothing', async () => {
  const app = ambit();
  const warned = new Promise<NodeJS.ErrnoException>((resolve) => process.once('warning', resolve));
  app.get('/', { schema: { querystring: undefined as never } }, () => 'ok');
  expect((await app.inject('/')).statusCode).toBe(200);
  expect(await warned).toMatchObject({ code: 'FSTWRN001' });
});

for (const [what, schema] of [
  ['an unknown keyword', { body: { type: 'object', propertees: {} } }],
  ['an unknown type', { body: { type: 'strnig' } }],
  ['a minimum that is no number', { params: { a: { type: 'number', minimum: 'x' } } }],
] as const) {
  test(`a schema with ${what} fails at boot and names the route`, async () => {
    const app = ambit();
    app.register(async function pets(context) {
      context.post('/pets/:a', { schema }, () => 1);
    });
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_SCH_VALIDATION_BUILD',
      where: {
        plugin: 'ambit > pets',
        route: 'POST /pets/:a',
        file: expect.stringContaining('route-schemas.test.ts'),
      },
    });
  });
}
