/** Draft 2020-12 and draft 7 in one application, in routes of both flavors. */
import { spawnSync } from 'node:child_process';
import type { AmbitOptions, Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { compileAhead } from '../../test/support/built.ts';
import { flavors } from '../../test/support/flavors.ts';

const draft2020 = 'https://json-schema.org/draft/2020-12/schema';
const draft7 = 'http://json-schema.org/draft-07/schema#';

/** The statuses with which a route with this body schema answers each value. */
async function statusesOf(app: Context, values: readonly unknown[], url = '/'): Promise<number[]> {
  const statuses: number[] = [];
  for (const value of values) {
    const headers = { 'content-type': 'application/json' };
    const { statusCode } = await app.inject({ method: 'POST', url, headers, payload: JSON.stringify(value) });
    statuses.push(statusCode);
  }
  return statuses;
}

const pair = {
  type: 'array',
  prefixItems: [{ type: 'integer' }, { type: 'boolean' }],
  items: false,
  minItems: 2,
};
const oldPair = {
  type: 'array',
  items: [{ type: 'integer' }, { type: 'boolean' }],
  additionalItems: false,
  minItems: 2,
};
const pairs = [[1, true], [1, true, 2], [1], ['x', true]];
const verdicts = [200, 400, 400, 400];

for (const [flavor, make] of flavors) {
  const appWith = (body: unknown, options: AmbitOptions = {}, shared: readonly object[] = []): Context => {
    const app = make(options);
    for (const schema of shared) app.addSchema(schema as never);
    app.post('/', { schema: { body: body as never } }, () => 'ok');
    return app;
  };

  describe(`${flavor}: draft 2020-12`, () => {
    test('is what $schema says', async () => {
      expect(await statusesOf(appWith({ $schema: draft2020, ...pair }), pairs)).toEqual(verdicts);
    });

    test('is what the application says, for schemas that do not say', async () => {
      const app = appWith(pair, { ajv: { dialect: '2020-12' } });
      expect(await statusesOf(app, pairs)).toEqual(verdicts);
    });

    test('stands beside draft 7 in one application, whichever is the default', async () => {
      for (const dialect of ['draft-07', '2020-12'] as const) {
        const app = appWith({ $schema: draft2020, ...pair }, { ajv: { dialect } });
        app.post('/old', { schema: { body: { $schema: draft7, ...oldPair } } }, () => 'ok');
        expect(await statusesOf(app, pairs)).toEqual(verdicts);
        expect(await statusesOf(app, pairs, '/old')).toEqual(verdicts);
      }
    });

    for (const [what, schema, valid, invalid] of [
      [
        'unevaluatedProperties',
        { type: 'object', allOf: [{ properties: { a: {} } }], unevaluatedProperties: false },
        { a: 1 },
        { a: 1, b: 2 },
      ],
      ['dependentSchemas', { dependentSchemas: { a: { required: ['b'] } } }, { a: 1, b: 2 }, { a: 1 }],
      ['dependentRequired', { type: 'object', dependentRequired: { a: ['b'] } }, { b: 1 }, { a: 1 }],
      [
        '$anchor',
        {
          $defs: { id: { $anchor: 'id', type: 'integer' } },
          type: 'object',
          properties: { a: { $ref: '#id' } },
        },
        { a: 1 },
        { a: 'x' },
      ],
      [
        '$dynamicRef',
        {
          $dynamicAnchor: 'node',
          type: 'object',
          properties: { next: { $dynamicRef: '#node' } },
          required: ['v'],
        },
        { v: 1, next: { v: 2 } },
        { v: 1, next: {} },
      ],
      ['a keyword beside $ref', { $defs: { a: { type: 'number' } }, $ref: '#/$defs/a', maximum: 3 }, 3, 4],
    ] as const) {
      test(`has ${what}`, async () => {
        const options = { ajv: { customOptions: { strictTypes: false } } };
        const app = appWith({ $schema: draft2020, ...schema }, options);
        expect(await statusesOf(app, [valid, invalid])).toEqual([200, 400]);
      });
    }

    for (const compile of ['boot', 'first-use', 'background'] as const) {
      test(`compile: '${compile}': is validated, and a wrong schema fails boot`, async () => {
        const app = appWith({ $schema: draft2020, ...pair }, { compile });
        expect(await statusesOf(app, pairs)).toEqual(verdicts);
        const wrong = appWith({ $schema: draft2020, ...oldPair }, { compile });
        await expect(wrong.ready()).rejects.toMatchObject({
          code: 'FST_ERR_SCH_VALIDATION_BUILD',
          message: expect.stringContaining('schema is invalid: data/items must be object,boolean'),
        });
      });
    }

    test('is linked from what a build compiled', async () => {
      const dynamic = {
        $schema: draft2020,
        $dynamicAnchor: 'node',
        type: 'object',
        properties: { next: { $dynamicRef: '#node' }, size: { $ref: 'size#' } },
        unevaluatedProperties: false,
      };
      const declare = (options: AmbitOptions): Context => {
        const app = appWith({ $schema: draft2020, ...pair }, options, [
          { $id: 'size', $schema: draft2020, type: 'integer' },
        ]);
        app.post('/dynamic', { schema: { body: dynamic } }, () => 'ok');
        return app;
      };
      const app = declare({ compiled: await compileAhead(declare({})) });
      expect(await statusesOf(app, pairs)).toEqual(verdicts);
      const trees = [{ next: { next: {} } }, { next: { other: 1 } }, { next: { size: 'x' } }];
      expect(await statusesOf(app, trees, '/dynamic')).toEqual([200, 400, 400]);
      await expect(
        appWith(pair, {
          compiled: await compileAhead(appWith(pair, { ajv: { dialect: '2020-12' } })),
        }).ready(),
      ).rejects.toMatchObject({ code: 'AMBIT_ERR_COMPILED_STALE' });
    });
  });

  describe(`${flavor}: shared schemas`, () => {
    const user = { $id: 'user', type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] };
    const byUser = { type: 'object', properties: { user: { $ref: 'user#' } } };
    const values = [{ user: { id: 1 } }, { user: {} }];

    test('of either dialect are used by schemas of the same dialect', async () => {
      const both = [
        { ...user, $schema: draft2020 },
        { ...user, $id: 'old', $schema: draft7 },
      ];
      const app = appWith({ $schema: draft2020, ...byUser }, {}, both);
      const byOld = { type: 'object', properties: { user: { $ref: 'old#' } } };
      app.post('/old', { schema: { body: byOld } }, () => 'ok');
      expect(await statusesOf(app, values)).toEqual([200, 400]);
      expect(await statusesOf(app, values, '/old')).toEqual([200, 400]);
    });

    test('without $schema are used by schemas of both dialects', async () => {
      const app = appWith({ $schema: draft2020, ...byUser }, {}, [user]);
      app.post('/old', { schema: { body: { $schema: draft7, ...byUser } } }, () => 'ok');
      expect(await statusesOf(app, values)).toEqual([200, 400]);
      expect(await statusesOf(app, values, '/old')).toEqual([200, 400]);
    });

    for (const compile of ['boot', 'first-use', 'background'] as const) {
      test(`compile: '${compile}': a reference into the other dialect fails boot, and names both`, async () => {
        const middle = { $id: 'middle', type: 'object', properties: { user: { $ref: 'user#' } } };
        for (const [own, other, dialect] of [
          [draft2020, draft7, '2020-12'],
          [draft7, draft2020, 'draft-07'],
        ]) {
          const body = { $schema: own, type: 'object', properties: { a: { $ref: 'middle#' } } };
          const app = appWith(body, { compile }, [{ ...user, $schema: other }, middle]);
          await expect(app.ready()).rejects.toMatchObject({
            code: 'FST_ERR_SCH_VALIDATION_BUILD',
            message: expect.stringContaining(`a schema of the dialect ${dialect} refers to 'user'`),
            cause: { code: 'AMBIT_ERR_SCHEMA_DIALECT_MISMATCH', hint: expect.stringContaining('$schema') },
          });
        }
      });
    }

    test('without $schema need be valid in another dialect only where a schema of it refers to them', async () => {
      const tuple = { $id: 'tuple', ...oldPair };
      const unused = appWith({ $schema: draft2020, ...byUser }, {}, [user, tuple]);
      expect(await statusesOf(unused, values)).toEqual([200, 400]);
      const used = appWith(
        { $schema: draft2020, type: 'object', properties: { a: { $ref: 'tuple#' } } },
        {},
        [tuple],
      );
      await expect(used.ready()).rejects.toMatchObject({
        message: expect.stringContaining(
          "a schema of the dialect 2020-12 refers to 'tuple', which is not valid in it: it/items must be object,boolean",
        ),
      });
    });

    test('of a response follow the same rule', async () => {
      const app = make();
      app.addSchema({ ...user, $schema: draft7 });
      app.get('/', { schema: { response: { 200: { $schema: draft2020, ...byUser } } } }, () => ({}));
      await expect(app.ready()).rejects.toMatchObject({
        code: 'FST_ERR_SCH_SERIALIZATION_BUILD',
        cause: { code: 'AMBIT_ERR_SCHEMA_DIALECT_MISMATCH' },
      });
    });
  });

  describe(`${flavor}: a response of draft 2020-12`, () => {
    const declare = (options: AmbitOptions = {}): Context => {
      const app = make(options);
      app.addSchema({ $id: 'size', type: 'integer' });
      app.addSchema({ $id: 'tuple', ...oldPair });
      const response = {
        $schema: draft2020,
        $defs: { name: { $anchor: 'name', type: 'string' } },
        type: 'object',
        properties: {
          name: { $ref: '#name' },
          size: { $ref: 'size#' },
          pair: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false },
        },
        unevaluatedProperties: false,
      };
      app.get('/', { schema: { response: { 200: response } } }, () => ({
        name: 'a',
        size: 2,
        pair: [1, 'b'],
        secret: 1,
      }));
      const old = { type: 'object', properties: { tuple: { $ref: 'tuple#' } } };
      app.get('/old', { schema: { response: { 200: old } } }, () => ({ tuple: [1, true], secret: 1 }));
      return app;
    };
    const bodiesOf = async (app: Context): Promise<unknown[]> => [
      (await app.inject('/')).json(),
      (await app.inject('/old')).json(),
    ];
    const bodies = [{ name: 'a', size: 2, pair: [1, 'b'] }, { tuple: [1, true] }];

    test('is serialized by its schema, beside one of draft 7', async () => {
      expect(await bodiesOf(declare())).toEqual(bodies);
    });

    test('is serialized by what a build compiled', async () => {
      expect(await bodiesOf(declare({ compiled: await compileAhead(declare()) }))).toEqual(bodies);
    });
  });

  describe(`${flavor}: the option ajv.dialect`, () => {
    test.each([
      [{ dialect: '2019-09' }, "ajv.dialect must be 'draft-07' or '2020-12', instead got string"],
      [{ dialect: '2020-12', mode: 'JTD' }, "ajv.dialect is for JSON Schema, but ajv.mode is 'JTD'"],
    ])('%j is refused', (ajv, message) => {
      expect(() => make({ ajv: ajv as never })).toThrow(
        expect.objectContaining({ message: expect.stringContaining(message) }),
      );
    });

    test.each([
      [{}, { type: 'object' }, false],
      [{}, { $schema: draft2020, type: 'object' }, true],
      [{ dialect: '2020-12' as const }, { type: 'object' }, true],
    ])('%j with the schema %j loads the class for 2020-12: %s', (ajv, body, isLoaded) => {
      const source = `import { createRequire } from 'node:module';
        import { ambit } from 'ambit';
        const app = ambit({ ajv: ${JSON.stringify(ajv)}, compile: 'boot' });
        app.post('/', { schema: { body: ${JSON.stringify(body)} } }, () => 'ok');
        await app.ready();
        const { cache } = createRequire(import.meta.url);
        console.log(Object.keys(cache).some((file) => /ajv.dist.2020/.test(file)));`;
      const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', source], {
        encoding: 'utf8',
      });
      expect({ stdout, stderr }).toEqual({ stdout: `${isLoaded}\n`, stderr: '' });
    });
  });
}
