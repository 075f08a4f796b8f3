// What plugins that collect routes in `onRoute` hooks read of a route's schema once the application is ready.
import type { RegisteredRoute, RouteSchema } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from './support/flavors.ts';

const page = { type: 'object', properties: { page: { type: 'integer' } } };
const tags = ['notes'];

/** A builder as fluent-json-schema makes it. */
const fluent = (schema: object) => ({
  isFluentJSONSchema: true,
  isFluentSchema: true,
  valueOf: () => schema,
});

describe.each(flavors)('%s', (_flavor, make) => {
  /** The live options of the routes of `declare`, by method, as an `onRoute` hook was given them. */
  async function collect(schema: RouteSchema, method = 'GET') {
    const app = make();
    const collected: RegisteredRoute[] = [];
    const schemas: unknown[] = [];
    app.addHook('onRoute', (route) => {
      collected.push(route);
      schemas.push(route.schema);
    });
    app.route({ method, url: '/notes', schema, handler: ({ routeOptions }) => routeOptions.schema as never });
    await app.ready();
    return { app, shown: collected.map((route) => route.schema), held: schemas };
  }

  test('the options show `query` also as `querystring`, on the route and on its HEAD route', async () => {
    const { shown } = await collect({ query: page, tags });
    expect(shown).toEqual([
      { query: page, querystring: page, tags },
      { query: page, querystring: page, tags },
    ]);
  });

  test('a plugin that stored the schema of the options sees the same', async () => {
    const { held } = await collect({ query: page });
    expect(held[0]).toEqual({ query: page, querystring: page });
  });

  test('handlers see what plugins see', async () => {
    const { app, shown } = await collect({ query: page, headers: fluent(page) });
    expect((await app.inject('/notes')).json()).toEqual(shown[0]);
  });

  test('the options show the built schemas of fluent schemas at any depth', async () => {
    const built = fluent(page);
    const given = {
      params: built,
      query: built,
      headers: built,
      body: built,
      response: {
        200: built,
        '4XX': { description: 'no', content: { 'application/json': { schema: built } } },
      },
    };
    const { shown } = await collect(given, 'POST');
    expect(shown[0]).toEqual({
      params: page,
      query: page,
      querystring: page,
      headers: page,
      body: page,
      response: {
        200: page,
        '4XX': { description: 'no', content: { 'application/json': { schema: page } } },
      },
    });
  });

  test('the options show short forms in full', async () => {
    const short = page.properties;
    const byType = (schema: object) => ({
      content: { 'application/json': { schema, example: { page: 1 } } },
    });
    const { shown } = await collect(
      { querystring: short, body: byType(short), response: { 200: short } },
      'POST',
    );
    expect(shown[0]).toEqual({ querystring: page, body: byType(page), response: { 200: page } });
  });

  test('the short form object of the user is not changed', async () => {
    const schema = { query: page.properties, response: { 200: page.properties } };
    await collect(schema);
    expect(schema).toEqual({
      query: page.properties,
      querystring: page.properties,
      response: { 200: page.properties },
    });
  });

  test('a schema that needs no normalizing stays the same object', async () => {
    const schema = { querystring: page, body: page, response: { 200: page } };
    const { shown } = await collect(schema, 'POST');
    expect(shown[0]).toBe(schema);
    expect(schema).toEqual({ querystring: page, body: page, response: { 200: page } });
  });

  test('a frozen schema is not changed, and the options show a copy', async () => {
    const schema = Object.freeze({ query: page, response: Object.freeze({ 200: fluent(page) }) });
    const { shown } = await collect(schema);
    expect(shown[0]).toEqual({ query: page, querystring: page, response: { 200: page } });
    expect(Object.keys(schema)).toEqual(['query', 'response']);
  });

  test('one schema object may serve many routes and applications', async () => {
    const schema: RouteSchema = { query: fluent(page), response: { 200: fluent({ type: 'object' }) } };
    for (let times = 0; times < 2; times++) {
      const app = make();
      for (const url of ['/a', '/b']) app.get(url, { schema }, () => ({}));
      app.get('/c', { schema: { ...schema, tags } }, () => ({}));
      expect((await app.inject('/a?page=x')).statusCode).toBe(400);
      expect((await app.inject('/c?page=x')).statusCode).toBe(400);
      expect((await app.inject('/b?page=1')).statusCode).toBe(200);
    }
  });

  test('a schema that an onRoute hook sets is normalized and used', async () => {
    const app = make();
    const collected: RegisteredRoute[] = [];
    app.addHook('onRoute', (route) => {
      route.schema = { query: fluent(page) };
      collected.push(route);
    });
    app.get('/', () => 'ok');
    expect((await app.inject('/?page=x')).statusCode).toBe(400);
    expect(collected[0]!.schema).toEqual({ query: page, querystring: page });
  });
});

describe.each(flavors)('%s: the hooks of routes', (_flavor, make) => {
  const names = [
    'onRequest',
    'preParsing',
    'preHandler',
    'preSerialization',
    'onSend',
    'onResponse',
  ] as const;
  for (const name of names) {
    test(`${name}: null is allowed if an onRoute hook replaces it with a hook`, async () => {
      const app = make();
      const calls: string[] = [];
      app.addHook('onRoute', (route) => {
        if (route[name] === null) route[name] = (async () => void calls.push(String(route.method))) as never;
      });
      app.get('/', { [name]: null as never }, () => ({ a: 1 }));
      expect((await app.inject('/')).json()).toEqual({ a: 1 });
      expect(calls).toEqual(['GET']);
    });

    test(`${name}: null that no onRoute hook replaces is rejected`, () => {
      const app = make();
      expect(() => app.get('/', { [name]: null as never }, () => 1)).toThrow(
        expect.objectContaining({ code: 'FST_ERR_HOOK_INVALID_HANDLER' }),
      );
    });
  }
});
