/** What boot says of a schema that does not compile: the mistake is placed where it is, also in a shared schema and in a circle. */
import {
  type AmbitOptions,
  type CodedError,
  type Context,
  type JsonSchema,
  recordDeclarationSites,
} from 'ambit';
import { describe, expect, test, vi } from 'vitest';
import { fastify } from '../../fastify/src/index.ts';
import { flavors } from './support/flavors.ts';

recordDeclarationSites();

const text = { type: 'string' };
const within = (schema: object): JsonSchema => ({ type: 'object', properties: { x: schema } });
const sharedWith = (schema: object): JsonSchema => ({ $id: 's', ...within(schema) });
const here = expect.stringMatching(/schema-places\.test\.ts:\d+:\d+$/);
const dialects = ['draft-07', '2020-12'] as const;
const ofBody = (schema: JsonSchema) => ({ body: schema });
const ofResponse = (schema: JsonSchema) => ({ response: { 200: schema } });
const quiet = { logger: false } as const;

async function failureOf(
  make: (options?: AmbitOptions) => Context,
  schema: object,
  shared: readonly JsonSchema[] = [],
  options: AmbitOptions = {},
): Promise<CodedError> {
  const app = make({ ...options, ajv: { customOptions: quiet, ...options.ajv } });
  app.register(async function schemas(child) {
    for (const each of shared) child.addSchema(each);
    child.register(async function routes(inner) {
      inner.post('/notes', { schema }, () => ({}) as never);
    });
  });
  return app.ready().then(
    () => {
      throw new Error('boot did not fail');
    },
    (error: CodedError) => error,
  );
}

describe.each(flavors)('on %s', (flavor, make) => {
  const plugin = `${flavor === 'ambit' ? 'ambit' : 'fastify'} > schemas`;

  describe.each([
    ['validators', 'draft-07', ofBody],
    ['validators', '2020-12', ofBody],
    ['serializers', 'draft-07', ofResponse],
    ['serializers', '2020-12', ofResponse],
  ] as const)('a mistake in a shared schema, for %s of %s,', (_kind, dialect, declare) => {
    test.each([
      ['a type', { type: 'strnig' }, 's#/properties/x/type'],
      ['a pattern', { ...text, pattern: '(' }, 's#/properties/x/pattern'],
      ['a number', { type: 'number', multipleOf: 0 }, 's#/properties/x/multipleOf'],
      ['`nullable`', { ...text, nullable: 'yes' }, 's#/properties/x/nullable'],
    ])('%s, is reported where the schema was added, and not for the route', async (_what, wrong, path) => {
      const schema = declare(within({ $ref: 's#' }));
      const { where } = await failureOf(make, schema, [sharedWith(wrong)], { ajv: { dialect } });
      expect(where).toEqual({ plugin, file: here, schemaPath: path });
    });
  });

  describe.each(['boot', 'first-use'] as const)('with `compile: %s`', (compile) => {
    test.each([
      ['validators', ofBody, { ...text, pattern: '(' }, 's#/properties/x/pattern'],
      ['serializers', ofResponse, { ...text, pattern: '(' }, 's#/properties/x/pattern'],
      ['validators', ofBody, { $ref: 'nobody#' }, 's#/properties/x'],
      ['validators', ofBody, { $ref: 'toString#' }, 's#/properties/x'],
      ['serializers', ofResponse, { $ref: 'nobody#' }, 's#/properties/x/$ref'],
    ])('%s blame the last of a chain of shared schemas', async (_kind, declare, wrong, path) => {
      const chain = [
        { $id: 'q', ...within({ $ref: 'r#' }) },
        { $id: 'r', ...within({ $ref: 's#' }) },
      ];
      const schema = declare({ $ref: 'q#' });
      const { where } = await failureOf(make, schema, [...chain, sharedWith(wrong)], { compile });
      expect(where).toEqual({ plugin, file: here, schemaPath: path });
    });
  });

  test('a path that Ajv reports is completed, also if another shared schema includes the wrong one', async () => {
    const chain = [
      { $id: 'r', ...within({ $ref: 's#' }) },
      { $id: 's', minLength: 3 },
    ];
    const ajv = { customOptions: { ...quiet, strictTypes: true } };
    const { where } = await failureOf(make, ofBody({ $ref: 'r#' }), chain, { ajv });
    expect(where).toEqual({ plugin, file: here, schemaPath: 's#' });
  });

  test('a wrong shared schema to which nothing refers is not reported for a route', async () => {
    const body = within({ ...text, if: {}, else: {} });
    const { where } = await failureOf(make, { body }, [sharedWith({ type: 'strnig' })]);
    expect(where).toEqual({ plugin, file: here, schemaPath: 's#/properties/x/type' });
  });

  test('a mistake in the schema of the route is reported for the route, also if it sees shared schemas', async () => {
    const { where } = await failureOf(make, { body: within({ type: 'strnig' }) }, [sharedWith(text)]);
    expect(where).toMatchObject({ route: 'POST /notes', part: 'body', schemaPath: '#/properties/x/type' });
  });

  const tuple = [{ ...text, default: 'a' }];
  test.each([
    ['a pattern', within({ ...text, pattern: '(' }), '#/properties/x/pattern'],
    ['a pattern for names', { type: 'object', patternProperties: { '(/': text } }, '#/patternProperties/(~1'],
    [
      'a name that also matches a pattern',
      { ...within(text), patternProperties: { '^x': text } },
      '#/patternProperties/^x',
    ],
    ['a default at the root', { ...text, default: 'a' }, '#/default'],
    [
      'a default in a branch',
      { type: 'object', anyOf: [within({ ...text, default: 'a' })] },
      '#/anyOf/0/properties/x/default',
    ],
    [
      'a default after one that is used',
      { ...within({ ...text, default: 'a' }), anyOf: [within({ ...text, default: 'b' })] },
      '#/anyOf/0/properties/x/default',
    ],
    [
      'a default of a name that is no identifier',
      { anyOf: [{ type: 'object', properties: { 'a-"b': { ...text, default: 'a' } } }] },
      '#/anyOf/0/properties/a-"b/default',
    ],
    [
      'a default in a tuple',
      within({ oneOf: [{ type: 'array', items: tuple, minItems: 1, additionalItems: false }] }),
      '#/properties/x/oneOf/0/items/0/default',
    ],
    [
      'a default to which a branch refers',
      { anyOf: [{ $ref: '#/definitions/a' }], definitions: { a: within({ ...text, default: 'a' }) } },
      '#/definitions/a/properties/x/default',
    ],
    ['`else` without `if`', within({ ...text, else: { minLength: 1 } }), '#/properties/x/else'],
    ['`if` alone', { ...within({ ...text, if: { minLength: 1 } }), if: {}, else: {} }, '#/properties/x/if'],
    [
      '`additionalItems` alone',
      within({ type: 'array', additionalItems: false }),
      '#/properties/x/additionalItems',
    ],
    ['`nullable: false` beside null', within({ type: ['null'], nullable: false }), '#/properties/x/nullable'],
    ['`id` of draft-04', within({ ...text, id: 'x' }), '#/properties/x/id'],
    ['`$async` below the root', within({ ...text, $async: true }), '#/properties/x/$async'],
    ['a number as `$schema`', { $schema: 1, ...within(text) }, '#/$schema'],
    ['an unknown meta-schema', { $schema: 'urn:no:thing', ...within(text) }, '#/$schema'],
    [
      'a second schema of one `$id`',
      { definitions: { a: { $id: 'q', ...text }, b: { $id: 'q', type: 'null' } } },
      '#/definitions/a/$id',
    ],
  ])('%s is placed in the schema', async (_what, body, schemaPath) => {
    const error = await failureOf(make, { body });
    expect(error).toMatchObject({
      code: 'FST_ERR_SCH_VALIDATION_BUILD',
      where: { part: 'body', schemaPath },
    });
  });

  test.each([
    ['limits that exclude each other', { minContains: 2, maxContains: 1 }, '#/properties/x/minContains'],
    ['a limit of 0 alone', { minContains: 0 }, '#/properties/x/minContains'],
    ['a limit without `contains`', { maxContains: 1, contains: undefined }, '#/properties/x/maxContains'],
    ['an anchor that is no name', { $anchor: '1 2' }, '#/properties/x/$anchor'],
  ])('%s is placed in a schema of 2020-12', async (_what, keywords, schemaPath) => {
    const list = JSON.parse(JSON.stringify({ type: 'array', contains: text, ...keywords }));
    const error = await failureOf(make, { body: within(list) }, [], { ajv: { dialect: '2020-12' } });
    expect(error).toMatchObject({ where: { part: 'body', schemaPath } });
  });

  test('a reference to a schema of another dialect is placed in the schema', async () => {
    const shared = { $schema: 'https://json-schema.org/draft/2020-12/schema', ...sharedWith(text) };
    const error = await failureOf(make, { body: within({ $ref: 's#/properties/x' }) }, [shared]);
    expect(error).toMatchObject({ where: { part: 'body', schemaPath: '#/properties/x/$ref' } });
  });
});

test('`nullable` without a type, which Fastify refuses, is placed in the schema', async () => {
  const error = await failureOf(fastify, { body: within({ nullable: true }) });
  expect(error).toMatchObject({ where: { part: 'body', schemaPath: '#/properties/x/nullable' } });
});

const [, ambit] = flavors[0]!;

test('an unknown keyword in a shared schema is reported with what was probably meant', async () => {
  const error = await failureOf(ambit, { params: within({ $ref: 's#' }) }, [
    sharedWith({ ...text, maxlenth: 3 }),
  ]);
  expect(error.message).toMatch(
    /shared schema 's', .* \(at s#\/properties\/x; did you mean 'maxLength'\?\)$/,
  );
});

test('the message names the shared schema', async () => {
  const error = await failureOf(ambit, { body: { $ref: 's#' } }, [sharedWith({ type: 'strnig' })]);
  expect(error.message).toMatch(
    /^Failed building the shared schema 's', due to error .*\(at s#\/properties\/x\/type; did you mean 'string'\?\)$/,
  );
  const response = { 200: { $ref: 's#' } };
  const said = await failureOf(ambit, { response }, [sharedWith({ type: 'number', multipleOf: 0 })]);
  expect(said.message).toBe(
    "Failed building the shared schema 's', due to error multipleOf must be a number > 0; got 0 (in the schema, at s#/properties/x/multipleOf)",
  );
});

const discriminator = { propertyName: 'kind' };
const kind = (name: string): JsonSchema => ({ type: 'object', properties: { kind: { const: name } } });
const pet = { $id: 'pet', type: 'object', required: ['kind'], properties: { kind: text }, discriminator };
const pets: JsonSchema[] = [
  { $id: 'cat', allOf: [{ $ref: 'pet#' }, kind('cat')] },
  { $id: 'dog', allOf: [{ $ref: 'pet#' }, kind('dog')] },
];

describe.each(dialects)('a schema of %s that refers to itself without a value in between', (dialect) => {
  const shared = [
    { $id: 'a', $ref: 'b#/allOf/0' },
    { $id: 'b', allOf: [{ $ref: 'a#' }] },
    { ...pet, oneOf: [{ $ref: 'cat#' }, { $ref: 'dog#' }] },
    ...pets,
  ];
  const definitions = { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } };

  describe.each([
    ['validators', ofBody],
    ['serializers', ofResponse],
  ] as const)('fails boot with the loop, for %s', (_kind, declare) => {
    test.each([
      ['itself', { $ref: '#' }, '# -> #'],
      ['a list', { type: 'object', allOf: [{ $ref: '#' }] }, '# -> #/allOf/0 -> #'],
      ['the first branch', { anyOf: [{ $ref: '#' }, text] }, '# -> #/anyOf/0 -> #'],
      [
        'below a property',
        { ...within({ $ref: '#/definitions/a' }), definitions },
        '#/definitions/a -> #/definitions/b -> #/definitions/a',
      ],
      ['shared schemas', within({ $ref: 'a#' }), 'a# -> b#/allOf/0 -> a#'],
      [
        'kinds that include their union',
        within({ $ref: 'pet#' }),
        'pet# -> pet#/oneOf/0 -> cat# -> cat#/allOf/0 -> pet#',
      ],
    ])('%s', async (_what, schema, loop) => {
      const error = await failureOf(ambit, declare(schema), shared, { ajv: { dialect } });
      expect(error.message).toContain(`refers to itself without a value in between: ${loop} (`);
    });
  });

  const statusOf = async (body: JsonSchema, payload: object | string, added: JsonSchema[] = []) => {
    const app = ambit({ ajv: { dialect, customOptions: quiet } });
    for (const each of added) app.addSchema(each);
    app.post('/', { schema: { body } }, () => 'ok');
    const headers = { 'content-type': 'application/json' };
    const sent = await app.inject({ method: 'POST', url: '/', headers, payload: JSON.stringify(payload) });
    return sent.statusCode;
  };

  test('is accepted with a value in between', async () => {
    const list = { type: 'array', items: { $ref: '#' } };
    const body = { type: 'object', properties: { next: { $ref: '#' }, list } };
    expect(await statusOf(body, { next: { next: {} }, list: [{ list: [] }] })).toBe(200);
  });

  test('is accepted in a request if a condition can end the loop', async () => {
    expect(await statusOf({ if: text, else: { $ref: '#' } }, 'text')).toBe(200);
  });

  test('is accepted if a mapping names the kinds without including them', async () => {
    const mapping = { cat: 'cat#', dog: 'dog#' };
    const base = { ...pet, discriminator: { ...discriminator, mapping } };
    expect(await statusOf({ $ref: 'cat#' }, { kind: 'cat' }, [base, ...pets])).toBe(200);
    expect(await statusOf({ $ref: 'cat#' }, { kind: 'dog' }, [base, ...pets])).toBe(400);
  });
});

test('a later branch may end a loop in draft-07; in 2020-12, Ajv tries all branches', async () => {
  const body = { anyOf: [text, { $ref: '#' }] };
  const app = ambit();
  app.post('/', { schema: { body } }, () => 'ok');
  const headers = { 'content-type': 'application/json' };
  expect((await app.inject({ method: 'POST', url: '/', headers, payload: '"text"' })).statusCode).toBe(200);
  const { message } = await failureOf(ambit, { body }, [], { ajv: { dialect: '2020-12' } });
  expect(message).toContain('without a value in between: # -> #/anyOf/1 -> # (');
});

test('the error of a loop says so in its code', async () => {
  const { cause } = await failureOf(ambit, { body: { $ref: '#' } });
  expect(cause).toMatchObject({ code: 'AMBIT_ERR_SCHEMA_LOOP' });
});

test('on the facade, a loop that does not compile is named', async () => {
  const definitions = { a: { $ref: '#/definitions/b' }, b: { $ref: '#/definitions/a' } };
  const { cause } = await failureOf(fastify, {
    body: { ...within({ $ref: '#/definitions/a' }), definitions },
  });
  expect(cause).toMatchObject({ code: 'AMBIT_ERR_SCHEMA_LOOP' });
});

describe.each(flavors)('warnings of Ajv, on %s,', (_flavor, make) => {
  async function warningsOf(
    bodies: JsonSchema[],
    shared: JsonSchema[],
    customOptions: Record<string, unknown>,
  ) {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const app = make({ ajv: { customOptions } });
    for (const each of shared) app.addSchema(each);
    for (const [at, body] of bodies.entries()) app.post(`/${at}`, { schema: { body } }, () => 'ok');
    await app.ready();
    const lines = warn.mock.calls.flat();
    warn.mockRestore();
    return lines;
  }

  test('name the route and the path', async () => {
    const bodies = [within({ minLength: 1 }), { ...within(text), default: {} }];
    expect(await warningsOf(bodies, [], { strict: 'log' })).toEqual([
      'strict mode: missing type "string" for keyword "minLength" at "#/properties/x" (strictTypes) (in the body of POST /0)',
      'strict mode: default is ignored in the schema root (at #/default, in the body of POST /1)',
    ]);
  });

  test('name a shared schema once, and not the routes that use it', async () => {
    const shared = [sharedWith({ minLength: 1, else: {} })];
    const bodies = [within({ $ref: 's#' }), { ...within({ $ref: 's#' }), required: ['x'] }];
    expect(await warningsOf(bodies, shared, { strict: 'log' })).toEqual([
      'strict mode: missing type "string" for keyword "minLength" at "s#/properties/x" (strictTypes)',
      'strict mode: "else" without "if" is ignored (at s#/properties/x/else)',
    ]);
  });
});

test('a circle of too many schemas says so', async () => {
  const circle = Array.from({ length: 500 }, (_, i) => ({
    $id: `c${i}`,
    ...within({ $ref: `c${(i + 1) % 500}#` }),
  }));
  const { message } = await failureOf(ambit, { body: { $ref: 'c0#' } }, circle);
  expect(message).toContain('too many schemas refer to one another in a chain or a circle');
});
