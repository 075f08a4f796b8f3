/** The document says what the application does: a value is valid by a route's schema exactly when it is by the document's. */
import { type DocumentOptions, toOpenAPI } from '@ambit/openapi';
import { Ajv, type AnySchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ambit } from 'ambit';
import fc from 'fast-check';
import { expect, test } from 'vitest';

type Schema = boolean | Record<string, unknown>;

const quiet = { strict: false, logger: false, validateFormats: false } as const;
const names = ['a', 'b', 'c'];
const name = fc.constantFrom(...names);

const scalar: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, false, '', 'a', 'ab', 'abc', 0, 1, 1.5, -3),
  fc.integer({ min: -5, max: 5 }),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'object', 'array');

/** Schemas of draft 7, with the keywords that 2020-12 has other words for. */
const { schema } = fc.letrec<{ schema: Schema; inner: Schema }>((tie) => ({
  inner: fc.oneof({ depthSize: 'small' }, fc.boolean(), tie('schema')),
  schema: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.record({ type }),
    fc.record({ type, nullable: fc.constant(true) }),
    fc.record({ type: fc.uniqueArray(type, { minLength: 1, maxLength: 3 }) }),
    fc.record({
      type,
      nullable: fc.constant(true),
      enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ const: scalar }),
    fc.record(
      { minimum: fc.integer({ min: -3, max: 3 }), exclusiveMaximum: fc.integer({ min: -3, max: 3 }) },
      { requiredKeys: [] },
    ),
    fc.record(
      { minLength: fc.nat(2), maxLength: fc.nat(3), pattern: fc.constantFrom('^a', 'b$') },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        items: fc.oneof(tie('inner'), fc.array(tie('inner'), { minLength: 1, maxLength: 3 })),
        additionalItems: tie('inner'),
        minItems: fc.nat(2),
        maxItems: fc.nat(3),
        uniqueItems: fc.boolean(),
        contains: tie('inner'),
        prefixItems: fc.array(tie('inner'), { minLength: 1, maxLength: 2 }),
        minContains: fc.nat(2),
      },
      { requiredKeys: [] },
    ),
    fc.record(
      {
        type: fc.constant('object'),
        properties: fc.dictionary(name, tie('inner'), { maxKeys: 2 }),
        required: fc.uniqueArray(name, { maxLength: 2 }),
        additionalProperties: tie('inner'),
        patternProperties: fc.dictionary(fc.constantFrom('^a', '[bc]'), tie('inner'), { maxKeys: 1 }),
        propertyNames: tie('inner'),
        dependencies: fc.dictionary(name, fc.oneof(fc.uniqueArray(name, { maxLength: 2 }), tie('inner')), {
          maxKeys: 2,
        }),
        minProperties: fc.nat(2),
      },
      { requiredKeys: [] },
    ),
    fc.record({ anyOf: fc.array(tie('inner'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(tie('inner'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ allOf: fc.array(tie('inner'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ not: tie('inner') }),
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
    fc.record({ if: tie('inner'), then: tie('inner'), else: tie('inner') }, { requiredKeys: ['if'] }),
    fc.record({
      $ref: fc.constantFrom(
        'Shared#',
        'Shared#/definitions/inner',
        '#/definitions/own',
        '#/definitions/own',
        'Shared#anchor',
      ),
    }),
    fc.record({ $ref: fc.constant('#/definitions/own'), maxProperties: fc.nat(2) }),
  ),
}));

/** An application with one body, and what is shared with it. */
const application = fc.record({ body: schema, own: schema, shared: schema, inner: schema });
type Application = typeof application extends fc.Arbitrary<infer T> ? T : never;

/** In draft 7, a schema with `definitions` has to be an object; the body's are below `allOf`, so that it has any form. */
function schemasOf({ body, own, shared, inner }: Application): {
  body: AnySchemaObject;
  shared: AnySchemaObject;
} {
  return {
    body: { allOf: [body], definitions: { own } },
    shared: {
      $id: 'Shared',
      allOf: [shared],
      definitions: { inner, anchored: { $id: '#anchor', anyOf: [inner] } },
    },
  };
}

/** References that lead nowhere but in circles have no meaning. */
function isGrounded({ own, shared, inner }: Application): boolean {
  return ![own, shared, inner].some((each) => JSON.stringify(each).includes('$ref'));
}

async function documentOf(body: unknown, shared: object, options: DocumentOptions): Promise<Schema> {
  // The document is made of the schemas as they are: nothing here is validated by the application.
  const app = ambit();
  app.setValidatorCompiler(() => () => true);
  app.addSchema(shared);
  app.post('/x', { schema: { body } }, () => '');
  const document = await toOpenAPI(app, { errors: false, ...options });
  const { post } = document.paths['/x'] as {
    post: { requestBody: { content: Record<string, { schema: Schema }> } };
  };
  const described = post.requestBody.content['application/json']!.schema;
  // Alone, the schema takes the components along.
  return { allOf: [described], components: document.components ?? {} };
}

async function compare(
  given: Application,
  options: DocumentOptions,
): Promise<[ours: (value: unknown) => boolean, theirs: (value: unknown) => boolean]> {
  const { body, shared } = schemasOf(given);
  const ours = new Ajv({ ...quiet }).addSchema(shared).compile(body);
  const theirs = new Ajv2020({ ...quiet }).compile(
    (await documentOf(body, shared, options)) as AnySchemaObject,
  );
  return [(value) => ours(value) as boolean, (value) => theirs(value) as boolean];
}

test('in 3.1, a value is valid in the document exactly when it is valid in the route', async () => {
  await fc.assert(
    fc.asyncProperty(
      application.filter(isGrounded),
      fc.array(value, { minLength: 5, maxLength: 12 }),
      async (given, values) => {
        const [ours, theirs] = await compare(given, {});
        expect(values.map(theirs)).toEqual(values.map(ours));
      },
    ),
    { numRuns: 150 },
  );
});

/** What 3.0 means in the words of draft 7. */
function readAs30(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(readAs30);
  if (typeof schema !== 'object' || schema === null) return schema;
  const {
    exclusiveMinimum,
    exclusiveMaximum,
    minimum,
    maximum,
    enum: values,
    ...rest
  } = schema as Record<string, unknown>;
  const out: Record<string, unknown> = Object.fromEntries(
    Object.entries(rest).map(([keyword, inner]) => [keyword, readAs30(inner)]),
  );
  if (values !== undefined) out.enum = values;
  if (minimum !== undefined) out[exclusiveMinimum === true ? 'exclusiveMinimum' : 'minimum'] = minimum;
  if (maximum !== undefined) out[exclusiveMaximum === true ? 'exclusiveMaximum' : 'maximum'] = maximum;
  return out;
}

test('in 3.0, which has fewer keywords, every value that is valid in the route is valid in the document', async () => {
  await fc.assert(
    fc.asyncProperty(
      application.filter(isGrounded),
      fc.array(value, { minLength: 5, maxLength: 12 }),
      async (given, values) => {
        const { body, shared } = schemasOf(given);
        const ours = new Ajv({ ...quiet }).addSchema(shared).compile(body);
        const document = readAs30(await documentOf(body, shared, { openapi: '3.0' }));
        const theirs = new Ajv({ ...quiet }).compile(document as AnySchemaObject);
        const valid = values.filter((each) => ours(each));
        expect(valid.filter((each) => !theirs(each))).toEqual([]);
      },
    ),
    { numRuns: 150 },
  );
});
