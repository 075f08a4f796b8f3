/** `$dynamicRef` in documents: each schema is described for the targets that the references in it have at its place. */
import { toOpenAPI } from '@ambit/openapi';
import type { AnySchemaObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ambit } from 'ambit';
import fc from 'fast-check';
import { expect, test } from 'vitest';

type Schema = Record<string, unknown>;

const dialect = '2020-12';
const quiet = { strict: false, logger: false } as const;

async function describe(shared: readonly Schema[], bodies: Record<string, Schema>) {
  const app = ambit({ ajv: { dialect } });
  // The document is made of the schemas as they are: nothing here is validated by the application.
  app.setValidatorCompiler(() => () => true);
  for (const schema of shared) app.addSchema(schema);
  for (const [path, body] of Object.entries(bodies)) app.post(path, { schema: { body } }, () => '');
  const { paths, components } = await toOpenAPI(app, { errors: false });
  const schemas = Object.values(paths).map((item) => {
    const { post } = item as { post: { requestBody: { content: Record<string, { schema: Schema }> } } };
    return post.requestBody.content['application/json']!.schema;
  });
  await app.close();
  return { schemas, components: components?.schemas };
}

/** A tree whose children may be replaced by a schema that extends it. */
const tree = {
  $id: 'Tree',
  $dynamicAnchor: 'node',
  type: 'object',
  properties: { data: true, children: { type: 'array', items: { $dynamicRef: '#node' } } },
};
const strictTree = {
  $id: 'StrictTree',
  $dynamicAnchor: 'node',
  $ref: 'Tree',
  unevaluatedProperties: false,
};

test('a schema that others extend is described once without an extension, and once for each extension', async () => {
  const { schemas, components } = await describe([tree, strictTree], {
    '/strict': { $ref: 'StrictTree' },
    '/tree': { $ref: 'Tree' },
  });
  expect(schemas).toEqual([
    { $ref: '#/components/schemas/StrictTree' },
    { $ref: '#/components/schemas/Tree_2' },
  ]);
  const treeOf = (children: string) => ({
    type: 'object',
    properties: {
      data: true,
      children: { type: 'array', items: { $ref: `#/components/schemas/${children}` } },
    },
  });
  expect(components).toEqual({
    StrictTree: { $ref: '#/components/schemas/Tree', unevaluatedProperties: false },
    Tree: treeOf('StrictTree'),
    Tree_2: treeOf('Tree_2'),
  });
});

test('without an extension, there is one component', async () => {
  const { components } = await describe([tree], { '/a': { $ref: 'Tree' }, '/b': { $ref: 'Tree' } });
  expect(Object.keys(components!)).toEqual(['Tree']);
});

test('a schema with `$ref` and `$dynamicRef` requires both, in either order', async () => {
  const size = { $id: 'Size', type: 'object', required: ['size'] };
  const named = { $id: 'Named', $dynamicAnchor: 'named', type: 'object', required: ['name'] };
  const { schemas, components } = await describe([size, named], {
    '/a': { $ref: 'Size', $dynamicRef: 'Named#named' },
    '/b': { $dynamicRef: 'Named#named', $ref: 'Size' },
  });
  for (const schema of schemas) {
    const validate = new Ajv2020(quiet).compile({ allOf: [schema], components: { schemas: components } });
    expect([{ name: 1, size: 1 }, { name: 1 }, { size: 1 }].map((value) => validate(value))).toEqual([
      true,
      false,
      false,
    ]);
  }
});

test('a `$dynamicRef` without a target fails, and the error names the route and the part', async () => {
  const app = ambit({ ajv: { dialect } });
  app.setValidatorCompiler(() => () => true);
  app.post('/x', { schema: { body: { type: 'object', not: { $dynamicRef: '#nowhere' } } } }, () => '');
  await expect(toOpenAPI(app)).rejects.toThrow(
    'POST /x: the schema of body cannot be described at /not/$dynamicRef: $ref "#nowhere" has no target',
  );
});

test('the dialect is that of the application, unless the option `dialect` is set', async () => {
  const app = ambit({ ajv: { dialect } });
  app.post(
    '/x',
    { schema: { body: { type: 'array', prefixItems: [{ type: 'string' }], minItems: 1, items: false } } },
    () => '',
  );
  expect(JSON.stringify(await toOpenAPI(app))).toContain('prefixItems');
  expect(JSON.stringify(await toOpenAPI(app, { dialect: 'draft-07' }))).not.toContain('prefixItems');
});

test('in draft 7, `$dynamicRef` has no effect, as in the application', async () => {
  const app = ambit({ ajv: { customOptions: { strict: false } } });
  app.post('/x', { schema: { body: { type: 'object', not: { $dynamicRef: '#nowhere' } } } }, () => 'ok');
  expect(JSON.stringify(await toOpenAPI(app))).not.toContain('nowhere');
});

const names = ['A', 'B', 'C'];
const constraint = fc.constantFrom<Schema>(
  { type: 'object' },
  { required: ['a'] },
  { maxProperties: 2 },
  { properties: { b: { type: 'integer' } } },
  { unevaluatedProperties: false },
);

/** Schemas of which each may extend the next, and refers to itself or to what extends it. */
const family = fc.tuple(
  ...names.map((name, i) =>
    fc
      .record({
        own: constraint,
        extends: fc.boolean(),
        isDynamic: fc.boolean(),
        child: fc.constantFrom('#node', ...names.slice(i + 1)),
      })
      .map(
        (given): Schema => ({
          $id: name,
          ...(given.isDynamic ? { $dynamicAnchor: 'node' } : { $anchor: 'node' }),
          ...given.own,
          properties: {
            ...(given.own.properties as Schema),
            // Ajv follows a `$dynamicRef` only within one schema.
            a: given.child === '#node' ? { $dynamicRef: '#node' } : { $ref: given.child },
          },
          ...(given.extends && i < 2 && { $ref: names[i + 1]! }),
        }),
      ),
  ),
);
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.constantFrom(1, 'x', {}),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
}));

test('a value is valid in the document exactly when it is valid in the route, for any order of extensions', async () => {
  await fc.assert(
    fc.asyncProperty(family, fc.array(value, { minLength: 8, maxLength: 20 }), async (shared, values) => {
      const bodies = Object.fromEntries(names.map((name) => [`/${name}`, { $ref: name }]));
      const { schemas, components } = await describe(shared, bodies);
      for (const [i, described] of schemas.entries()) {
        const ours = new Ajv2020({ ...quiet, schemas: shared as AnySchemaObject[] }).compile({
          $ref: names[i],
        });
        const theirs = new Ajv2020(quiet).compile({
          allOf: [described],
          components: { schemas: components },
        });
        expect(values.map((each) => theirs(each))).toEqual(values.map((each) => ours(each)));
      }
    }),
    { numRuns: 20 },
  );
});
