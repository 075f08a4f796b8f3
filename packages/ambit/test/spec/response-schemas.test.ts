// Spec 2.4: the keys of a response schema, and what an entry may hold.
import { ambit, type RouteSchema } from 'ambit';
import { expect, test } from 'vitest';

const only = (name: string) => ({ type: 'object', properties: { [name]: { type: 'integer' } } });
const everything = { exact: 1, pattern: 1, fallback: 1, secret: 1 };

/** A route that answers `everything` with the status in its URL. */
function serve(response: RouteSchema['response']) {
  const app = ambit();
  app.get<{ Params: { status: string } }>(
    '/:status',
    { schema: { response: response! } },
    (request, reply) => {
      reply.code(Number(request.params.status)).send(everything);
    },
  );
  return async (status: number) => (await app.inject(`/${status}`)).json();
}

test('an exact status code is a key, as a number or as text', async () => {
  const get = serve({ 200: only('exact'), '404': only('pattern') });
  expect(await get(200)).toEqual({ exact: 1 });
  expect(await get(404)).toEqual({ pattern: 1 });
});

for (const family of [2, 3, 4, 5]) {
  test(`the pattern ${family}xx serves every status of its hundred and no other`, async () => {
    const get = serve({ [`${family}xx`]: only('pattern') });
    expect(await get(family * 100)).toEqual({ pattern: 1 });
    expect(await get(family * 100 + 99)).toEqual({ pattern: 1 });
    expect(await get(family === 5 ? 499 : (family + 1) * 100)).toEqual(everything);
  });
}

test('the pattern is case-insensitive', async () => {
  expect(await serve({ '2XX': only('pattern') })(201)).toEqual({ pattern: 1 });
});

test('an exact status is more specific than its pattern, and the pattern than default', async () => {
  const get = serve({ default: only('fallback'), '2xx': only('pattern'), 201: only('exact') });
  expect(await get(201)).toEqual({ exact: 1 });
  expect(await get(202)).toEqual({ pattern: 1 });
  expect(await get(404)).toEqual({ fallback: 1 });
});

for (const status of [200, 302, 404, 500]) {
  test(`default serves status ${status} when there is no more specific entry`, async () => {
    expect(await serve({ default: only('fallback') })(status)).toEqual({ fallback: 1 });
  });
}

test('a status without an entry is serialized whole', async () => {
  expect(await serve({ 200: only('exact') })(201)).toEqual(everything);
});

test('an entry may be in short form', async () => {
  expect(await serve({ 200: { exact: { type: 'integer' } } })(200)).toEqual({ exact: 1 });
  expect(await serve({ '4xx': { pattern: { type: 'integer' } } })(404)).toEqual({ pattern: 1 });
  expect(await serve({ default: { fallback: { type: 'integer' } } })(404)).toEqual({ fallback: 1 });
});

/** A route that answers `everything` under the media type that the header `x-type` asks for. */
function serveContent(response: RouteSchema['response']) {
  const app = ambit();
  app.get('/', { schema: { response: response! } }, (request, reply) => {
    reply.type(String(request.headers['x-type'])).send(everything);
  });
  return async (type: string) => (await app.inject({ url: '/', headers: { 'x-type': type } })).json();
}

const content = {
  'application/json': { schema: only('exact') },
  'application/vnd.v1+json': { schema: only('pattern') },
};

test('an entry may hold a description and a content map that selects the schema by media type', async () => {
  const get = serveContent({ 200: { description: 'by type', content } });
  expect(await get('application/json')).toEqual({ exact: 1 });
  expect(await get('application/vnd.v1+json')).toEqual({ pattern: 1 });
});

test('the media type is compared without its parameters and case', async () => {
  const get = serveContent({ 200: { content } });
  expect(await get('application/vnd.v1+json; charset=utf-8')).toEqual({ pattern: 1 });
  expect(await get('Application/VND.v1+JSON')).toEqual({ pattern: 1 });
});

test('a pattern and default may hold content maps too', async () => {
  expect(await serveContent({ '2xx': { content } })('application/vnd.v1+json')).toEqual({ pattern: 1 });
  expect(await serveContent({ default: { content } })('application/json')).toEqual({ exact: 1 });
});

test('the media type */* takes what no other entry takes', async () => {
  const get = serveContent({ 200: { content: { ...content, '*/*': { schema: only('fallback') } } } });
  expect(await get('application/json')).toEqual({ exact: 1 });
  expect(await get('application/other+json')).toEqual({ fallback: 1 });
});

test('the schemas in a content map may be in short form', async () => {
  const get = serveContent({
    200: { content: { 'application/json': { schema: { exact: { type: 'integer' } } } } },
  });
  expect(await get('application/json')).toEqual({ exact: 1 });
});

test('a property of the short form may be called content', async () => {
  const app = ambit();
  const response = { 200: { content: { type: 'string' }, description: { type: 'string' } } };
  app.get('/', { schema: { response } }, () => ({ content: 'c', description: 'd', secret: 's' }));
  expect((await app.inject('/')).json()).toEqual({ content: 'c', description: 'd' });
});

for (const key of ['600', '99', '0xx', '6xx', '2x', 'ok', 'type', 'properties', '20']) {
  test(`the key ${key} is refused at boot, with the route`, async () => {
    const app = ambit();
    app.get('/pets', { schema: { response: { [key]: only('exact') } } }, () => 1);
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_SCH_SERIALIZATION_BUILD',
      cause: { code: 'FST_ERR_SCH_RESPONSE_SCHEMA_NOT_NESTED_2XX' },
      where: {
        plugin: 'ambit',
        route: 'GET /pets',
        file: expect.stringContaining('response-schemas.test'),
      },
    });
  });
}

for (const key of ['100', '599', '1xx', '5xx']) {
  test(`the key ${key} is accepted`, async () => {
    const app = ambit();
    app.get('/', { schema: { response: { [key]: only('exact') } } }, () => 1);
    await app.ready();
  });
}

test('a media type without a schema is refused at boot', async () => {
  const app = ambit();
  const response = { 200: { content: { 'application/json': { example: {} } } } };
  app.get('/pets', { schema: { response } }, () => ({}));
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_SCH_CONTENT_MISSING_SCHEMA',
    where: { route: 'GET /pets' },
  });
});

test('a response schema that cannot be compiled fails at boot and names the route', async () => {
  const app = ambit();
  app.get(
    '/pets',
    { schema: { response: { 200: { type: 'object', properties: { a: { $ref: 'nowhere#' } } } } } },
    () => ({}),
  );
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_SCH_SERIALIZATION_BUILD',
    where: { plugin: 'ambit', route: 'GET /pets' },
  });
});
