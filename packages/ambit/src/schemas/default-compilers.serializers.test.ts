// One suite over all serializer compilers: the default one, and fast-json-stringify, set in each way that the API has.
import { SerializerSelector } from '@fastify/fast-json-stringify-compiler';
import { type AmbitOptions, ambit, type Context, type SerializerCompiler } from 'ambit';
import fastJsonStringify, { type Schema } from 'fast-json-stringify';
import { describe, expect, test } from 'vitest';
import { serve } from '../../test/support/serve.ts';

/** What an application writes to use fast-json-stringify. */
const compileWith =
  (context: Context): SerializerCompiler =>
  ({ schema }) =>
    fastJsonStringify(schema as Schema, { schema: context.getSchemas() as Record<string, Schema> });

const ways: Record<string, { options?: AmbitOptions; install?: (app: Context) => void; of?: SerializerWay }> =
  {
    'the default': {},
    'fast-json-stringify by setSerializerCompiler': {
      install: (app) => app.setSerializerCompiler(compileWith(app)),
    },
    'fast-json-stringify by a route’s serializerCompiler': { of: compileWith },
    'fast-json-stringify by setSchemaController': {
      install: (app) =>
        app.setSchemaController({ compilersFactory: { buildSerializer: SerializerSelector() } }),
    },
    'fast-json-stringify by the option schemaController': {
      options: { schemaController: { compilersFactory: { buildSerializer: SerializerSelector() } } },
    },
  };
type SerializerWay = (context: Context) => SerializerCompiler;

const response = {
  200: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      owner: { $ref: 'owner#' },
      at: { type: 'string', format: 'date-time' },
      role: { type: 'string', default: 'guest' },
      tags: { type: 'array', items: { type: 'string' } },
      extra: { anyOf: [{ type: 'string' }, { type: 'null' }] },
    },
  },
};

for (const [name, { options = {}, install, of }] of Object.entries(ways)) {
  describe(name, () => {
    function make(value: unknown): Context {
      const app = ambit(options).addSchema({
        $id: 'owner',
        type: 'object',
        properties: { name: { type: 'string' } },
      });
      install?.(app);
      app.get('/', { schema: { response }, ...(of && { serializerCompiler: of(app) }) }, () => value);
      return app;
    }

    test('writes what the schema declares, resolves shared schemas, fills in defaults', async () => {
      const value = {
        id: '7',
        owner: { name: 'ada', password: 'x' },
        at: new Date(0),
        tags: ['a', 5],
        extra: null,
        secret: true,
      };
      const answer = await fetch(await serve(make(value)));
      expect(answer.status).toBe(200);
      expect(await answer.text()).toBe(
        '{"id":7,"owner":{"name":"ada"},"at":"1970-01-01T00:00:00.000Z","role":"guest","tags":["a","5"],"extra":null}',
      );
    });

    for (const [what, value, message] of [
      ['a missing property', {}, '"id" is required!'],
      ['a number that is none', { id: 'x' }, 'The value "x" cannot be converted to an integer.'],
    ] as const) {
      test(`answers 500 for ${what}`, async () => {
        const answer = await fetch(await serve(make(value)));
        expect([answer.status, await answer.json()]).toEqual([
          500,
          { statusCode: 500, error: 'Internal Server Error', message },
        ]);
      });
    }

    test('a schema that cannot be compiled fails the boot', async () => {
      const app = make({});
      const broken = { 200: { type: 'object', properties: { a: { $ref: 'nowhere#' } } } };
      app.get(
        '/broken',
        { schema: { response: broken }, ...(of && { serializerCompiler: of(app) }) },
        () => '',
      );
      await expect(app.ready()).rejects.toMatchObject({
        code: 'FST_ERR_SCH_SERIALIZATION_BUILD',
        where: { route: 'GET /broken' },
      });
    });
  });
}

test('options of the application reach the factory of another engine, whatever they are', async () => {
  const seen: unknown[] = [];
  const buildSerializer = (_shared: unknown, engineOptions: unknown) => {
    seen.push(engineOptions);
    return () => () => '{}';
  };
  const serializerOpts = { rounding: 'up' as never, roundng: 1, ajv: { formats: {} } };
  const app = ambit({ serializerOpts, schemaController: { compilersFactory: { buildSerializer } } });
  app.get('/', { schema: { response } }, () => ({}));
  await app.ready();
  expect(seen).toEqual([serializerOpts]);
});
