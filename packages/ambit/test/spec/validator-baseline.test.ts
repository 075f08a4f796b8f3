// Spec 2.6: the baseline options of the default validator, `ajv.customOptions`, and `ajv.plugins` with the real plugins.

import { createRequire } from 'node:module';
import ajvErrors from 'ajv-errors';
import ajvFormats from 'ajv-formats';
import type i18n from 'ajv-i18n';
import { type AjvPlugin, type AmbitOptions, ambit, type RouteSchema } from 'ambit';
import fastUri from 'fast-uri';
import { expect, test } from 'vitest';

// Neither describes what it exports: the one comes without types, the types of the other are of another build.
const require = createRequire(import.meta.url);
const mergePatch: AjvPlugin = require('ajv-merge-patch');
const localize: typeof i18n.default = require('ajv-i18n');

/** Posts a body through a schema: what comes back is what the handler saw, or the error. */
async function post(schema: unknown, body: unknown, ajv: AmbitOptions['ajv'] = {}) {
  const app = ambit({ ajv });
  app.post('/', { schema: { body: schema } }, (request, reply) => reply.send({ body: request.body }));
  const headers = { 'content-type': 'application/json' };
  const { statusCode, json } = await app.inject({
    method: 'POST',
    url: '/',
    headers,
    body: JSON.stringify(body),
  });
  return { statusCode, ...json<{ body?: unknown; message?: string }>() };
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

test('coerceTypes: a value is coerced to the type that the schema names', async () => {
  const schema = object({
    n: { type: 'number' },
    i: { type: 'integer' },
    b: { type: 'boolean' },
    s: { type: 'string' },
  });
  const { body } = await post(schema, { n: '1.5', i: '7', b: 'true', s: 5 });
  expect(body).toEqual({ n: 1.5, i: 7, b: true, s: '5' });
});

test('coerceTypes: a value that cannot be coerced is refused', async () => {
  expect(await post(object({ n: { type: 'number' } }), { n: 'one' })).toMatchObject({ statusCode: 400 });
  expect(await post(object({ b: { type: 'boolean' } }), { b: 'yes' })).toMatchObject({ statusCode: 400 });
});

test('coerceTypes array: a scalar is wrapped into an array where the schema says array', async () => {
  expect((await post(object({ ids: { type: 'array' } }), { ids: 'a' })).body).toEqual({ ids: ['a'] });
  expect(
    (await post(object({ ids: { type: 'array', items: { type: 'integer' } } }), { ids: '1' })).body,
  ).toEqual({ ids: [1] });
});

test('coerceTypes array: an array of one is unwrapped where the schema says a scalar, an array of two is refused', async () => {
  expect((await post(object({ id: { type: 'integer' } }), { id: ['1'] })).body).toEqual({ id: 1 });
  expect(await post(object({ id: { type: 'integer' } }), { id: ['1', '2'] })).toMatchObject({
    statusCode: 400,
  });
});

test('coerceTypes applies to the query string, to params and to headers', async () => {
  const app = ambit();
  const schema: RouteSchema = {
    params: { p: { type: 'integer' } },
    querystring: { q: { type: 'array' } },
    headers: { 'x-h': { type: 'boolean' } },
  };
  app.get('/:p', { schema }, (request) => ({
    ...(request.params as object),
    ...(request.query as object),
    h: request.headers['x-h'],
  }));
  const reply = await app.inject({ url: '/1?q=a', headers: { 'x-h': 'true' } });
  expect(reply.json()).toEqual({ p: 1, q: ['a'], h: true });
});

test('coerceTypes can be turned off, and limited to scalars', async () => {
  const ids = object({ ids: { type: 'array' } });
  expect(
    await post(object({ n: { type: 'number' } }), { n: '1' }, { customOptions: { coerceTypes: false } }),
  ).toMatchObject({ statusCode: 400 });
  expect(await post(ids, { ids: 'a' }, { customOptions: { coerceTypes: true } })).toMatchObject({
    statusCode: 400,
  });
  expect(
    await post(object({ n: { type: 'number' } }), { n: '1' }, { customOptions: { coerceTypes: true } }),
  ).toMatchObject({ body: { n: 1 } });
});

test('useDefaults: missing properties receive the default of the schema', async () => {
  const schema = object({ role: { type: 'string', default: 'guest' }, tags: { type: 'array', default: [] } });
  expect((await post(schema, {})).body).toEqual({ role: 'guest', tags: [] });
  expect((await post(schema, { role: 'admin', tags: ['a'] })).body).toEqual({ role: 'admin', tags: ['a'] });
});

test('useDefaults: missing items receive the default of the schema', async () => {
  const items = [{ type: 'integer' }, { type: 'integer', default: 2 }];
  const schema = object({ pair: { type: 'array', items, minItems: 2, maxItems: 2 } });
  expect((await post(schema, { pair: [1] })).body).toEqual({ pair: [1, 2] });
});

test('useDefaults: one request does not see what another did to a default', async () => {
  const app = ambit();
  app.post('/', { schema: { body: { tags: { type: 'array', default: [] } } } }, (request) => {
    const { tags } = request.body as { tags: string[] };
    tags.push('touched');
    return tags;
  });
  await app.inject({ method: 'POST', url: '/', body: {} });
  expect((await app.inject({ method: 'POST', url: '/', body: {} })).json()).toEqual(['touched']);
});

test('useDefaults can be turned off', async () => {
  const schema = object({ role: { type: 'string', default: 'guest' } });
  expect((await post(schema, {}, { customOptions: { useDefaults: false } })).body).toEqual({});
});

test('removeAdditional: undeclared properties go where the schema closes the object', async () => {
  const schema = object({ name: { type: 'string' } }, { additionalProperties: false });
  expect(await post(schema, { name: 'ada', extra: 1 })).toEqual({ statusCode: 200, body: { name: 'ada' } });
});

test('removeAdditional: undeclared properties stay where the schema leaves the object open', async () => {
  expect((await post(object({ name: { type: 'string' } }), { name: 'ada', extra: 1 })).body).toEqual({
    name: 'ada',
    extra: 1,
  });
});

test('removeAdditional can be turned off, so that they are refused, or widened to all', async () => {
  const closed = object({ name: { type: 'string' } }, { additionalProperties: false });
  expect(
    await post(closed, { name: 'ada', extra: 1 }, { customOptions: { removeAdditional: false } }),
  ).toMatchObject({
    statusCode: 400,
    message: 'body should NOT have additional properties',
  });
  const open = object({ name: { type: 'string' } });
  expect(
    (await post(open, { name: 'ada', extra: 1 }, { customOptions: { removeAdditional: 'all' } })).body,
  ).toEqual({ name: 'ada' });
});

test('uriResolver: a relative $ref is resolved against the $id it stands in', async () => {
  const app = ambit();
  app.addSchema({ $id: 'https://example.com/schemas/name.json', type: 'string', maxLength: 3 });
  const body = { $id: 'https://example.com/schemas/user.json', ...object({ name: { $ref: 'name.json' } }) };
  app.post('/', { schema: { body } }, () => 'ok');
  expect((await app.inject({ method: 'POST', url: '/', body: { name: 'ada' } })).statusCode).toBe(200);
  expect((await app.inject({ method: 'POST', url: '/', body: { name: 'adas' } })).statusCode).toBe(400);
});

test('uriResolver can be replaced', async () => {
  const resolved: string[] = [];
  const uriResolver = {
    ...fastUri,
    resolve: (base: string, reference: string) => {
      resolved.push(reference);
      return fastUri.resolve(base, reference);
    },
  };
  await post(
    { $id: 'https://example.com/a', $ref: 'a#/definitions/b', definitions: { b: {} } },
    {},
    { customOptions: { uriResolver } },
  );
  expect(resolved).toContain('a#/definitions/b');
});

test('addUsedSchema false: the $id of a schema used in one route means nothing in another', async () => {
  const app = ambit();
  app.post(
    '/one',
    { schema: { body: { $id: 'inline', ...object({ a: { type: 'integer' } }) } } },
    () => 'ok',
  );
  app.post(
    '/two',
    { schema: { body: { $id: 'inline', ...object({ a: { type: 'boolean' } }) } } },
    () => 'ok',
  );
  expect((await app.inject({ method: 'POST', url: '/one', body: { a: 5 } })).statusCode).toBe(200);
  expect((await app.inject({ method: 'POST', url: '/two', body: { a: 5 } })).statusCode).toBe(400);
});

test('addUsedSchema false: a $ref to a schema that was only used, never added, is unknown', async () => {
  const app = ambit();
  app.post('/one', { schema: { body: { $id: 'inline', ...object({}) } } }, () => 'ok');
  app.post('/two', { schema: { body: { $ref: 'inline#' } } }, () => 'ok');
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_SCH_VALIDATION_BUILD',
    where: { route: 'POST /two' },
  });
});

test('addUsedSchema true makes used schemas known', async () => {
  const app = ambit({ ajv: { customOptions: { addUsedSchema: true } } });
  app.post(
    '/one',
    { schema: { body: { $id: 'inline', ...object({ a: { type: 'integer' } }) } } },
    () => 'ok',
  );
  app.post('/two', { schema: { body: { $ref: 'inline#' } } }, () => 'ok');
  expect((await app.inject({ method: 'POST', url: '/two', body: { a: 'x' } })).statusCode).toBe(400);
});

const twoWrong = object({ a: { type: 'integer' }, b: { type: 'integer' } });

test('allErrors false: validation stops at the first error', async () => {
  expect((await post(twoWrong, { a: 'x', b: 'x' })).message).toBe('body/a should be integer');
});

test('allErrors true collects every error', async () => {
  expect((await post(twoWrong, { a: 'x', b: 'x' }, { customOptions: { allErrors: true } })).message).toBe(
    'body/a should be integer, body/b should be integer',
  );
});

test('customOptions are merged over the baseline: what they do not name stays', async () => {
  const schema = object({ n: { type: 'integer' }, role: { type: 'string', default: 'guest' } });
  expect((await post(schema, { n: '1' }, { customOptions: { allErrors: true } })).body).toEqual({
    n: 1,
    role: 'guest',
  });
});

test('customOptions may add keywords, which a strict engine would refuse', async () => {
  const schema = { type: 'object', shownAs: 'form' };
  await expect(post(schema, {})).rejects.toMatchObject({ code: 'FST_ERR_SCH_VALIDATION_BUILD' });
  expect(await post(schema, {}, { customOptions: { keywords: ['shownAs'] } })).toMatchObject({
    statusCode: 200,
  });
});

for (const [what, ajv, code] of [
  ['customOptions that are no object', { customOptions: 'strict' }, 'FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ'],
  ['customOptions that are an array', { customOptions: [] }, 'FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_OBJ'],
  ['plugins that are no array', { plugins: 'all' }, 'FST_ERR_AJV_CUSTOM_OPTIONS_OPT_NOT_ARR'],
] as const) {
  test(`${what} are refused when the application is made`, () => {
    expect(() => ambit({ ajv: ajv as never })).toThrow(expect.objectContaining({ code }));
  });
}

test('plugins: each is called with the engine, and with its options where it has some', async () => {
  const calls: unknown[][] = [];
  const plain: AjvPlugin = (...args: unknown[]) => calls.push(args);
  const optioned: AjvPlugin = (...args: unknown[]) => calls.push(args);
  await post({ type: 'object' }, {}, { plugins: [plain, [optioned, { deep: true }], { default: plain }] });
  expect(calls).toHaveLength(3);
  expect(calls[0]?.[1]).toBeUndefined();
  expect(calls[1]?.[1]).toEqual({ deep: true });
  expect(calls[0]?.[0]).toHaveProperty('compile');
});

test('plugins: formats are there without a plugin', async () => {
  const schema = object({ mail: { type: 'string', format: 'email' } });
  expect(await post(schema, { mail: 'ada@example.com' })).toMatchObject({ statusCode: 200 });
  expect((await post(schema, { mail: 'ada' })).message).toBe('body/mail should match format "email"');
});

test('plugins: ajv-formats given by the application replaces the bundled formats', async () => {
  const plugins: AjvPlugin[] = [((ajv: never) => ajvFormats.default(ajv, ['date'])) as AjvPlugin];
  const chosen = {
    customOptions: { strictSchema: true },
    plugins: [[ajvFormats.default as AjvPlugin, ['date']]] as [[AjvPlugin, string[]]],
  };
  const date = object({ day: { type: 'string', format: 'date' } });
  expect(await post(date, { day: '2024-02-30' }, chosen)).toMatchObject({ statusCode: 400 });
  expect(await post(date, { day: '2024-02-29' }, { plugins })).toMatchObject({ statusCode: 200 });
  await expect(post(object({ mail: { type: 'string', format: 'email' } }), {}, chosen)).rejects.toMatchObject(
    {
      code: 'FST_ERR_SCH_VALIDATION_BUILD',
    },
  );
});

const withMessage = object(
  { name: { type: 'string' } },
  { required: ['name'], errorMessage: { required: { name: 'say who you are' } } },
);

test('plugins: ajv-errors gives custom messages, with allErrors true', async () => {
  const ajv = { customOptions: { allErrors: true }, plugins: [ajvErrors] };
  expect(await post(withMessage, {}, ajv)).toMatchObject({
    statusCode: 400,
    message: 'body say who you are',
  });
});

test('plugins: ajv-errors without allErrors fails at boot and names the route', async () => {
  const plugins = [ajvErrors.default as AjvPlugin];
  await expect(post(withMessage, {}, { plugins })).rejects.toMatchObject({
    code: 'FST_ERR_SCH_VALIDATION_BUILD',
    message: expect.stringContaining('allErrors'),
    where: { plugin: 'ambit', route: 'POST /' },
  });
});

for (const [keyword, change] of [
  ['$merge', { properties: { age: { type: 'integer' } }, required: ['age'] }],
  [
    '$patch',
    [
      { op: 'add', path: '/properties/age', value: { type: 'integer' } },
      { op: 'add', path: '/required', value: ['age'] },
    ],
  ],
] as const) {
  test(`plugins: ajv-merge-patch extends a shared schema with ${keyword}`, async () => {
    const app = ambit({ ajv: { plugins: [mergePatch] } });
    app.addSchema({ $id: 'named', ...object({ name: { type: 'string' } }) });
    app.post(
      '/',
      { schema: { body: { [keyword]: { source: { $ref: 'named#' }, with: change } } } },
      () => 'ok',
    );
    expect((await app.inject({ method: 'POST', url: '/', body: { name: 'ada', age: 36 } })).statusCode).toBe(
      200,
    );
    expect((await app.inject({ method: 'POST', url: '/', body: { name: 'ada' } })).statusCode).toBe(400);
    expect((await app.inject({ method: 'POST', url: '/', body: { age: 'old' } })).statusCode).toBe(400);
  });
}

test('plugins: ajv-i18n localizes the errors in an error handler', async () => {
  const app = ambit();
  app.setErrorHandler((error, _request, reply) => {
    const problems = error.validation as Parameters<typeof localize.fr>[0];
    localize.fr(problems);
    reply.code(400).send({ message: problems?.[0]?.message });
  });
  app.post('/', { schema: { body: object({}, { required: ['name'] }) } }, () => 'ok');
  const reply = await app.inject({ method: 'POST', url: '/', body: {} });
  expect(reply.json()).toEqual({ message: 'requiert la propriété name' });
});

test('a plugin that throws fails at boot and names the route', async () => {
  const broken: AjvPlugin = () => {
    throw new Error('made for another major version');
  };
  await expect(post({ type: 'object' }, {}, { plugins: [broken] })).rejects.toMatchObject({
    code: 'FST_ERR_SCH_VALIDATION_BUILD',
    message: expect.stringContaining('made for another major version'),
    where: { route: 'POST /' },
  });
});

test('the engine is of major version 8, and each plugin is handed the same one', async () => {
  const engines: unknown[] = [];
  const keep: AjvPlugin = (ajv: unknown) => engines.push(ajv);
  const onCreate = (ajv: unknown) => engines.push(ajv);
  await post({ type: 'object' }, {}, { plugins: [keep], onCreate });
  expect(engines).toHaveLength(2);
  expect(engines[0]).toBe(engines[1]);
  expect(Object.keys((engines[0] as { opts: object }).opts)).toContain('uriResolver');
});
