/** The schemas of routes as they are resolved: shared schemas inside, and recursion as a link to its place. */
import { inspectRoute } from '@ambit/inspector';
import { type AmbitOptions, ambit } from 'ambit';
import { expect, test } from 'vitest';

type Schema = Readonly<Record<string, unknown>>;

async function resolve(
  body: Schema,
  shared: readonly Schema[] = [],
  options?: AmbitOptions,
): Promise<unknown> {
  const app = ambit(options);
  for (const schema of shared) app.addSchema(schema);
  app.post('/', { schema: { body } }, () => 'ok');
  const { schemas } = await inspectRoute(app, 0);
  await app.close();
  return schemas[0]!.resolved;
}

const text = { type: 'string' };
const money = { $id: 'money', type: 'object', properties: { amount: { type: 'integer' } } };
const moneyInside = {
  $comment: 'shared schema money',
  type: 'object',
  properties: { amount: { type: 'integer' } },
};

test('references to shared schemas are replaced, also inside shared schemas', async () => {
  const item = { $id: 'item', type: 'object', properties: { price: { $ref: 'money#' } } };
  const body = { type: 'object', properties: { items: { type: 'array', items: { $ref: 'item' } } } };
  expect(await resolve(body, [money, item])).toEqual({
    type: 'object',
    properties: {
      items: {
        type: 'array',
        items: { $comment: 'shared schema item', type: 'object', properties: { price: moneyInside } },
      },
    },
  });
});

test('a schema that refers to itself has a reference into the result', async () => {
  const node = { $id: 'node', type: 'object', properties: { next: { $ref: '#' } } };
  expect(await resolve({ type: 'object', properties: { 'a/b': { $ref: 'node#' } } }, [node])).toEqual({
    type: 'object',
    properties: {
      'a/b': {
        $comment: 'shared schema node',
        type: 'object',
        properties: { next: { $ref: '#/properties/a~1b' } },
      },
    },
  });
  expect(await resolve({ type: 'object', properties: { next: { $ref: '#' } } })).toEqual({
    type: 'object',
    properties: { next: { $ref: '#' } },
  });
});

test('two schemas that refer to one another end with a reference into the result', async () => {
  const a = { $id: 'a', type: 'object', properties: { b: { $ref: 'b#' } } };
  const b = { $id: 'b', type: 'object', properties: { a: { $ref: 'a#' } } };
  const resolved = JSON.stringify(
    await resolve({ type: 'object', properties: { a: { $ref: 'a#' } } }, [a, b]),
  );
  expect(resolved.match(/"\$ref":"[^"]*"/g)).toEqual(['"$ref":"#/properties/a"']);
});

for (const [what, body] of [
  [
    'a pointer',
    { definitions: { 'x y': text }, type: 'object', properties: { p: { $ref: '#/definitions/x%20y' } } },
  ],
  [
    'an anchor',
    { definitions: { x: { $id: '#here', ...text } }, type: 'object', properties: { p: { $ref: '#here' } } },
  ],
] as const) {
  test(`${what} in the schema itself is resolved`, async () => {
    const { properties } = (await resolve(body)) as { properties: { p: object } };
    expect(properties.p).toMatchObject(text);
    expect(properties.p).not.toHaveProperty('$ref');
  });
}

test('a pointer into a shared schema is resolved', async () => {
  expect(
    await resolve({ type: 'object', properties: { a: { $ref: 'money#/properties/amount' } } }, [money]),
  ).toEqual({
    type: 'object',
    properties: { a: { type: 'integer' } },
  });
});

test('a reference is relative to the $id of its schema', async () => {
  const order = {
    $id: 'http://x.example/schemas/order',
    type: 'object',
    properties: { total: { $ref: 'money' } },
  };
  const far = { ...money, $id: 'http://x.example/schemas/money' };
  const resolved = await resolve({ type: 'object', properties: { o: { $ref: order.$id } } }, [order, far]);
  expect(JSON.stringify(resolved)).not.toContain('$ref');
});

test('what stands next to a reference applies in 2020-12, and is ignored in draft-07', async () => {
  const body = { type: 'object', properties: { m: { description: 'paid', $ref: 'money#' } } };
  const properties = async (dialect: '2020-12' | 'draft-07'): Promise<unknown> =>
    ((await resolve(body, [money], { ajv: { dialect } })) as { properties: unknown }).properties;
  expect(await properties('draft-07')).toEqual({ m: moneyInside });
  expect(await properties('2020-12')).toEqual({ m: { description: 'paid', allOf: [moneyInside] } });
});

test('branches that stand next to a reference in 2020-12 are kept', async () => {
  const body = { type: 'object', properties: { m: { $ref: 'money#', allOf: [{ minProperties: 1 }] } } };
  expect(await resolve(body, [money], { ajv: { dialect: '2020-12' } })).toEqual({
    type: 'object',
    properties: { m: { allOf: [{ minProperties: 1 }, moneyInside] } },
  });
});

test('data that looks like a reference is not changed, and properties may have the name of a keyword', async () => {
  const properties = {
    data: { type: 'object', default: { $ref: 'money#' }, enum: [{ $ref: 'money#' }] },
    default: { $ref: 'money#' },
    properties: { $ref: 'money#' },
    ['__proto__']: { $ref: 'money#' },
  };
  expect(await resolve({ type: 'object', properties }, [money])).toEqual({
    type: 'object',
    properties: {
      data: properties.data,
      default: moneyInside,
      properties: moneyInside,
      ['__proto__']: moneyInside,
    },
  });
});

test('references that double with each level stop at the limit', async () => {
  const levels = Array.from({ length: 30 }, (_, i) => ({
    $id: `level${i}`,
    type: 'object',
    properties: { a: { $ref: `level${i + 1}#` }, b: { $ref: `level${i + 1}#` } },
  }));
  const shared = [...levels, { $id: 'level30', type: 'string' }];
  const resolved = JSON.stringify(
    await resolve({ type: 'object', properties: { a: { $ref: 'level0#' } } }, shared),
  );
  expect(resolved.length).toBeLessThan(5_000_000);
  expect(resolved).toContain('"$ref":"level');
});
