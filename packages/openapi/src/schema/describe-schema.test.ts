/** How schemas of routes become schemas of the document: dialect, components, references. */
import { toOpenAPI } from '@ambit/openapi';
import { ambit, type Context } from 'ambit';
import { describe, expect, test } from 'vitest';

const ok = (): never => 'ok' as never;

interface Described {
  schema: unknown;
  components: Record<string, unknown>;
}

/** The schema of a body, and the components that it brings. */
async function describeBody(body: unknown, shared: object[] = [], options: object = {}): Promise<Described> {
  const app = ambit(options);
  for (const schema of shared) app.addSchema(schema);
  app.post('/notes', { schema: { body } }, ok);
  const { paths, components } = await toOpenAPI(app, { errors: false });
  const { content } = (
    paths['/notes'] as { post: { requestBody: { content: Record<string, { schema: unknown }> } } }
  ).post.requestBody;
  return { schema: content['application/json']!.schema, components: components?.schemas ?? {} };
}

const loose = { ajv: { customOptions: { strict: false } } };

describe('draft 7 is converted to 2020-12', () => {
  for (const [title, schema, described] of [
    ['nullable is a type', { type: 'string', nullable: true }, { type: ['string', 'null'] }],
    ['a list of types stays one', { type: ['string', 'null'] }, { type: ['string', 'null'] }],
    [
      'nullable does not add to an enum',
      { type: 'string', nullable: true, enum: ['a'] },
      { type: ['string', 'null'], enum: ['a'] },
    ],
    [
      'a tuple is prefixItems',
      { type: 'array', items: [{ type: 'string' }], additionalItems: { type: 'null' } },
      { type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'null' } },
    ],
    [
      'additionalItems without a tuple say nothing',
      { type: 'array', items: {}, additionalItems: false },
      { type: 'array', items: {} },
    ],
    [
      'dependencies are of two kinds',
      { type: 'object', dependencies: { a: ['b'], c: { required: ['d'] } } },
      { type: 'object', dependentRequired: { a: ['b'] }, dependentSchemas: { c: { required: ['d'] } } },
    ],
    [
      'keywords of later drafts say nothing in draft 7',
      { type: 'array', prefixItems: [false], minContains: 2 },
      { type: 'array' },
    ],
    [
      'definitions that nothing refers to are kept as $defs',
      { type: 'object', definitions: { a: { type: 'string', nullable: true } } },
      { type: 'object', $defs: { a: { type: ['string', 'null'] } } },
    ],
    [
      'what is for the validator alone goes',
      { $comment: 'c', type: 'string', errorMessage: 'no' },
      { $comment: 'c', type: 'string' },
    ],
    [
      'keywords of an application are extensions',
      { type: 'string', isEven: true, 'x-own': 1 },
      { type: 'string', 'x-isEven': true, 'x-own': 1 },
    ],
    [
      'boolean schemas stay',
      { type: 'object', properties: { a: true, b: false } },
      { type: 'object', properties: { a: true, b: false } },
    ],
    [
      'data that looks like a schema is data',
      { const: { nullable: true, type: 'x' } },
      { const: { nullable: true, type: 'x' } },
    ],
    [
      'a property may be called like a keyword',
      {
        type: 'object',
        properties: { nullable: { type: 'string' }, $ref: { type: 'string' }, $id: { type: 'string' } },
      },
      {
        type: 'object',
        properties: { nullable: { type: 'string' }, $ref: { type: 'string' }, $id: { type: 'string' } },
      },
    ],
  ] as const) {
    test(title, async () => {
      expect((await describeBody(schema, [], loose)).schema).toEqual(described);
    });
  }

  test('a schema with the `$schema` of 2020-12 keeps the keywords of that dialect', async () => {
    const app = ambit();
    const schema = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      prefixItems: [{ type: 'string' }],
      items: false,
      unevaluatedItems: false,
    };
    app.get('/x', { schema: { response: { 200: schema } }, serializerCompiler: () => JSON.stringify }, ok);
    const { paths } = await toOpenAPI(app);
    const { $schema, ...rest } = schema;
    expect(JSON.stringify(paths)).toContain(JSON.stringify({ schema: rest }));
  });

  test('examples of a whole schema are moved to its media type; other examples stay in their schemas', async () => {
    const app = ambit();
    app.post(
      '/x',
      {
        schema: {
          body: {
            type: 'object',
            examples: [{ a: 1 }],
            properties: { a: { type: 'integer', examples: [1, 2] } },
          },
        },
      },
      ok,
    );
    const { paths } = await toOpenAPI(app);
    expect(paths['/x']).toMatchObject({
      post: {
        requestBody: {
          content: {
            'application/json': { example: { a: 1 }, schema: { properties: { a: { examples: [1, 2] } } } },
          },
        },
      },
    });
  });
});

describe('components', () => {
  test('a shared schema is a component under its $id, and only where it is used', async () => {
    const { schema, components } = await describeBody({ $ref: 'Note#' }, [
      { $id: 'Note', type: 'object', properties: { author: { $ref: 'User#' } } },
      { $id: 'User', type: 'object' },
      { $id: 'Unused', type: 'object' },
    ]);
    expect(schema).toEqual({ $ref: '#/components/schemas/Note' });
    expect(components).toEqual({
      Note: { type: 'object', properties: { author: { $ref: '#/components/schemas/User' } } },
      User: { type: 'object' },
    });
  });

  for (const [$id, title, name] of [
    ['Note', undefined, 'Note'],
    ['Note', 'A note', 'Note'],
    ['https://example.com/schemas/note.json', undefined, 'note'],
    ['https://example.com/schemas/note.schema.json', 'A note', 'A_note'],
    ['urn:example:note', undefined, 'note'],
    ['/schemas/note', undefined, 'schemas_note'],
  ] as const) {
    test(`a schema with the $id ${$id} and ${title === undefined ? 'no title' : `the title ${title}`} is called ${name}`, async () => {
      const { components } = await describeBody({ $ref: `${$id}#` }, [
        { $id, ...(title && { title }), type: 'object' },
      ]);
      expect(Object.keys(components)).toEqual([name]);
    });
  }

  test('a recursive schema is a component that refers to itself', async () => {
    const { components } = await describeBody({ $ref: 'Tree' }, [
      { $id: 'Tree', type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } },
    ]);
    expect(components).toEqual({
      Tree: {
        type: 'object',
        properties: { children: { type: 'array', items: { $ref: '#/components/schemas/Tree' } } },
      },
    });
  });

  test('a schema without a name that refers to itself gets a name from its route', async () => {
    const app = ambit();
    const response = { 200: { type: 'object', properties: { next: { $ref: '#' } } } };
    app.get('/notes', { schema: { response } }, ok);
    const { paths, components } = await toOpenAPI(app, { errors: false });
    expect(JSON.stringify(paths)).toContain('{"schema":{"$ref":"#/components/schemas/GetNotesResponse"}}');
    expect(components!.schemas).toEqual({
      GetNotesResponse: {
        type: 'object',
        properties: { next: { $ref: '#/components/schemas/GetNotesResponse' } },
      },
    });
  });

  test('definitions that are referred to are components', async () => {
    const { schema, components } = await describeBody({
      type: 'object',
      properties: { a: { $ref: '#/definitions/a' }, b: { $ref: '#b' } },
      definitions: { a: { type: 'string' }, b: { $id: '#b', type: 'integer' } },
    });
    expect(schema).toEqual({
      type: 'object',
      properties: {
        a: { $ref: '#/components/schemas/a' },
        b: { $ref: '#/components/schemas/PostNotesBody_b' },
      },
    });
    expect(components).toEqual({ a: { type: 'string' }, PostNotesBody_b: { type: 'integer' } });
  });

  test('every form of reference is followed', async () => {
    const shared = {
      $id: 'https://example.com/base.json',
      definitions: { name: { type: 'string' }, age: { $id: '#age', type: 'integer' } },
      properties: { inner: { type: 'boolean' } },
      type: 'object',
    };
    const { components } = await describeBody(
      {
        type: 'object',
        properties: {
          a: { $ref: 'https://example.com/base.json#/definitions/name' },
          b: { $ref: 'https://example.com/base.json#age' },
          c: { $ref: 'https://example.com/base.json#/properties/inner' },
          d: { $ref: 'https://example.com/other.json' },
        },
      },
      [
        shared,
        {
          $id: 'https://example.com/other.json',
          type: 'array',
          items: { $ref: 'base.json#/definitions/name' },
        },
      ],
    );
    expect(components).toEqual({
      name: { type: 'string' },
      base_age: { type: 'integer' },
      base_inner: { type: 'boolean' },
      other: { type: 'array', items: { $ref: '#/components/schemas/name' } },
    });
  });

  test('keywords next to a $ref are kept', async () => {
    const { schema } = await describeBody(
      { type: 'object', properties: { a: { $ref: 'S#', description: 'an S', maxLength: 3 } } },
      [{ $id: 'S', type: 'string' }],
    );
    expect(schema).toEqual({
      type: 'object',
      properties: { a: { $ref: '#/components/schemas/S', description: 'an S', maxLength: 3 } },
    });
  });

  test('a discriminator maps each value to its component', async () => {
    const pet = (kind: string) => ({
      $id: kind,
      type: 'object',
      required: ['kind'],
      properties: { kind: { const: kind.toLowerCase() } },
    });
    const { schema } = await describeBody(
      {
        type: 'object',
        discriminator: { propertyName: 'kind' },
        required: ['kind'],
        oneOf: [{ $ref: 'Cat#' }, { $ref: 'Dog#' }],
      },
      [pet('Cat'), pet('Dog')],
      { ajv: { customOptions: { discriminator: true } } },
    );
    expect(schema).toMatchObject({
      oneOf: [{ $ref: '#/components/schemas/Cat' }, { $ref: '#/components/schemas/Dog' }],
      discriminator: {
        propertyName: 'kind',
        mapping: { cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog' },
      },
    });
  });

  for (const [form, reference] of [
    ['as in the schema', 'Cat#'],
    ['as in a document', '#/components/schemas/Cat'],
    ['by the name of the component', 'Cat'],
  ] as const) {
    test(`the mapping of a discriminator may refer to a branch ${form}, and its values may be any text`, async () => {
      const app = ambit();
      app.addSchema({ $id: 'Cat', type: 'object', properties: { kind: { type: 'string' } } });
      // Ajv has no mappings, so that another compiler must validate.
      app.setValidatorCompiler(() => () => true);
      const mapping = JSON.parse(`{ "__proto__": "${reference}", "cat": "${reference}" }`) as object;
      const body = { discriminator: { propertyName: 'kind', mapping }, oneOf: [{ $ref: 'Cat#' }] };
      app.post('/pets', { schema: { body }, handler: ok });
      expect(JSON.stringify(await toOpenAPI(app))).toContain(
        '"mapping":{"__proto__":"#/components/schemas/Cat","cat":"#/components/schemas/Cat"}',
      );
    });
  }

  test('a mapping and a callback may refer to components of the application, which are not changed', async () => {
    const app = ambit();
    app.setValidatorCompiler(() => () => true);
    const $ref = '#/components/schemas/Event';
    const body = { discriminator: { propertyName: 'kind', mapping: { event: $ref } }, oneOf: [{ $ref }] };
    const post = {
      requestBody: { content: { 'application/json': { schema: { $ref } } } },
      responses: { 200: { description: 'thanks' } },
    };
    app.post('/events', {
      schema: { body, callbacks: { done: { '{$request.body#/url}': { post } } } },
      handler: ok,
    });
    const Event = { type: 'object', nullable: true };
    const { paths, components } = await toOpenAPI(app, { components: { schemas: { Event } }, errors: false });
    expect(components).toEqual({ schemas: { Event } });
    expect(paths['/events']).toMatchObject({
      post: {
        requestBody: { content: { 'application/json': { schema: body } } },
        callbacks: { done: { '{$request.body#/url}': { post } } },
      },
    });
  });

  test('`__proto__` is a name like others: of properties, patterns, dependencies and definitions', async () => {
    const named = (schema: unknown) => Object.fromEntries([['__proto__', schema]]);
    const { schema } = await describeBody(
      {
        type: 'object',
        properties: named({ type: 'string', default: named(1) }),
        patternProperties: named({ minLength: 1 }),
        dependencies: { ...named(['a']), b: named({}) },
        definitions: named({ type: 'null' }),
      },
      [],
      loose,
    );
    expect(JSON.stringify(schema)).toBe(
      JSON.stringify({
        type: 'object',
        properties: named({ type: 'string', default: named(1) }),
        patternProperties: named({ minLength: 1 }),
        dependentRequired: named(['a']),
        dependentSchemas: { b: { 'x-__proto__': {} } },
        $defs: named({ type: 'null' }),
      }),
    );
  });

  test('schemas with the same name in several contexts: equal ones are one component, others get different names', async () => {
    const app = ambit();
    const version = (prefix: string, type: string): void => {
      app.register(
        async (context: Context) => {
          context.addSchema({
            $id: 'Note',
            type: 'object',
            properties: { id: { type }, next: { $ref: 'Note#' } },
          });
          context.get('/', { schema: { response: { 200: { $ref: 'Note#' } } } }, ok);
        },
        { prefix },
      );
    };
    version('/c', 'integer');
    version('/b', 'string');
    version('/a', 'integer');
    const { paths, components } = await toOpenAPI(app, { errors: false });
    const { schemas } = components!;
    expect(schemas).toEqual({
      Note: {
        type: 'object',
        properties: { id: { type: 'integer' }, next: { $ref: '#/components/schemas/Note' } },
      },
      Note_2: {
        type: 'object',
        properties: { id: { type: 'string' }, next: { $ref: '#/components/schemas/Note_2' } },
      },
    });
    const names = Object.values(paths).map((item) => /schemas\/(\w+)/.exec(JSON.stringify(item))?.[1]);
    expect(names).toEqual(['Note', 'Note_2', 'Note']);
  });

  test('components of the application keep their names', async () => {
    const app = ambit();
    app.addSchema({ $id: 'Note', type: 'object' });
    app.get('/x', { schema: { response: { 200: { $ref: 'Note#' } } } }, ok);
    const { components } = await toOpenAPI(app, {
      errors: false,
      components: { schemas: { Note: { type: 'string' } } },
    });
    expect(components!.schemas).toEqual({ Note: { type: 'string' }, Note_2: { type: 'object' } });
  });
});
