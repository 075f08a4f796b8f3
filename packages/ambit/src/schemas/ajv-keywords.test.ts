/** `multipleOf`, the words of OpenAPI and header names, from routes to replies, in both dialects and compile modes. */

import { fastify } from '@ambit/fastify';
import { type AmbitOptions, ambit, type Context } from 'ambit';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';

const dialects = ['draft-07', '2020-12'] as const;

let warnings: string[] = [];
beforeEach(() => {
  warnings = [];
  vi.spyOn(process, 'emitWarning').mockImplementation(
    ((message: string | Error) => void warnings.push(String(message))) as never,
  );
});
afterEach(() => void vi.restoreAllMocks());

interface Verdict {
  readonly statusCode: number;
  readonly body: unknown;
}

/** Sends JSON bodies to a route with the schema. */
async function post(
  schema: unknown,
  bodies: readonly unknown[],
  options: AmbitOptions = {},
  shared: object[] = [],
) {
  const app = ambit(options);
  onTestFinished(() => app.close());
  for (const each of shared) app.addSchema(each as never);
  app.post('/', { schema: { body: schema as never } }, (request) => ({ body: request.body }) as never);
  const verdicts: Verdict[] = [];
  for (const payload of bodies) {
    const headers = { 'content-type': 'application/json' };
    const reply = await app.inject({ method: 'POST', url: '/', headers, payload: JSON.stringify(payload) });
    verdicts.push({ statusCode: reply.statusCode, body: reply.json<{ body: unknown }>().body });
  }
  return verdicts;
}

const statusesOf = (verdicts: readonly Verdict[]): number[] => verdicts.map(({ statusCode }) => statusCode);

const multiples: [divisor: number, valid: number[], invalid: number[]][] = [
  [5e-324, [5e-324, 1.5e-322, 1], []],
  [0.01, [19.99, 1.11, 0.07, 0, -19.99, 4.35, 1e21, 123456789012.34], [19.999, 0.071, 1e-7, -0.005]],
  [0.1, [0.3, 0.7, 1.1, 100.1, 1e300], [0.35, 1.15]],
  [0.07, [0.07, 0.14, 0.21, 7], [0.08, 0.1]],
  [1e-7, [3e-7, 1, 0.1234567], [1e-8, 0.12345678]],
  [3, [9, -9, 9_007_199_254_740_990, 3e30], [1, 9.5, 1e30, 9_007_199_254_740_991]],
  [1e20, [1e22, 3e20], [1e19, 150]],
];

describe('multipleOf counts in decimal numbers', () => {
  for (const [multipleOf, valid, invalid] of multiples) {
    test(`${multipleOf}: in requests`, async () => {
      const statuses = (options: AmbitOptions, values: number[]) =>
        post({ type: 'number', multipleOf }, values, options).then(statusesOf);
      for (const compile of ['boot', 'first-use'] as const) {
        expect(await statuses({ compile }, valid)).toEqual(valid.map(() => 200));
        expect(await statuses({ compile }, invalid)).toEqual(invalid.map(() => 400));
      }
    });

    test(`${multipleOf}: in responses, where it selects the branch`, async () => {
      const app = ambit();
      const oneOf = [
        { type: 'object', required: ['n'], properties: { n: { type: 'number', multipleOf }, yes: {} } },
        { type: 'object', required: ['n'], properties: { n: { type: 'number' }, no: {} } },
      ];
      app.get('/:n', { schema: { response: { 200: { anyOf: oneOf } } } }, ({ params }) => ({
        n: Number((params as { n: string }).n),
        yes: 1,
        no: 1,
      }));
      const branchOf = async (n: number) => {
        const { yes } = (await app.inject(`/${n}`)).json<{ yes?: number }>();
        return yes === 1;
      };
      expect(await Promise.all(valid.map(branchOf))).toEqual(valid.map(() => true));
      expect(await Promise.all(invalid.map(branchOf))).toEqual(invalid.map(() => false));
    });
  }

  test('in query strings, where values are converted from text', async () => {
    const app = ambit();
    const querystring = { type: 'object', properties: { price: { type: 'number', multipleOf: 0.01 } } };
    app.get('/', { schema: { querystring } }, ({ query }) => query as never);
    expect((await app.inject('/?price=19.99')).json()).toEqual({ price: 19.99 });
    expect((await app.inject('/?price=19.995')).statusCode).toBe(400);
  });

  test('on the facade', async () => {
    const app = fastify();
    app.post('/', { schema: { body: { type: 'number', multipleOf: 0.01 } } }, () => 'ok');
    const send = (payload: string) =>
      app.inject({ method: 'POST', url: '/', headers: { 'content-type': 'application/json' }, payload });
    expect((await send('19.99')).statusCode).toBe(200);
    expect((await send('19.999')).json()).toMatchObject({ message: 'body must be multiple of 0.01' });
  });

  test('not if the application sets the option of Ajv for them', async () => {
    const options = { ajv: { customOptions: { multipleOfPrecision: 2 } } };
    expect(statusesOf(await post({ type: 'number', multipleOf: 0.01 }, [19.99, 19.99999], options))).toEqual([
      200, 200,
    ]);
  });
});

const cat = {
  $id: 'Cat',
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string' }, lives: { type: 'integer' } },
};
const dog = {
  $id: 'Dog',
  type: 'object',
  required: ['kind'],
  properties: { kind: { type: 'string' }, tricks: { type: 'array', items: { type: 'string' } } },
};
const references = [{ $ref: 'Cat#' }, { $ref: 'Dog#' }];
const constants = (['cat', 'dog'] as const).map((kind) => ({
  type: 'object',
  required: ['kind'],
  properties: {
    kind: { const: kind },
    [kind === 'cat' ? 'lives' : 'tricks']: { type: kind === 'cat' ? 'integer' : 'array' },
  },
}));
const discriminated: Record<string, [schema: object, cat: string, dog: string]> = {
  'the names of the schemas': [{ oneOf: references, discriminator: { propertyName: 'kind' } }, 'Cat', 'Dog'],
  'a mapping to references': [
    { oneOf: references, discriminator: { propertyName: 'kind', mapping: { c: 'Cat#', d: 'Dog#' } } },
    'c',
    'd',
  ],
  'a mapping to names': [
    {
      anyOf: references,
      discriminator: { propertyName: 'kind', mapping: { c: 'Cat', d: '#/components/schemas/Dog' } },
    },
    'c',
    'd',
  ],
  'constants of the branches': [{ oneOf: constants, discriminator: { propertyName: 'kind' } }, 'cat', 'dog'],
  'constants in definitions': [
    {
      definitions: { Cat: constants[0], Dog: { allOf: [constants[1]] } },
      oneOf: [{ $ref: '#/definitions/Cat' }, { $ref: '#/definitions/Dog' }],
      discriminator: { propertyName: 'kind' },
    },
    'cat',
    'dog',
  ],
  'a branch that is null': [
    { anyOf: [...references, { type: 'null' }], discriminator: { propertyName: 'kind' } },
    'Cat',
    'Dog',
  ],
};

describe('discriminator selects the branch', () => {
  for (const dialect of dialects) {
    for (const [what, [schema, catKind, dogKind]] of Object.entries(discriminated)) {
      test(`${dialect}, by ${what}: in requests`, async () => {
        const bodies = [
          { pet: { kind: catKind, lives: 9 } },
          { pet: { kind: dogKind, tricks: ['sit'] } },
          { pet: { kind: dogKind, tricks: [{}, 1] } },
          { pet: { kind: catKind, lives: 'many' } },
          { pet: { kind: 'fish' } },
          { pet: {} },
          { pet: [] },
        ];
        const body = { type: 'object', properties: { pet: schema }, ...definitionsOf(schema) };
        const shared = [cat, dog];
        const verdicts = await post(body, bodies.slice(0, 2), { ajv: { dialect } }, shared);
        expect(verdicts).toEqual(bodies.slice(0, 2).map((each) => ({ statusCode: 200, body: each })));
        const others = await post(body, bodies.slice(3), { ajv: { dialect } }, shared);
        expect(statusesOf(others)).toEqual([400, 400, 400, 400]);
        expect(warnings).toEqual([]);
      });

      test(`${dialect}, by ${what}: in responses`, async () => {
        const app = ambit({ ajv: { dialect } });
        for (const each of [cat, dog]) app.addSchema(each as never);
        const response = { 200: { type: 'object', properties: { pet: schema }, ...definitionsOf(schema) } };
        app.get('/:kind', { schema: { response: response as never } }, ({ params }) => {
          const { kind } = params as { kind: string };
          return { pet: { kind, lives: 9, tricks: ['sit'], secret: 1 } } as never;
        });
        expect((await app.inject(`/${dogKind}`)).json()).toEqual({ pet: { kind: dogKind, tricks: ['sit'] } });
        expect((await app.inject(`/${catKind}`)).json()).toEqual({ pet: { kind: catKind, lives: 9 } });
      });
    }
  }

  test('null is validated by the branch for it', async () => {
    const [schema] = discriminated['a branch that is null']!;
    expect(await post(schema, [null], {}, [cat, dog])).toEqual([{ statusCode: 200, body: null }]);
  });

  test('the error names the property', async () => {
    const app = ambit();
    const body = { oneOf: constants, discriminator: { propertyName: 'kind' } };
    app.post('/', { schema: { body: body as never } }, () => 'ok');
    const reply = await app.inject({ method: 'POST', url: '/', payload: { kind: 'fish' } });
    expect(reply.json()).toMatchObject({
      statusCode: 400,
      message: 'body should have a known value in "kind"',
    });
  });

  for (const [what, discriminator] of Object.entries<unknown>({
    'without a name': {},
    'on a name of every object': { propertyName: 'constructor' },
  })) {
    test(`${what} is ignored`, async () => {
      const bodies = [{ kind: 'cat' }, { kind: 'fish' }];
      expect(statusesOf(await post({ oneOf: constants, discriminator }, bodies))).toEqual([200, 400]);
    });
  }

  test('is ignored if a value would select two branches', async () => {
    const schema = { anyOf: [...references, { $ref: 'Dog#' }], discriminator: { propertyName: 'kind' } };
    expect(statusesOf(await post(schema, [{ kind: 'any' }, {}], {}, [cat, dog]))).toEqual([200, 400]);
  });
});

/** References to definitions are resolved in the document. */
function definitionsOf(schema: object): object {
  return 'definitions' in schema ? { definitions: schema.definitions } : {};
}

const words = {
  example: { $ref: 'nothing', deep: [{ a: 1 }] },
  xml: { name: 'a', wrapped: true },
  externalDocs: { url: 'https://a.test' },
  deprecated: true,
  examples: ['a'],
  'x-internal': { anything: [1] },
  'x-odd.name/1': null,
};

describe('the words of OpenAPI', () => {
  for (const dialect of dialects) {
    test(`${dialect}: describe, at every place of a request schema`, async () => {
      const app = ambit({ ajv: { dialect } });
      app.addSchema({
        $id: 'shared',
        type: 'object',
        properties: { a: { type: 'string', ...words } },
        ...words,
      });
      const part = {
        type: 'object',
        ...words,
        properties: {
          a: { type: 'string', ...words },
          b: { allOf: [{ type: 'array', items: { ...words } }] },
        },
      };
      const params = { type: 'object', properties: { a: { type: 'string', ...words } }, ...words };
      const schema = { body: part, querystring: part, params, headers: part };
      app.post('/:a', { schema: schema as never }, () => 'ok');
      app.post('/shared/:a', { schema: { body: { $ref: 'shared#', ...words } as never } }, () => 'ok');
      await app.ready();
      const url = '/a?a=1';
      expect((await app.inject({ method: 'POST', url, payload: { a: 'a' } })).statusCode).toBe(200);
      expect((await app.inject({ method: 'POST', url, payload: { a: {} } })).statusCode).toBe(400);
      expect(warnings).toEqual([]);
    });
  }

  for (const [near, meant] of [
    ['exampel', 'example'],
    ['discriminater', 'discriminator'],
    ['requird', 'required'],
    ['externalDoc', 'externalDocs'],
  ]) {
    test(`a near miss still fails boot: ${near}`, async () => {
      const app = ambit();
      app.post('/', { schema: { body: { type: 'object', [near!]: {} } as never } }, () => 'ok');
      await expect(app.ready()).rejects.toThrow(`did you mean '${meant}'?`);
    });
  }

  for (const [what, schema, isNullValid] of [
    ['beside a type', { type: 'string', nullable: true }, true],
    ['beside a type and an enum without null', { type: 'string', nullable: true, enum: ['a'] }, false],
    ['beside a type and an enum with null', { type: 'string', nullable: true, enum: ['a', null] }, true],
    ['beside an enum without a type', { nullable: true, enum: ['a'] }, false],
    ['beside allOf', { nullable: true, allOf: [{ type: 'object' }] }, false],
    [
      'beside allOf of a nullable schema',
      { nullable: true, allOf: [{ type: 'object', nullable: true }] },
      true,
    ],
    ['beside a reference', { nullable: true, $ref: 'Cat#' }, false],
    ['beside nothing', { nullable: true }, true],
    ['false without a type', { nullable: false }, true],
  ] as const) {
    for (const dialect of dialects) {
      test(`${dialect}: nullable ${what} ${isNullValid ? 'allows' : 'does not allow'} null`, async () => {
        const body = { type: 'object', properties: { a: schema } };
        const options: AmbitOptions = { ajv: { dialect, customOptions: { coerceTypes: false } } };
        expect(statusesOf(await post(body, [{ a: null }], options, [cat]))).toEqual([
          isNullValid ? 200 : 400,
        ]);
      });
    }
  }

  test('a property may have the name of a word', async () => {
    const properties = {
      nullable: { type: 'integer' },
      'x-a': { type: 'integer' },
      example: { type: 'integer' },
    };
    const bodies = [{ nullable: {} }, { 'x-a': {} }, { example: {} }, { nullable: 1, 'x-a': 1, example: 1 }];
    expect(statusesOf(await post({ type: 'object', properties }, bodies))).toEqual([400, 400, 400, 200]);
  });
});

describe('an unknown format', () => {
  const body = { type: 'object', properties: { id: { type: 'string', format: 'snowflake' } } };
  const declare = (app: Context): Context => {
    app.addSchema({ $id: 'shared', ...body });
    for (const url of ['/a', '/b']) app.post(url, { schema: { body: { $ref: 'shared#' } } }, () => 'ok');
    app.post('/own', { schema: { body } }, () => 'ok');
    return app;
  };

  test('is a warning that names it and its place, once a place', async () => {
    const app = declare(ambit());
    await app.ready();
    expect(warnings).toHaveLength(2);
    expect(warnings[0]).toMatch(/"snowflake".*: shared#\/properties\/id/);
    expect(warnings[1]).toMatch(/"snowflake".*: #\/properties\/id in the body of POST \/own/);
    expect((await app.inject({ method: 'POST', url: '/own', payload: { id: 'any' } })).statusCode).toBe(200);
  });

  for (const option of ['strict', 'strictSchema']) {
    test(`is an error with ${option}: true`, async () => {
      const app = declare(ambit({ ajv: { customOptions: { [option]: true } } }));
      await expect(app.ready()).rejects.toThrow(/unknown format "snowflake"/);
    });
  }

  test('that the application adds is checked', async () => {
    const customOptions = { formats: { snowflake: /^\d+$/ } };
    const statuses = statusesOf(await post(body, [{ id: '1' }, { id: 'a' }], { ajv: { customOptions } }));
    expect([statuses, warnings]).toEqual([[200, 400], []]);
  });
});

describe('on the facade, boot fails as in Fastify', () => {
  for (const [what, schema] of Object.entries<object>({
    'an annotation': { type: 'object', example: 1 },
    'a word with x-': { type: 'object', 'x-a': 1 },
    'nullable without a type': { nullable: true },
    'an unknown format': { type: 'string', format: 'snowflake' },
    discriminator: { oneOf: constants, discriminator: { propertyName: 'kind' } },
  })) {
    test(what, async () => {
      const app = fastify();
      app.post('/', { schema: { body: schema } }, () => 'ok');
      await expect(app.ready()).rejects.toMatchObject({ code: 'FST_ERR_SCH_VALIDATION_BUILD' });
    });
  }
});
