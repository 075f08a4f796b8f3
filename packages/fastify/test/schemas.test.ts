// What both flavors say of schemas that are none, at boot, before a request could meet them.
import { ambit, type RouteSchema } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from './support/flavors.ts';

const namesOfEveryObject = Object.getOwnPropertyNames(Object.prototype);

// The facade ignores them, as Fastify does: declarations.test.ts.
test.each([null, 5, true, 'schema'])(
  'on ambit, a response that is %j instead of an object fails boot',
  async (response) => {
    const app = ambit().get('/', { schema: { response: response as never } }, () => ({}) as never);
    await expect(app.ready()).rejects.toMatchObject({
      code: 'FST_ERR_SCH_SERIALIZATION_BUILD',
      message: expect.stringContaining('response must be'),
    });
  },
);

describe.each(flavors)('%s', (_flavor, make) => {
  const missing: [where: string, schema: RouteSchema, code: string, said: string][] = [
    ...(['params', 'querystring', 'query', 'headers', 'body'] as const).map(
      (part): [string, RouteSchema, string, string] => [
        part,
        { [part]: null },
        'FST_ERR_SCH_VALIDATION_BUILD',
        `${part.replace(/^query$/, 'querystring')} must be a schema, instead got null`,
      ],
    ),
    ['a response', { response: { 200: null } }, 'FST_ERR_SCH_SERIALIZATION_BUILD', 'response 200 must be'],
    [
      'a media type of a response',
      { response: { 200: { content: { 'text/plain': { schema: null } } } } },
      'FST_ERR_SCH_CONTENT_MISSING_SCHEMA',
      "'text/plain'",
    ],
    [
      'the entry of a media type of a response',
      { response: { 200: { content: { 'text/plain': null } } } },
      'FST_ERR_SCH_CONTENT_MISSING_SCHEMA',
      "'text/plain'",
    ],
    [
      'the entry of a media type',
      { body: { content: { 'text/plain': null } } },
      'FST_ERR_SCH_CONTENT_MISSING_SCHEMA',
      "'text/plain'",
    ],
    [
      'a media type',
      { body: { content: { 'text/plain': { schema: null } } } },
      'FST_ERR_SCH_CONTENT_MISSING_SCHEMA',
      "'text/plain'",
    ],
  ];
  for (const [where, schema, code, said] of missing) {
    test(`null as the schema of ${where} fails boot`, async () => {
      const app = make();
      app.post('/:id', { schema }, () => ({}));
      await expect(app.ready()).rejects.toMatchObject({ code, message: expect.stringContaining(said) });
    });
  }

  test('a response that is an array instead of an object fails boot', async () => {
    const app = make();
    app.get('/', { schema: { response: [{ type: 'object' }] as never } }, () => ({}) as never);
    await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_SCH_SERIALIZATION_BUILD' });
  });

  for (const schema of [{ anyOf: false }, { type: { type: 'string' } }, { title: false }]) {
    test(`${JSON.stringify(schema)} is not a schema, and fails boot`, async () => {
      const app = make({ ajv: { customOptions: { logger: false } } });
      app.get('/', { schema: { querystring: schema } }, () => ({}));
      await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_SCH_VALIDATION_BUILD' });
    });
  }

  test('a shared schema with the name of an inherited property is rejected, and routes are served as without it', async () => {
    const app = make();
    for (const name of namesOfEveryObject) {
      for (const $id of [name, `${name}#`]) {
        expect(() => app.addSchema({ $id, type: 'object' })).toThrow(
          expect.objectContaining({ code: 'AMBIT_ERR_SCHEMA_ID_RESERVED' }),
        );
      }
    }
    app.post('/', { schema: { body: { name: { type: 'string' } } } }, () => 'ok');
    expect((await app.inject({ method: 'POST', url: '/', payload: { name: 'x' } })).body).toBe('ok');
  });

  for (const [part, code] of [
    ['body', 'FST_ERR_SCH_VALIDATION_BUILD'],
    ['response', 'FST_ERR_SCH_SERIALIZATION_BUILD'],
  ] as const) {
    test(`a reference of a ${part} to the name of an inherited property has no target, and fails boot`, async () => {
      const forms = (name: string) => [name, `${name}#`, `#/definitions/${name}`, `user#/properties/${name}`];
      for (const $ref of namesOfEveryObject.flatMap(forms)) {
        const app = make();
        app.addSchema({ $id: 'user', type: 'object', properties: {} });
        const schema = { type: 'object', definitions: {}, properties: { a: { $ref } } };
        const schemas = { body: { body: schema }, response: { response: { 200: schema } } };
        app.post('/', { schema: schemas[part] as RouteSchema }, () => ({}));
        await expect(app.ready()).rejects.toMatchObject({ code });
      }
    });
  }

  test('the schema of a route may have such an $id, and definitions of such names', async () => {
    for (const name of namesOfEveryObject) {
      const app = make();
      const definitions = JSON.parse(`{"${name}":{"type":"integer"}}`) as object;
      const properties = { a: { $ref: `#/definitions/${name}` } };
      const body = { $id: name, type: 'object', definitions, properties };
      app.post('/', { schema: { body, response: { 200: body } } }, ({ body }) => body as never);
      const post = (payload: object) => app.inject({ method: 'POST', url: '/', payload });
      expect((await post({ a: '5' })).json()).toEqual({ a: 5 });
      expect((await post({ a: 'x' })).statusCode).toBe(400);
    }
  });
});
