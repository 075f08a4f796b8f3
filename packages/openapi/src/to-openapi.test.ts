// biome-ignore-all lint/suspicious/noThenProperty: `then` is a JSON Schema keyword.
/** What the document of an application says: its routes, parameters, bodies and responses. */

import { type OpenAPIDocument, toOpenAPI } from '@ambit/openapi';
import websocket from '@fastify/websocket';
import { ambit, type Context, hoist } from 'ambit';
import { describe, expect, test } from 'vitest';
import { fastify } from '../../fastify/src/index.ts';

const ok = (): never => 'ok' as never;

type Operation = Record<string, unknown> & {
  parameters: unknown[];
  responses: Record<string, { description?: string; content?: Record<string, { schema?: unknown }> }>;
};

async function operationOf(
  schema: object,
  { method = 'GET', url = '/x', ...rest }: { method?: string; url?: string } & Record<string, unknown> = {},
): Promise<Operation> {
  const app = ambit({ ajv: { customOptions: { strict: false } } });
  app.route({ method, url, schema, handler: ok, ...rest } as never);
  const { paths } = await toOpenAPI(app, { errors: false });
  const [item] = Object.values(paths) as Record<string, Operation>[];
  return item![method.toLowerCase()]!;
}

describe('the routes of a document', () => {
  async function late(app: Context): Promise<void> {
    app.get('/late', ok);
  }

  test('it has all routes: those before and after the plugin, and those of child contexts', async () => {
    const app = ambit();
    app.get('/early', ok);
    app.register(
      async (context) => {
        context.register(async (deeper) => void deeper.post('/deep', ok));
        context.get('/', ok);
      },
      { prefix: '/inner' },
    );
    app.register(hoist(late));
    const { paths } = await toOpenAPI(app);
    expect(Object.keys(paths)).toEqual(['/early', '/inner', '/inner/deep', '/late']);
  });

  test('the document of a context has its routes and those of its children, never those of siblings', async () => {
    const app = ambit();
    let first!: Context;
    app.get('/root', ok);
    app.register(
      async (context) => {
        first = context;
        context.get('/a', ok);
      },
      { prefix: '/v1' },
    );
    app.register(async (context) => void context.get('/b', ok), { prefix: '/v2' });
    await app.ready();
    expect(Object.keys((await toOpenAPI(first)).paths)).toEqual(['/v1/a']);
  });

  test('automatic HEAD routes and hidden routes are left out; declared HEAD routes are included', async () => {
    const app = ambit();
    app.get('/get', ok);
    app.head('/head', ok);
    app.get('/hidden', { schema: { hide: true } }, ok);
    const { paths } = await toOpenAPI(app);
    expect(Object.entries(paths).map(([path, item]) => [path, Object.keys(item)])).toEqual([
      ['/get', ['get']],
      ['/head', ['head']],
    ]);
  });

  test('a route of a prefix without a path is one path, without the slash', async () => {
    const app = ambit();
    app.register(async (context) => void context.get('/', ok), { prefix: '/notes' });
    expect(Object.keys((await toOpenAPI(app)).paths)).toEqual(['/notes']);
  });

  test('the text of the document is the same for every order of registration, and at each boot', async () => {
    const declare: ((app: Context) => void)[] = [
      (app) => app.get('/b/:id', { schema: { params: { id: { type: 'integer' } } } }, ok),
      (app) => app.post('/b/:key', { schema: { body: { title: 'Body', type: 'object' } } }, ok),
      (app) => app.get('/a', { schema: { response: { 200: { $id: 'A', type: 'object' } } } }, ok),
      (app) =>
        app.register(async (context) => {
          context.addSchema({ $id: 'S', type: 'object', properties: { a: { type: 'string' } } });
          context.get('/c', { schema: { response: { 200: { $ref: 'S#' } } } }, ok);
        }),
      (app) =>
        app.register(async (context) => {
          context.addSchema({ $id: 'S', type: 'object', properties: { b: { type: 'string' } } });
          context.get('/d', { schema: { tags: ['z', 'y'], response: { 200: { $ref: 'S#' } } } }, ok);
        }),
    ];
    const orders = [declare, [...declare].reverse(), [2, 0, 4, 1, 3].map((i) => declare[i]!)];
    const texts = await Promise.all(
      orders.map(async (order) => {
        const app = ambit();
        for (const each of order) each(app);
        return JSON.stringify(await toOpenAPI(app));
      }),
    );
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('"S_2"');
  });

  test('the facade gives the same document as ambit', async () => {
    const flavors = [ambit(), fastify()];
    const documents = flavors.map((app) => {
      app.post(
        '/x/:id',
        { schema: { body: { a: { type: 'string' } }, response: { 200: { b: { type: 'null' } } } } },
        ok as never,
      );
      return toOpenAPI(app);
    });
    const [one, other] = await Promise.all(documents);
    expect(other).toEqual(one);
    expect(Object.keys(one!.paths)).toEqual(['/x/{id}']);
  });
});

describe('paths', () => {
  for (const [url, paths] of [
    ['/', ['/']],
    ['/a/:id', ['/a/{id}']],
    ['/a/:id(^\\d+$)/b', ['/a/{id}/b']],
    ['/near/:lat-:lng', ['/near/{lat}-{lng}']],
    ['/files/:name.:ext', ['/files/{name}.{ext}']],
    ['/a/:id?', ['/a', '/a/{id}']],
    ['/files/*', ['/files/{wildcard}']],
    ['/name::verb', ['/name:verb']],
    ['/{curly}/:id', ['/%7Bcurly%7D/{id}']],
  ] as const) {
    test(`${url} is documented as ${paths.join(' and ')}`, async () => {
      const app = ambit();
      app.get(url, ok);
      expect(Object.keys((await toOpenAPI(app)).paths)).toEqual(paths);
    });
  }

  test('the path of a route with braces is the path to which clients send requests', async () => {
    const app = ambit();
    app.get('/{curly}/:id', ok);
    const { paths } = await toOpenAPI(app);
    const [path] = Object.keys(paths);
    expect(await app.inject(path!.replace('{id}', '7'))).toMatchObject({ statusCode: 200 });
    expect(paths[path!]).toMatchObject({
      get: { operationId: 'getCurlyById', parameters: [{ name: 'id' }] },
    });
    await app.close();
  });

  for (const [openapi, expected] of [
    ['3.2', { query: { operationId: 'queryX' }, additionalOperations: { PURGE: { operationId: 'purgeX' } } }],
    [
      '3.1',
      { 'x-additionalOperations': { QUERY: { operationId: 'queryX' }, PURGE: { operationId: 'purgeX' } } },
    ],
    [
      '3.0',
      { 'x-additionalOperations': { QUERY: { operationId: 'queryX' }, PURGE: { operationId: 'purgeX' } } },
    ],
  ] as const) {
    test(`in ${openapi}, methods without their own field are in ${Object.keys(expected).at(-1)}`, async () => {
      const app = ambit();
      app.addHttpMethod('PURGE');
      for (const method of ['PURGE', 'QUERY']) app.route({ method, url: '/x', handler: ok } as never);
      const { paths } = await toOpenAPI(app, { openapi });
      expect(Object.keys(paths['/x']!)).toEqual(Object.keys(expected));
      expect(paths['/x']).toMatchObject(expected);
    });
  }

  test('routes with different names for the same path parameter share a path', async () => {
    const app = ambit();
    app.get('/notes/:id', { schema: { params: { id: { type: 'integer' } } } }, ok);
    app.delete('/notes/:key', { schema: { params: { key: { type: 'string', description: 'which' } } } }, ok);
    const { paths } = await toOpenAPI(app);
    expect(Object.keys(paths)).toEqual(['/notes/{id}']);
    expect(paths['/notes/{id}']).toMatchObject({
      get: { parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }] },
      delete: { parameters: [{ name: 'id', description: 'which', schema: { type: 'string' } }] },
    });
  });

  test('a parameter without a schema is a string with the pattern of its route', async () => {
    const { parameters } = await operationOf({}, { url: '/a/:id(^\\d+$)/:rest' });
    expect(parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: { type: 'string', pattern: '^\\d+$' } },
      { name: 'rest', in: 'path', required: true, schema: { type: 'string' } },
    ]);
  });

  test('routes of one URL for several versions are all in the document', async () => {
    const app = ambit();
    app.get('/x', { constraints: { version: '2.0.0' }, schema: { summary: 'two' } }, ok);
    app.get('/x', { schema: { summary: 'any' } }, ok);
    const { paths } = await toOpenAPI(app);
    expect(paths['/x']).toMatchObject({ get: { summary: 'any' } });
    const [operation] = Object.values(paths['/x']!['x-constrainedOperations'] as object);
    expect(operation).toMatchObject({
      operationId: 'getX_2',
      summary: 'two',
      'x-constraints': { version: '2.0.0' },
      parameters: [{ name: 'accept-version', in: 'header', required: true }],
    });
  });
});

describe('parameters', () => {
  test('each property of the query string, the headers and the cookies is a parameter', async () => {
    const { parameters } = await operationOf({
      querystring: {
        type: 'object',
        required: ['q', 'page'],
        properties: {
          q: { type: 'string', description: 'what' },
          page: { type: 'integer', default: 1 },
          old: { type: 'string', deprecated: true },
        },
      },
      headers: { 'X-Trace': { type: 'string' } },
      cookies: { type: 'object', properties: { session: { type: 'string' } } },
    });
    expect(parameters).toEqual([
      { name: 'q', in: 'query', required: true, description: 'what', schema: { type: 'string' } },
      { name: 'page', in: 'query', required: false, schema: { type: 'integer', default: 1 } },
      { name: 'old', in: 'query', required: false, deprecated: true, schema: { type: 'string' } },
      { name: 'X-Trace', in: 'header', required: false, schema: { type: 'string' } },
      { name: 'session', in: 'cookie', required: false, schema: { type: 'string' } },
    ]);
  });

  test('a list in the query string has the style that the query parser reads', async () => {
    const app = ambit();
    const querystring = { ids: { type: 'array', items: { type: 'integer' } } };
    app.get('/x', { schema: { querystring } }, ({ query }) => query);
    const { paths } = await toOpenAPI(app);
    expect(paths['/x']).toMatchObject({
      get: { parameters: [{ name: 'ids', style: 'form', explode: true }] },
    });
    expect((await app.inject('/x?ids=1&ids=2')).json()).toEqual({ ids: [1, 2] });
  });

  test('style and explode of a schema are those of its parameter', async () => {
    const { parameters } = await operationOf({
      querystring: {
        type: 'object',
        properties: { a: { type: 'array', style: 'pipeDelimited', explode: false } },
      },
    });
    expect(parameters).toEqual([
      {
        name: 'a',
        in: 'query',
        required: false,
        style: 'pipeDelimited',
        explode: false,
        schema: { type: 'array' },
      },
    ]);
  });

  test('a parameter may have a media type, and a parameter of the query reserved characters', async () => {
    const { parameters } = await operationOf({
      querystring: {
        filter: { type: 'object', 'x-consume': 'application/json' },
        path: { type: 'string', allowReserved: true },
      },
    });
    const query = { in: 'query', required: false };
    expect(parameters).toEqual([
      { ...query, name: 'filter', content: { 'application/json': { schema: { type: 'object' } } } },
      { ...query, name: 'path', allowReserved: true, schema: { type: 'string' } },
    ]);
  });

  test('examples of a property are those of its parameter', async () => {
    const { parameters } = await operationOf({
      querystring: { a: { type: 'string', examples: ['x'] }, b: { type: 'integer', examples: [1, 2] } },
    });
    expect(parameters).toEqual([
      { name: 'a', in: 'query', required: false, example: 'x', schema: { type: 'string' } },
      {
        name: 'b',
        in: 'query',
        required: false,
        examples: { 1: { value: 1 }, 2: { value: 2 } },
        schema: { type: 'integer' },
      },
    ]);
  });

  test('named examples of a property and of a body are those of the parameter and the media type', async () => {
    const named = { short: { summary: 'A short one', value: 'a' }, long: { value: 'aaa' } };
    const { parameters, requestBody } = await operationOf(
      {
        querystring: { text: { type: 'string', 'x-examples': named } },
        body: { type: 'object', 'x-examples': named },
      },
      { method: 'POST' },
    );
    expect(parameters).toMatchObject([{ name: 'text', examples: named, schema: { type: 'string' } }]);
    expect(requestBody).toMatchObject({
      content: { 'application/json': { examples: named, schema: { type: 'object' } } },
    });
    expect(JSON.stringify([parameters, requestBody])).not.toContain('x-examples');
  });

  test('references, allOf and alternatives of a query string become separate parameters', async () => {
    const app = ambit();
    app.addSchema({
      $id: 'Page',
      type: 'object',
      required: ['page'],
      properties: { page: { type: 'integer' } },
    });
    const querystring = {
      allOf: [{ $ref: 'Page#' }, { type: 'object', properties: { q: { type: 'string' } } }],
      oneOf: [
        { type: 'object', required: ['by', 'a'], properties: { by: { const: 'a' }, a: { type: 'string' } } },
        { type: 'object', required: ['by'], properties: { by: { const: 'b' } } },
      ],
    };
    app.get('/x', { schema: { querystring } }, ok);
    const { paths } = await toOpenAPI(app);
    expect((paths['/x'] as { get: Operation }).get.parameters).toEqual([
      { name: 'page', in: 'query', required: true, schema: { type: 'integer' } },
      { name: 'q', in: 'query', required: false, schema: { type: 'string' } },
      { name: 'by', in: 'query', required: true, schema: { anyOf: [{ const: 'a' }, { const: 'b' }] } },
      { name: 'a', in: 'query', required: false, schema: { type: 'string' } },
    ]);
  });

  // Draft 7 and draft 2020-12: each name that a query string can have, with the schema that it gets, is a parameter.
  const text = { type: 'string' };
  const whole = { type: 'integer' };
  const a = { name: 'a', in: 'query', required: false, schema: text };
  const b = { name: 'b', in: 'query', required: false, schema: whole };
  for (const [what, querystring, parameters] of [
    [
      'then and else',
      {
        if: { properties: { a: { const: 'x' } } },
        then: { properties: { b: whole } },
        else: { properties: { a: text } },
      },
      [b, a],
    ],
    [
      'then alone, also if it requires them',
      {
        properties: { a: text },
        if: { required: ['a'] },
        then: { required: ['b'], properties: { b: whole } },
      },
      [a, b],
    ],
    [
      'then and else, both of which require them',
      {
        if: { required: ['a'] },
        then: { required: ['b'], properties: { b: whole, a: text } },
        else: { required: ['b'], properties: { b: text } },
      },
      [{ ...b, required: true, schema: { anyOf: [whole, text] } }, a],
    ],
    [
      'if',
      { if: { properties: { a: { const: 'x' } } }, then: { properties: { b: whole } } },
      [b, { ...a, schema: {} }],
    ],
    ['dependencies', { properties: { a: text }, dependencies: { a: { properties: { b: whole } } } }, [a, b]],
    [
      'names in dependencies',
      { dependencies: { a: ['b'] } },
      [
        { ...a, schema: {} },
        { ...b, schema: {} },
      ],
    ],
    [
      'dependentSchemas, inside of allOf and behind $ref',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        properties: { a: text },
        allOf: [{ $ref: '#/$defs/late' }],
        $defs: { late: { dependentSchemas: { a: { required: ['b'], properties: { b: whole } } } } },
      },
      [a, b],
    ],
    [
      'a declared parameter, which only one branch restricts',
      { properties: { a: text }, if: { required: ['b'] }, then: { properties: { a: { const: 'x' } } } },
      [a],
    ],
    [
      'required alone',
      { required: ['a'], properties: { b: whole } },
      [b, { ...a, required: true, schema: {} }],
    ],
    [
      'required and additionalProperties',
      { required: ['b'], additionalProperties: whole },
      [
        { ...b, required: true },
        {
          name: 'other',
          in: 'query',
          required: false,
          style: 'form',
          explode: true,
          schema: { type: 'object', additionalProperties: whole },
        },
      ],
    ],
    [
      'patternProperties',
      {
        required: ['a'],
        properties: { other: text },
        patternProperties: { '^a': text },
        additionalProperties: false,
      },
      [
        { ...a, name: 'other' },
        { ...a, required: true },
        {
          name: 'other_',
          in: 'query',
          required: false,
          style: 'form',
          explode: true,
          schema: { type: 'object', patternProperties: { '^a': text }, additionalProperties: false },
        },
      ],
    ],
    ['additionalProperties without a schema', { properties: { a: text }, additionalProperties: true }, [a]],
    ['additionalProperties that accept anything', { properties: { a: text }, additionalProperties: {} }, [a]],
  ] as const) {
    test(`parameters are found in a query string: ${what}`, async () => {
      expect(await operationOf({ querystring: { type: 'object', ...querystring } })).toMatchObject({
        parameters,
      });
    });
  }

  test('the schema of parameters in a path may be that of additionalProperties or patternProperties', async () => {
    const params = { type: 'object', patternProperties: { '^id': whole }, additionalProperties: text };
    const { parameters } = await operationOf({ params }, { url: '/a/:id/:name' });
    expect(parameters).toEqual([
      { name: 'id', in: 'path', required: true, schema: whole },
      { name: 'name', in: 'path', required: true, schema: text },
    ]);
  });

  test('a pattern that is only valid without Unicode mode matches, if the engine accepts it', async () => {
    const app = ambit({ ajv: { customOptions: { unicodeRegExp: false, strict: false } } });
    const querystring = { type: 'object', required: ['a-b'], patternProperties: { '^a\\-': whole } };
    app.get('/', { schema: { querystring } }, ok);
    const { paths } = await toOpenAPI(app);
    expect(paths['/']).toMatchObject({ get: { parameters: [{ name: 'a-b', schema: whole }, {}] } });
  });

  test('routes with one params schema and different names have their own parameters', async () => {
    const params = { type: 'object', additionalProperties: whole };
    const app = ambit();
    app.get('/a/:id', { schema: { params } }, ok);
    app.get('/b/:key', { schema: { params } }, ok);
    const { paths } = await toOpenAPI(app);
    expect(paths).toMatchObject({
      '/a/{id}': { get: { parameters: [{ name: 'id', schema: whole }] } },
      '/b/{key}': { get: { parameters: [{ name: 'key', schema: whole }] } },
    });
  });

  test('headers of any name are no parameters, but those that are required are', async () => {
    const headers = { type: 'object', required: ['x-a'], additionalProperties: whole };
    expect((await operationOf({ headers })).parameters).toEqual([
      { name: 'x-a', in: 'header', required: true, schema: whole },
    ]);
  });

  test('the case of a header does not matter where it is required', async () => {
    const headers = { type: 'object', required: ['X-A'], properties: { 'x-a': whole } };
    expect((await operationOf({ headers })).parameters).toEqual([
      { name: 'x-a', in: 'header', required: true, schema: whole },
    ]);
  });

  test('headers for which OpenAPI has other fields are not parameters', async () => {
    const { parameters } = await operationOf({
      headers: { Authorization: { type: 'string' }, accept: { type: 'string' }, 'x-own': { type: 'string' } },
    });
    expect(parameters).toMatchObject([{ name: 'x-own' }]);
  });
});

describe('bodies', () => {
  for (const openapi of ['3.0', '3.1', '3.2'] as const) {
    test(`a form has its files and their media types in ${openapi}`, async () => {
      const app = ambit();
      const file = { type: 'string', format: 'binary' };
      const properties = {
        title: { type: 'string' },
        picture: { ...file, contentMediaType: 'image/png, image/jpeg' },
        others: { type: 'array', items: { ...file, contentMediaType: 'image/*' } },
        any: file,
      };
      const schema = { type: 'object', properties };
      app.post('/', { schema: { body: { content: { 'multipart/form-data': { schema } } } } }, ok);
      const { paths } = await toOpenAPI(app, { openapi });
      const { requestBody } = (paths['/'] as { post: { requestBody: { content: object } } }).post;
      expect((requestBody.content as Record<string, unknown>)['multipart/form-data']).toMatchObject({
        schema: { properties: { picture: file, any: file, others: { items: file } } },
        encoding: { picture: { contentType: 'image/png, image/jpeg' }, others: { contentType: 'image/*' } },
      });
    });
  }

  for (const [title, body, required] of [
    ['an object', { type: 'object' }, true],
    ['a nullable object', { type: 'object', nullable: true }, false],
    ['anything', {}, false],
  ] as const) {
    test(`a body that is ${title} ${required ? 'is' : 'is not'} required, as in validation`, async () => {
      const { requestBody } = await operationOf({ body }, { method: 'POST' });
      expect(requestBody).toMatchObject({ required });
      const app = ambit();
      app.post('/x', { schema: { body } }, ok);
      const { statusCode } = await app.inject({ method: 'POST', url: '/x' });
      expect(statusCode).toBe(required ? 400 : 200);
    });
  }

  test('a body has one schema for each of its media types', async () => {
    const { requestBody } = await operationOf(
      {
        body: {
          description: 'a picture, or where it is',
          content: {
            'application/json': {
              schema: { url: { type: 'string' } },
              examples: { one: { value: { url: '/a' } } },
            },
            'image/png': { schema: { type: 'string', format: 'binary' } },
          },
        },
      },
      { method: 'POST' },
    );
    expect(requestBody).toEqual({
      description: 'a picture, or where it is',
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', properties: { url: { type: 'string' } } },
          examples: { one: { value: { url: '/a' } } },
        },
        'image/png': { schema: { type: 'string', format: 'binary' } },
      },
    });
  });

  test('`consumes` names the media types of a body without `content`', async () => {
    const { requestBody } = await operationOf(
      { consumes: ['application/x-www-form-urlencoded'], body: { a: { type: 'string' } } },
      { method: 'POST' },
    );
    expect(Object.keys((requestBody as { content: object }).content)).toEqual([
      'application/x-www-form-urlencoded',
    ]);
  });
});

describe('schemas', () => {
  test.each(['3.0', '3.1', '3.2'] as const)(
    'an empty list of required properties is left out in %s',
    async (openapi) => {
      const app = ambit();
      const empty = { type: 'object', required: [], properties: { a: { type: 'object', required: [] } } };
      app.addSchema({ $id: 'Empty', ...empty });
      app.post(
        '/x',
        {
          schema: {
            body: empty,
            querystring: empty,
            response: { 200: { anyOf: [empty, { $ref: 'Empty#' }] } },
          },
        },
        ok,
      );
      const text = JSON.stringify(await toOpenAPI(app, { openapi, errors: false }));
      expect(text).toContain('"Empty"');
      expect(text).not.toContain('"required":[]');
    },
  );
});

describe('routes for WebSockets', () => {
  test('are left out if they accept nothing else, in every order of registration', async () => {
    for (const app of [ambit(), fastify()]) {
      app.get('/before', { websocket: true } as never, ok);
      app.register(websocket);
      app.get('/after', { websocket: true } as never, ok);
      app.register(async (child) => void child.get('/child', { websocket: true } as never, ok));
      expect(Object.keys((await toOpenAPI(app as Context)).paths)).toEqual([]);
    }
  });

  test('have 101 beside the responses to plain requests', async () => {
    const rest = { wsHandler: ok };
    expect((await operationOf({}, rest)).responses).toEqual({
      101: { description: 'Switching Protocols' },
      200: { description: 'OK' },
    });
    const response = { 426: { type: 'string' }, 101: { description: 'A game' } };
    const { responses } = await operationOf({ response }, rest);
    expect(Object.entries(responses).map(([status, { description }]) => [status, description])).toEqual([
      ['101', 'A game'],
      ['426', 'Upgrade Required'],
    ]);
  });

  test('have only 101 if the application shows them', async () => {
    const { responses } = await operationOf({ hide: false }, { websocket: true });
    expect(responses).toEqual({ 101: { description: 'Switching Protocols' } });
  });

  test('do not share their responses with other routes of the same schema', async () => {
    const app = ambit();
    app.get('/a', ok);
    app.route({ method: 'GET', url: '/b', handler: ok, wsHandler: ok } as never);
    const { paths } = await toOpenAPI(app, { errors: false });
    const statuses = Object.values(paths).map((item) =>
      Object.keys((item as { get: Operation }).get.responses),
    );
    expect(statuses).toEqual([['200'], ['101', '200']]);
  });
});

describe('responses', () => {
  test('responses are described by status, range, default and media type', async () => {
    const { responses } = await operationOf({
      response: {
        default: { type: 'object', description: 'whatever else' },
        '4xx': { message: { type: 'string' } },
        200: {
          description: 'the note',
          content: {
            'application/json': { schema: { id: { type: 'integer' } } },
            'text/html': { schema: { type: 'string' } },
          },
        },
        204: { type: 'null', description: 'gone' },
      },
    });
    expect(responses).toEqual({
      200: {
        description: 'the note',
        content: {
          'application/json': { schema: { type: 'object', properties: { id: { type: 'integer' } } } },
          'text/html': { schema: { type: 'string' } },
        },
      },
      204: { description: 'gone' },
      '4XX': {
        description: 'Client error',
        content: {
          'application/json': { schema: { type: 'object', properties: { message: { type: 'string' } } } },
        },
      },
      default: {
        description: 'whatever else',
        content: { 'application/json': { schema: { type: 'object', description: 'whatever else' } } },
      },
    });
  });

  test('text is described with the media type that it is sent with', async () => {
    const app = ambit();
    app.get('/x', { schema: { response: { 200: { type: 'string' } } } }, ok);
    const { paths } = await toOpenAPI(app);
    const { content } = (paths['/x'] as { get: Operation }).get.responses[200]!;
    const sent = String((await app.inject('/x')).headers['content-type']);
    expect(Object.keys(content!)).toEqual([sent.split(';')[0]]);
  });

  test('a description next to a reference describes the response', async () => {
    const app = ambit();
    app.addSchema({ $id: 'Note', type: 'object', description: 'A note' });
    const response = { 200: { description: 'The note', $ref: 'Note#' }, 201: { $ref: 'Note#' } };
    app.get('/x', { schema: { response } }, ok);
    const { paths } = await toOpenAPI(app, { errors: false });
    const content = { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } };
    expect((paths['/x'] as { get: Operation }).get.responses).toEqual({
      200: { description: 'The note', content },
      201: { description: 'A note', content },
    });
  });

  test('headers and links of a response are described', async () => {
    const { responses } = await operationOf({
      response: {
        200: {
          type: 'object',
          headers: { 'x-total': { type: 'integer', description: 'how many' } },
          links: { next: { operationId: 'getX' } },
        },
      },
    });
    expect(responses[200]).toEqual({
      description: 'OK',
      headers: { 'x-total': { description: 'how many', schema: { type: 'integer' } } },
      content: { 'application/json': { schema: { type: 'object' } } },
      links: { next: { operationId: 'getX' } },
    });
  });

  test('routes that differ only in their links have their own links', async () => {
    const app = ambit();
    for (const target of ['getX', 'getY', 'getZ']) {
      const links = { 200: { next: { operationId: target } } };
      app.route({
        method: 'GET',
        url: `/from-${target}`,
        schema: { response: { 200: {} } },
        handler: ok,
        links,
      } as never);
    }
    app.get('/without', { schema: { response: { 200: {} } }, handler: ok });
    const { paths } = await toOpenAPI(app);
    expect(JSON.stringify(paths['/without'])).not.toContain('links');
    for (const target of ['getX', 'getY', 'getZ'])
      expect(paths[`/from-${target}`]).toMatchObject({
        get: { responses: { 200: { links: { next: { operationId: target } } } } },
      });
  });

  test('links of the route are added to its responses', async () => {
    const { responses } = await operationOf(
      { response: { 200: { type: 'object' } } },
      { links: { 200: { self: { operationId: 'getX' } } } },
    );
    expect(responses[200]).toMatchObject({ links: { self: { operationId: 'getX' } } });
  });

  test('a route without a response schema has a default response', async () => {
    expect((await operationOf({})).responses).toEqual({ 200: { description: 'OK' } });
  });
});

describe('operations', () => {
  test('an operation has the details that its route declares', async () => {
    const said = {
      summary: 'Reads',
      description: 'Reads it all',
      tags: ['a'],
      operationId: 'readAll',
      deprecated: true,
      externalDocs: { url: 'https://example.com' },
      servers: [{ url: 'https://files.example.com' }],
      'x-internal': { team: 'a' },
    };
    expect(await operationOf(said)).toMatchObject(said);
  });

  test('an operation without a summary gets one from its operationId', async () => {
    expect(await operationOf({}, { url: '/users/:id/postcards' })).toMatchObject({
      summary: 'Get users by id postcards',
    });
    expect(await operationOf({}, { url: '/a/:b' })).toMatchObject({ summary: 'Get a by b' });
    expect(await operationOf({ operationId: 'getAPIKeys' })).toMatchObject({ summary: 'Get api keys' });
    expect(await operationOf({ operationId: 'list_all-users' })).toMatchObject({ summary: 'List all users' });
  });

  test('schemas in callbacks are described, and everything else is copied', async () => {
    const callbacks = {
      done: {
        '{$request.body#/url}': {
          post: {
            requestBody: { content: { 'application/json': { schema: { type: 'string', nullable: true } } } },
            responses: { 200: { description: 'thanks' } },
          },
        },
      },
    };
    expect((await operationOf({ callbacks })).callbacks).toEqual({
      done: {
        '{$request.body#/url}': {
          post: {
            requestBody: { content: { 'application/json': { schema: { type: ['string', 'null'] } } } },
            responses: { 200: { description: 'thanks' } },
          },
        },
      },
    });
  });

  test('the fields of a document besides its routes come from its options', async () => {
    const said = {
      info: { title: 'T', version: '1', license: { name: 'MIT' } },
      servers: [{ url: 'https://example.com' }],
      tags: [{ name: 'b', description: 'B' }, { name: 'a' }],
      externalDocs: { url: 'https://example.com/docs' },
      webhooks: { done: { post: { responses: { 200: { description: 'ok' } } } } },
      'x-own': [1],
    };
    expect(await toOpenAPI(ambit(), said)).toEqual({ openapi: '3.1.0', security: [], paths: {}, ...said });
    expect(await toOpenAPI(ambit())).toEqual({
      openapi: '3.1.0',
      info: { title: 'API', version: '0.0.0' },
      servers: [{ url: '/' }],
      security: [],
      paths: {},
    });
  });

  test('the option `transform` is applied last', async () => {
    const transform = (document: OpenAPIDocument) => ({ ...document, paths: {} });
    expect(await toOpenAPI(ambit(), { transform })).toMatchObject({ paths: {} });
  });

  test('operations have readable and unique names', async () => {
    const app = ambit();
    for (const url of ['/', '/users/:id/posts', '/files/*', '/a-b', '/a/b', '/near/:lat-:lng'])
      app.get(url, ok);
    app.route({ method: ['GET', 'POST'], url: '/named', schema: { operationId: 'named' }, handler: ok });
    app.post('/x', { schema: { operationId: 'getRoot' } }, ok);
    const { paths } = await toOpenAPI(app);
    const ids = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [
        `${method} ${path}`,
        (operation as Operation).operationId,
      ]),
    );
    expect(Object.fromEntries(ids)).toEqual({
      'get /': 'getRoot_2',
      'get /users/{id}/posts': 'getUsersByIdPosts',
      'get /files/{wildcard}': 'getFilesByWildcard',
      'get /a-b': 'getAB',
      'get /a/b': 'getAB_2',
      'get /near/{lat}-{lng}': 'getNearByLatLng',
      'get /named': 'named',
      'post /named': 'named_2',
      'post /x': 'getRoot',
    });
  });

  test('the fields of an operation are in the order in which people read them', async () => {
    const operation = await operationOf(
      {
        response: { 200: { type: 'object' } },
        body: { type: 'object' },
        querystring: { a: { type: 'string' } },
        callbacks: {},
        'x-own': 1,
        externalDocs: { url: '/more' },
        tags: ['a'],
        description: 'More',
        summary: 'Short',
      },
      { method: 'POST' },
    );
    expect(Object.keys(operation)).toEqual([
      ...['operationId', 'summary', 'description', 'tags', 'externalDocs'],
      ...['parameters', 'requestBody', 'responses', 'callbacks', 'x-own'],
    ]);
  });

  test('an empty operationId is ignored', async () => {
    expect((await operationOf({ operationId: '' })).operationId).toBe('getX');
  });
});

describe('the framework’s own errors', () => {
  async function statusesOf(method: string, schema: object, rest: object = {}): Promise<string[]> {
    const app = ambit();
    app.route({ method, url: '/x', schema, handler: ok, ...rest } as never);
    const { paths } = await toOpenAPI(app);
    return Object.keys((paths['/x'] as Record<string, Operation>)[method.toLowerCase()]!.responses);
  }

  test('a route has the errors that it can send', async () => {
    expect(await statusesOf('GET', {})).toEqual(['200', '500']);
    expect(await statusesOf('GET', { querystring: { a: { type: 'string' } } })).toEqual([
      '200',
      '400',
      '500',
    ]);
    expect(await statusesOf('POST', {})).toEqual(['200', '400', '413', '415', '500']);
    expect(await statusesOf('DELETE', { body: { a: { type: 'string' } } })).toEqual([
      '200',
      '400',
      '413',
      '415',
      '500',
    ]);
  });

  test('a response that the route declares has precedence, because the error is sent by its schema', async () => {
    const response = { 200: {}, '4xx': { type: 'object' }, default: { type: 'object' } };
    expect(await statusesOf('POST', { response })).toEqual(['200', '4XX', 'default']);
  });

  for (const [flavor, make] of [
    ['ambit', ambit],
    ['the facade', fastify],
  ] as const) {
    test(`in a context with problem details, they have this format, and match what the server sends (${flavor})`, async () => {
      const app = make({ bodyLimit: 30 });
      const body = { type: 'object', properties: { a: { type: 'integer' } } };
      const broken = (): never => {
        throw new Error('broken');
      };
      app.post('/plain', { schema: { body } }, broken);
      app.register(async (context) => {
        context.setErrorFormat('problem');
        context.post('/problem', { schema: { body } }, broken);
      });
      const { paths, components } = (await toOpenAPI(app)) as never as {
        paths: Record<string, { post: Operation }>;
        components: {
          responses: Record<string, { content: Record<string, { schema: unknown }> }>;
          schemas: Record<string, { required: string[]; properties: object }>;
        };
      };
      expect(paths['/plain']!.post.responses[400]).toEqual({ $ref: '#/components/responses/BadRequest' });
      expect(paths['/problem']!.post.responses).toMatchObject({
        400: { $ref: '#/components/responses/BadRequestProblem' },
        413: { $ref: '#/components/responses/PayloadTooLargeProblem' },
        415: { $ref: '#/components/responses/UnsupportedMediaTypeProblem' },
        500: { $ref: '#/components/responses/InternalServerErrorProblem' },
      });
      expect(components.responses.BadRequest!.content).toHaveProperty(['application/json']);
      expect(components.responses.BadRequestProblem!.content).toEqual({
        'application/problem+json': { schema: { $ref: '#/components/schemas/ProblemDetails' } },
      });
      const { required, properties } = components.schemas.ProblemDetails!;
      const requests = [
        { payload: { a: 'x' } },
        { payload: { a: 1, b: 'x'.repeat(40) } },
        { payload: '<a/>', headers: { 'content-type': 'text/xml' } },
        { payload: { a: 1 } },
      ];
      for (const request of requests) {
        const answer = await app.inject({ method: 'POST', url: '/problem', ...request });
        expect(Object.keys(answer.json())).toEqual(expect.arrayContaining(required));
        expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(answer.json())));
      }
    });
  }

  test('they match what the server sends', async () => {
    const app = ambit({ bodyLimit: 30 });
    app.post('/x', { schema: { body: { a: { type: 'integer' } } } }, () => {
      throw new Error('broken');
    });
    const { components } = await toOpenAPI(app);
    const { required, properties } = components!.schemas!.HttpError as {
      required: string[];
      properties: object;
    };
    const requests = [
      { payload: { a: 'x' } },
      { payload: { a: 1, b: 'x'.repeat(40) } },
      { payload: '<a/>', headers: { 'content-type': 'text/xml' } },
      { payload: { a: 1 } },
    ];
    const answers = await Promise.all(
      requests.map((request) => app.inject({ method: 'POST', url: '/x', ...request })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 413, 415, 500]);
    for (const answer of answers) {
      expect(Object.keys(answer.json())).toEqual(expect.arrayContaining(required));
      expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(answer.json())));
    }
  });

  test('they can be left out, and replaced by responses of the application', async () => {
    const app = ambit();
    app.get('/x', ok);
    const without = await toOpenAPI(app, { errors: false });
    expect(without.components).toBeUndefined();
    const own = { InternalServerError: { description: 'ours' } };
    const replaced = await toOpenAPI(app, { components: { responses: own } });
    expect(replaced.components).toEqual({ responses: own });
  });
});
