// Spec 4.2: `addSchema`, `getSchemas` and `getSchema`, and how the registry is scoped.
import { ambit, type Context, hoist } from 'ambit';
import { expect, test } from 'vitest';

const schema = (id: string) => ({ $id: id, type: 'string', enum: [id] });

/** The tree of the specification: `one` in the root, `two` in a child, `three` in a grandchild, and a sibling. */
async function grow() {
  const app = ambit();
  const contexts: { [name: string]: Context } = { root: app };
  app.addSchema(schema('one'));
  app.register(async (child) => {
    contexts.child = child.addSchema(schema('two'));
    child.register(async (grandchild) => {
      contexts.grandchild = grandchild.addSchema(schema('three'));
    });
  });
  app.register(async (sibling) => {
    contexts.sibling = sibling;
  });
  await app.ready();
  return (name: string) => contexts[name]!;
}

test('addSchema registers a shared schema, getSchema gives it back by $id', () => {
  const app = ambit();
  expect(app.addSchema(schema('one'))).toBe(app);
  expect(app.getSchema('one')).toEqual(schema('one'));
});

test('getSchema of an unknown $id is undefined', () => {
  expect(ambit().getSchema('none')).toBeUndefined();
  expect(ambit().getSchema('constructor')).toBeUndefined();
});

test('getSchemas is an object of all visible schemas by $id, empty at first', () => {
  const app = ambit();
  expect(app.getSchemas()).toEqual({});
  app.addSchema(schema('one')).addSchema(schema('uno'));
  expect(app.getSchemas()).toEqual({ one: schema('one'), uno: schema('uno') });
});

test('changing what getSchemas returned changes nothing in the registry', () => {
  const app = ambit();
  app.addSchema(schema('one'));
  const schemas = app.getSchemas();
  delete schemas.one;
  expect(app.getSchema('one')).toEqual(schema('one'));
});

test('changing a schema after it was added changes nothing in the registry', () => {
  const app = ambit();
  const changing = { $id: 'one', type: 'object', properties: { a: { type: 'string' } } };
  app.addSchema(changing);
  changing.properties.a.type = 'integer';
  expect(app.getSchema('one')).toMatchObject({ properties: { a: { type: 'string' } } });
});

test('a schema may hold what is no JSON, for the keywords of custom engines', () => {
  const app = ambit();
  const check = (): boolean => true;
  app.addSchema({ $id: 'one', properties: { a: { check } } });
  expect(app.getSchema('one')).toEqual({ $id: 'one', properties: { a: { check } } });
});

for (const [context, visible, hidden] of [
  ['root', ['one'], ['two', 'three']],
  ['child', ['one', 'two'], ['three']],
  ['grandchild', ['one', 'two', 'three'], []],
  ['sibling', ['one'], ['two', 'three']],
] as const) {
  test(`the ${context} sees the schemas ${visible.join(', ')} and nothing else`, async () => {
    const at = await grow();
    for (const id of visible) expect(at(context).getSchema(id)).toEqual(schema(id));
    for (const id of hidden) expect(at(context).getSchema(id)).toBeUndefined();
  });

  test(`getSchemas in the ${context} returns ${visible.join(', ')}`, async () => {
    const at = await grow();
    expect(Object.keys(at(context).getSchemas()).sort()).toEqual([...visible].sort());
  });
}

test('a route validates with the schemas of its context and its ancestors', async () => {
  const app = ambit();
  app.addSchema(schema('one'));
  app.register(async (child) => {
    child.addSchema(schema('two'));
    child.post('/', { schema: { body: { a: { $ref: 'one#' }, b: { $ref: 'two#' } } } }, () => 'ok');
  });
  expect((await app.inject({ method: 'POST', url: '/', body: { a: 'one', b: 'two' } })).statusCode).toBe(200);
  expect((await app.inject({ method: 'POST', url: '/', body: { a: 'one', b: 'one' } })).statusCode).toBe(400);
});

for (const [where, code] of [
  ['body', 'FST_ERR_SCH_VALIDATION_BUILD'],
  ['response', 'FST_ERR_SCH_SERIALIZATION_BUILD'],
] as const) {
  test(`a $ref in a ${where} schema to a sibling's schema is unknown, and fails the boot`, async () => {
    const app = ambit();
    const reference = { a: { $ref: 'two#' } };
    app.register(async (child) => {
      child.addSchema(schema('two'));
    });
    app.register(async function orders(sibling) {
      sibling.post(
        '/orders',
        { schema: { [where]: { body: reference, response: { 200: reference } }[where] } },
        () => 1,
      );
    });
    await expect(app.ready()).rejects.toMatchObject({
      code,
      where: {
        plugin: 'ambit > orders',
        route: 'POST /orders',
        file: expect.stringContaining('shared-schemas.test.ts'),
      },
    });
  });
}

test('a $ref in the parent to a schema of its child fails the boot', async () => {
  const app = ambit();
  app.register(async (child) => {
    child.addSchema(schema('two'));
  });
  app.post('/', { schema: { body: { a: { $ref: 'two#' } } } }, () => 1);
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_SCH_VALIDATION_BUILD',
    where: { plugin: 'ambit' },
  });
});

test('siblings may use one $id for different schemas, and each route means its own', async () => {
  const app = ambit();
  for (const name of ['a', 'b']) {
    app.register(async (child) => {
      child.addSchema({ $id: 'shared', type: 'string', enum: [name] });
      child.post(`/${name}`, { schema: { body: { name: { $ref: 'shared#' } } } }, () => 'ok');
    });
  }
  expect((await app.inject({ method: 'POST', url: '/a', body: { name: 'a' } })).statusCode).toBe(200);
  expect((await app.inject({ method: 'POST', url: '/a', body: { name: 'b' } })).statusCode).toBe(400);
  expect((await app.inject({ method: 'POST', url: '/b', body: { name: 'b' } })).statusCode).toBe(200);
});

test('a hoisted schema is visible in the containing context', async () => {
  const app = ambit();
  app.register(
    hoist(async (context) => {
      context.addSchema(schema('two'));
    }),
  );
  app.post('/', { schema: { body: { a: { $ref: 'two#' } } } }, () => 'ok');
  expect((await app.inject({ method: 'POST', url: '/', body: { a: 'x' } })).statusCode).toBe(400);
});

test('a $id that is visible already is refused, with the context and the caller', async () => {
  const app = ambit();
  app.addSchema(schema('one'));
  expect(() => app.addSchema(schema('one'))).toThrow(
    expect.objectContaining({
      code: 'FST_ERR_SCH_ALREADY_PRESENT',
      message: "Schema with id 'one' already declared!",
    }),
  );
  app.register(async function child(context) {
    context.addSchema(schema('one'));
  });
  await expect(app.ready()).rejects.toMatchObject({
    code: 'FST_ERR_SCH_ALREADY_PRESENT',
    where: { plugin: 'ambit > child', file: expect.stringContaining('shared-schemas.test.ts') },
  });
});

test('a schema added after the application has started is refused', async () => {
  const app = ambit();
  await app.ready();
  expect(() => app.addSchema(schema('one'))).toThrow(
    expect.objectContaining({ code: 'FST_ERR_INSTANCE_ALREADY_LISTENING' }),
  );
});

test('with a custom validator addSchema has no effect on it: it is given the schema as it stands', async () => {
  const app = ambit();
  const given: unknown[] = [];
  app.addSchema(schema('one'));
  app.setValidatorCompiler(({ schema }) => {
    given.push(schema);
    return () => true;
  });
  const body = { type: 'object', properties: { a: { $ref: 'one#' } } };
  app.post('/', { schema: { body } }, () => 'ok');
  expect((await app.inject({ method: 'POST', url: '/', body: { a: 'x' } })).statusCode).toBe(200);
  expect(given).toEqual([body]);
});

test('a custom validator reads what the service holds with getSchemas', async () => {
  const app = ambit();
  app.addSchema(schema('one'));
  app.setValidatorCompiler(() => {
    const shared = app.getSchemas() as { one: { enum: string[] } };
    return (data) => ({ value: { ...(data as object), allowed: shared.one.enum } });
  });
  app.post('/', { schema: { body: { a: { $ref: 'one#' } } } }, (request) => request.body);
  expect((await app.inject({ method: 'POST', url: '/', body: { a: 'x' } })).json()).toEqual({
    a: 'x',
    allowed: ['one'],
  });
});

test('with a custom serializer addSchema has no effect on it', async () => {
  const app = ambit();
  const given: unknown[] = [];
  app.addSchema(schema('one'));
  app.setSerializerCompiler(({ schema }) => {
    given.push(schema);
    return () => '"custom"';
  });
  const response = { 200: { type: 'object', properties: { a: { $ref: 'one#' } } } };
  app.get('/', { schema: { response }, exposeHeadRoute: false }, () => ({ a: 'one' }));
  expect((await app.inject('/')).json()).toBe('custom');
  expect(given).toEqual([response[200]]);
});
