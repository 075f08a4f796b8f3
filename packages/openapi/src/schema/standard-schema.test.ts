/** Schemas of Zod, Valibot, ArkType and others: what a client may send for requests, what it gets for responses. */
import { toOpenAPI } from '@ambit/openapi';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { ambit } from 'ambit';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const ok = (): never => 'ok' as never;

interface Described {
  query: unknown;
  sent: unknown;
  received: unknown;
  components: unknown;
}

interface Body {
  content: Record<string, { schema: unknown }>;
}

interface Operation {
  parameters: unknown;
  requestBody: Body;
  responses: { 200: Body };
}

async function describeRoute(querystring: unknown, body: unknown, response: unknown): Promise<Described> {
  const app = ambit();
  app.post('/x', { schema: { querystring, body, response: { 200: response } } }, ok);
  const { paths, components } = await toOpenAPI(app, { errors: false });
  const { post } = paths['/x'] as { post: Operation };
  return {
    query: post.parameters,
    sent: post.requestBody.content['application/json']!.schema,
    received: post.responses[200].content['application/json']!.schema,
    components: components?.schemas,
  };
}

describe.each([
  {
    library: 'Zod',
    received: ['name', 'size'],
    query: z.object({ page: z.string().default('1') }),
    body: z.object({ name: z.string().nullable(), size: z.number().default(1) }),
  },
  {
    library: 'Valibot',
    // It does not say that a default is always there.
    received: ['name'],
    query: toStandardJsonSchema(v.object({ page: v.optional(v.string(), '1') })),
    body: toStandardJsonSchema(v.object({ name: v.nullable(v.string()), size: v.optional(v.number(), 1) })),
  },
  {
    library: 'ArkType',
    received: ['name', 'size'],
    query: type({ page: "string = '1'" }),
    body: type({ name: 'string | null', size: 'number = 1' }),
  },
])('$library', ({ query, body, received }) => {
  test('requests are described by the input of a schema, responses by its output', async () => {
    const described = await describeRoute(query, body, body);
    expect(described.query).toMatchObject([
      { name: 'page', in: 'query', required: false, schema: { type: 'string' } },
    ]);
    expect((described.sent as { required: string[] }).required).toEqual(['name']);
    expect((described.received as { required: string[] }).required.sort()).toEqual(received);
    expect(JSON.stringify(described)).not.toContain('$schema');
  });
});

const Node = z
  .object({
    name: z.string().default(''),
    get children() {
      return z.array(Node);
    },
  })
  .meta({ id: 'Node' });

test('a recursive schema with a name is one component, wherever it is used', async () => {
  const { received, components } = await describeRoute(
    {},
    z.object({}),
    z.object({ root: Node, more: Node }),
  );
  const reference = { $ref: '#/components/schemas/Node' };
  expect(received).toMatchObject({ properties: { root: reference, more: reference } });
  expect(components).toMatchObject({
    Node: { properties: { children: { type: 'array', items: reference } } },
  });
});

test('a named schema whose input and output differ is two components', async () => {
  const { sent, received, components } = await describeRoute({}, Node, z.array(Node));
  expect(sent).toEqual({ $ref: '#/components/schemas/NodeInput' });
  expect(received).toMatchObject({ items: { $ref: '#/components/schemas/NodeOutput' } });
  expect(components).toMatchObject({
    NodeInput: {
      required: ['children'],
      properties: { children: { items: { $ref: '#/components/schemas/NodeInput' } } },
    },
    NodeOutput: { required: ['name', 'children'] },
  });
});

test('a schema with a name at its root is a component with this name', async () => {
  const { sent, components } = await describeRoute(
    undefined,
    z.object({ a: z.string() }).meta({ id: 'Named' }),
    true,
  );
  expect(sent).toEqual({ $ref: '#/components/schemas/Named' });
  expect(components).toMatchObject({ Named: { type: 'object' } });
});

test('a schema that its library cannot convert fails boot, and the error names the route, the part and the option `describe`', async () => {
  const app = ambit();
  app.post('/x', { schema: { body: z.object({ at: z.date() }) } }, ok);
  await expect(toOpenAPI(app)).rejects.toMatchObject({
    code: 'AMBIT_ERR_OPENAPI_SCHEMA',
    message: expect.stringMatching(
      /^POST \/x: the schema of body cannot be described: zod: .*Date.*`describe`/,
    ),
    where: { route: 'POST /x', file: expect.stringContaining('standard-schema.test.ts') },
  });
});

test('the error for a plain Valibot schema names the function that converts it', async () => {
  const app = ambit();
  app.post('/x', { schema: { body: v.object({ a: v.string() }) } }, ok);
  await expect(toOpenAPI(app)).rejects.toThrow('toStandardJsonSchema');
});

test('the option `describe` converts schemas that a library cannot convert', async () => {
  const app = ambit();
  const at = z.date();
  app.post('/x', { schema: { body: at, response: { 200: at } } }, ok);
  const { paths } = await toOpenAPI(app, {
    describe: (schema, side) =>
      schema === at ? { type: 'string', format: side === 'input' ? 'date' : 'date-time' } : undefined,
  });
  expect(paths['/x']).toMatchObject({
    post: {
      requestBody: { content: { 'application/json': { schema: { format: 'date' } } } },
      responses: { 200: { content: { 'application/json': { schema: { format: 'date-time' } } } } },
    },
  });
});
