/** Header names are compared without case, wherever the schema of the headers comes from; a validator's value replaces the headers. */
import { fastify } from '@ambit/fastify';
import { ambit, type Context } from 'ambit';
import { describe, expect, onTestFinished, test } from 'vitest';

const key = { type: 'object', required: ['X-Key'], properties: { 'X-Key': { type: 'integer', minimum: 5 } } };
const shared = [
  { $id: 'Key', ...key },
  { $id: 'Nested', allOf: [{ $ref: 'Key#' }] },
  { $id: 'Names', enum: ['X-Key', 'host', 'user-agent'] },
  { $id: 'Parts', definitions: { Key: key }, properties: { 'X-Key': { type: 'integer', minimum: 5 } } },
];

/** Schemas that require the header `X-Key`, which must be at least 5. */
const schemas: Record<string, object> = {
  'in the route': key,
  'by reference': { $ref: 'Key#' },
  'by a reference to a reference': { $ref: 'Nested#' },
  'by a reference in allOf': { allOf: [{ $ref: 'Key' }] },
  'by a reference in a composition': { anyOf: [{ allOf: [{ $ref: 'Key#' }] }] },
  'by a reference to a definition': { $ref: 'Parts#/definitions/Key' },
  'by a reference to a property': {
    type: 'object',
    required: ['X-KEY'],
    properties: { 'X-Key': { $ref: 'Parts#/properties/X-Key' } },
  },
  'by a reference to a property of the route': {
    type: 'object',
    required: ['x-key'],
    properties: { 'X-Copy': key.properties['X-Key'], 'X-Key': { $ref: '#/properties/X-Copy' } },
  },
  'under two spellings': {
    type: 'object',
    required: ['x-key'],
    properties: { 'X-Key': { type: 'integer', minimum: 5 }, 'x-key': { type: 'integer' } },
  },
  'in a condition': {
    type: 'object',
    if: { not: { required: ['HOST'] } },
    else: { $ref: 'Key#' },
  },
  'in dependencies': { type: 'object', dependencies: { HOST: { $ref: 'Key#' } } },
  'in a pattern': {
    type: 'object',
    required: ['X-Key'],
    patternProperties: { '^X-[A-Z]\\S+$': { type: 'integer', minimum: 5 } },
  },
};

for (const [flavor, create] of Object.entries({ ambit, facade: fastify as unknown as typeof ambit })) {
  const appWith = (headers: object, compile: 'boot' | 'first-use' = 'first-use'): Context => {
    const app = create({ compile });
    onTestFinished(() => app.close());
    for (const each of shared) app.addSchema(each as never);
    app.get('/', { schema: { headers: headers as never } }, (request) => ({ key: request.headers['x-key'] }));
    return app;
  };

  describe(`${flavor}: header names are compared without case`, () => {
    for (const [what, headers] of Object.entries(schemas)) {
      test(`if the schema is ${what}`, async () => {
        for (const compile of ['boot', 'first-use'] as const) {
          const app = appWith(headers, compile);
          const ask = (name: string, value: string) => app.inject({ url: '/', headers: { [name]: value } });
          expect((await ask('X-Key', '7')).json()).toEqual({ key: 7 });
          expect((await ask('x-KEY', '7')).statusCode).toBe(200);
          expect((await ask('x-key', '3')).statusCode).toBe(400);
          expect((await ask('x-other', '7')).statusCode).toBe(400);
        }
      });
    }

    test('if the schema is a shared one, used whole', async () => {
      const app = create();
      onTestFinished(() => app.close());
      app.addSchema(shared[0] as never);
      const headers = app.getSchema('Key');
      app.get('/', { schema: { headers: headers as never } }, () => 'ok');
      // Another part may use the same schema: there, names keep their case.
      app.post('/', { schema: { body: { $ref: 'Key#' } } }, (request) => request.body as never);
      expect((await app.inject({ url: '/', headers: { 'X-Key': '7' } })).statusCode).toBe(200);
      expect((await app.inject('/')).statusCode).toBe(400);
      const reply = await app.inject({ method: 'POST', url: '/', payload: { 'X-Key': 7 } });
      expect(reply.json()).toEqual({ 'X-Key': 7 });
    });

    for (const [what, propertyNames] of Object.entries<object>({
      'a list': { enum: ['X-Key', 'host', 'user-agent'] },
      'a reference': { $ref: 'Names#' },
      'a reference in a composition': { anyOf: [{ $ref: 'Names#' }] },
      'a pattern': { pattern: '^(?:X-Key|Host|User-Agent)$' },
    })) {
      test(`in propertyNames: ${what}`, async () => {
        const app = appWith({ type: 'object', propertyNames });
        const ask = (name: string) => app.inject({ url: '/', headers: { [name]: '7' } });
        expect((await ask('X-Key')).statusCode).toBe(200);
        expect((await ask('X-Other')).statusCode).toBe(400);
      });
    }
  });

  describe(`${flavor}: names in lists that differ only in case`, () => {
    for (const [what, headers] of Object.entries<object>({
      'in required': { ...key, required: ['X-Key', 'x-key'] },
      'in dependencies': { ...key, dependencies: { host: ['X-Key', 'x-key'] } },
      'in propertyNames': { ...key, propertyNames: { enum: ['X-Key', 'x-key', 'host', 'user-agent'] } },
    })) {
      test(`are one name ${what}`, async () => {
        for (const compile of ['boot', 'first-use'] as const) {
          const app = appWith(headers, compile);
          expect((await app.inject({ url: '/', headers: { 'X-KEY': '7' } })).json()).toEqual({ key: 7 });
          expect((await app.inject('/')).statusCode).toBe(400);
        }
      });
    }

    test('fail boot if one spelling is repeated, as before', async () => {
      await expect(appWith({ ...key, required: ['X-Key', 'X-Key'] }).ready()).rejects.toMatchObject({
        code: 'FST_ERR_SCH_VALIDATION_BUILD',
      });
    });
  });

  describe(`${flavor}: the value of a validator for headers`, () => {
    const value = { 'x-only': 'this' };
    for (const [what, result] of Object.entries<() => unknown>({
      directly: () => ({ value }),
      'by a promise': async () => ({ value }),
    })) {
      test(`replaces them, ${what}`, async () => {
        const app = create();
        onTestFinished(() => app.close());
        const schema = { headers: {} };
        app.get('/', { schema, validatorCompiler: () => result as never }, (request) => ({
          headers: request.headers,
          raw: request.raw.headers['x-key'],
          host: request.host,
        }));
        const reply = await app.inject({ url: '/', headers: { 'x-key': 'secret' } });
        expect(reply.json()).toEqual({ headers: value, raw: 'secret', host: 'localhost:80' });
      });
    }
  });

  describe(`${flavor}: a body that could change a prototype`, () => {
    for (const payload of [
      '{"__proto__":{}}',
      '{"a":[{"\\u005f_proto__":1}]}',
      '{"constructor":{"prototype":{}}}',
    ]) {
      test(payload, async () => {
        const app = create();
        onTestFinished(() => app.close());
        app.post('/', () => 'ok');
        const headers = { 'content-type': 'application/json' };
        const reply = await app.inject({ method: 'POST', url: '/', headers, payload });
        expect(reply.json()).toMatchObject({
          statusCode: 400,
          code: 'FST_ERR_CTP_INVALID_JSON_BODY',
          message: expect.stringMatching(/^Body must not contain the key '__proto__'/) as never,
        });
        const broken = await app.inject({ method: 'POST', url: '/', headers, payload: `${payload}}` });
        expect(broken.json()).toMatchObject({
          message: expect.stringMatching(/^Body is not valid JSON/) as never,
        });
      });
    }
  });
}
