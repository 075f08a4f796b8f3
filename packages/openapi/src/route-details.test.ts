/** What contexts say about their routes, security, and what is refused. */
import {
  type DocumentOptions,
  describeRoutes,
  type RouteDetails,
  type SecurityScheme,
  toOpenAPI,
} from '@ambit/openapi';
import { ambit, type Context, hoist } from 'ambit';
import { describe, expect, test } from 'vitest';

const ok = (): never => 'ok' as never;

const cyclic: Record<string, unknown> = { type: 'object' };
cyclic.properties = { self: cyclic };
const deep = JSON.parse(`${'{"not":'.repeat(20_000)}{}${'}'.repeat(20_000)}`) as object;
const bearer: SecurityScheme = { type: 'http', scheme: 'bearer' };
const key: SecurityScheme = { type: 'apiKey', in: 'header', name: 'X-Key' };

type Operation = Record<string, unknown>;

/** One field of all operations, by path. */
async function fieldByPath(
  app: Context,
  field: string,
  options: object = {},
): Promise<Record<string, unknown>> {
  const { paths } = await toOpenAPI(app, { errors: false, ...options });
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path, (Object.values(item)[0] as Operation)[field]]),
  );
}

describe('details that routes inherit', () => {
  test('a context with its own error handler declares the responses of this handler instead of the default errors', async () => {
    const app = ambit();
    const problem = { type: 'object', properties: { title: { type: 'string' } } };
    app.register(async (context) => {
      context.setErrorHandler(() => ({ title: 'failed' }));
      describeRoutes(context, { errors: false, responses: { 400: problem, '5xx': problem } });
      context.post('/own', { schema: { body: { a: { type: 'integer' } } } }, () => 'ok');
    });
    const { paths, components } = await toOpenAPI(app);
    const { responses } = paths['/own']!.post as { responses: Record<string, { content?: object }> };
    expect(Object.keys(responses)).toEqual(['200', '400', '5XX']);
    expect(responses[400]!.content).toEqual({ 'application/json': { schema: problem } });
    expect(components).toBeUndefined();
  });

  test('the default errors are described for routes whose errors the default error handler sends', async () => {
    const app = ambit();
    const failed = (): { title: string } => ({ title: 'failed' });
    app.get('/default', ok);
    app.register(async (context) => {
      // The order does not matter.
      context.get('/context', ok);
      context.setErrorHandler(failed);
      context.register(async (inner) => void inner.get('/inner', ok));
      context.register(async (told) => {
        describeRoutes(told, { errors: true });
        told.get('/told', ok);
      });
    });
    app.get('/route', { errorHandler: failed, handler: ok });
    const statusesOf = async (options: DocumentOptions) => {
      const responses = await fieldByPath(app, 'responses', options);
      return Object.entries(responses).map(([path, each]) => `${path} ${Object.keys(each as object)}`);
    };
    const shown = ['/default 200,500', '/inner 200', '/route 200', '/told 200,500'];
    expect(await statusesOf({ errors: undefined } as never)).toEqual(['/context 200', ...shown]);
    expect(await statusesOf({ errors: true })).toEqual([
      '/context 200,500',
      '/default 200,500',
      '/inner 200,500',
      '/route 200,500',
      '/told 200,500',
    ]);
  });

  test('the routes of a context and its children inherit tags, descriptions and extensions; siblings do not', async () => {
    const app = ambit();
    app.register(async (context) => {
      context.get('/a', { schema: { tags: ['own'], description: 'mine' } }, ok);
      context.register(async (inner) => {
        describeRoutes(inner, { tags: ['inner'] });
        inner.get('/a/b', ok);
      });
      describeRoutes(context, {
        tags: [{ name: 'outer', description: 'Outer things' }],
        description: 'theirs',
        'x-team': 'a',
      });
    });
    app.register(async (context) => void context.get('/c', ok));
    expect(await fieldByPath(app, 'tags')).toEqual({
      '/a': ['outer', 'own'],
      '/a/b': ['outer', 'inner'],
      '/c': undefined,
    });
    expect(await fieldByPath(app, 'description')).toEqual({
      '/a': 'mine',
      '/a/b': 'theirs',
      '/c': undefined,
    });
    expect(await fieldByPath(app, 'x-team')).toEqual({ '/a': 'a', '/a/b': 'a', '/c': undefined });
    expect((await toOpenAPI(app)).tags).toEqual([
      { name: 'inner' },
      { name: 'outer', description: 'Outer things' },
      { name: 'own' },
    ]);
  });

  test('a hoisted plugin declares details for the context that it fills', async () => {
    const app = ambit();
    app.register(async (context) => {
      context.register(hoist(async (filled) => describeRoutes(filled, { deprecated: true })));
      context.get('/a', ok);
    });
    app.get('/b', ok);
    expect(await fieldByPath(app, 'deprecated')).toEqual({ '/a': true, '/b': undefined });
  });

  test('a context can be hidden, and a route or context inside it can be shown', async () => {
    const app = ambit();
    app.register(async (context) => {
      describeRoutes(context, { hide: true });
      context.get('/a', ok);
      context.get('/b', { schema: { hide: false } }, ok);
      context.register(async (inner) => {
        describeRoutes(inner, { hide: false });
        inner.get('/c', ok);
      });
    });
    expect(Object.keys((await toOpenAPI(app)).paths)).toEqual(['/b', '/c']);
  });

  test('responses of a context’s hooks apply to its routes, unless a route declares the same status', async () => {
    const app = ambit();
    app.addSchema({ $id: 'Denied', type: 'object' });
    app.register(async (context) => {
      describeRoutes(context, {
        responses: { 401: { description: 'No key', $ref: 'Denied#' } },
        errors: true,
      });
      context.get('/a', ok);
      context.get('/b', { schema: { response: { 401: { description: 'Own', type: 'null' } } } }, ok);
    });
    app.get('/c', ok);
    expect(await fieldByPath(app, 'responses')).toMatchObject({
      '/a': { 200: {}, 401: { description: 'No key' }, 500: {} },
      '/b': { 401: { description: 'Own' } },
      '/c': { 200: { description: 'OK' } },
    });
  });
});

describe('security', () => {
  test('a guard of a context is declared once, and only the routes of the context require it', async () => {
    const app = ambit();
    app.register(async (context) => {
      context.get('/a', ok);
      describeRoutes(context, { guards: { token: bearer } });
      context.register(async (inner) => void inner.get('/a/b', ok));
      context.get('/a/open', { schema: { security: [] } }, ok);
    });
    app.register(async (context) => void context.get('/c', ok));
    expect(await fieldByPath(app, 'security')).toEqual({
      '/a': [{ token: [] }],
      '/a/b': [{ token: [] }],
      '/a/open': [],
      '/c': undefined,
    });
    expect((await toOpenAPI(app)).components!.securitySchemes).toEqual({ token: bearer });
  });

  test('guards of inner and outer contexts are required together, because the hooks of both run', async () => {
    const app = ambit();
    app.register(async (context) => {
      describeRoutes(context, { guards: { token: bearer } });
      context.register(async (inner) => {
        describeRoutes(inner, { guards: { key } });
        inner.get('/both', ok);
      });
      context.register(async (inner) => {
        describeRoutes(inner, { security: [] });
        inner.get('/open', ok);
      });
    });
    expect(await fieldByPath(app, 'security')).toEqual({ '/both': [{ token: [], key: [] }], '/open': [] });
  });

  test('the security of the document applies to routes that declare none', async () => {
    const app = ambit();
    app.get('/a', ok);
    const document = await toOpenAPI(app, {
      security: [{ token: [] }],
      components: { securitySchemes: { token: bearer } },
    });
    expect(document.security).toEqual([{ token: [] }]);
    expect(document.paths['/a']).not.toHaveProperty('get.security');
  });

  test('a key that a scheme declares is not also a parameter', async () => {
    const app = ambit();
    describeRoutes(app, { guards: { key } });
    app.get(
      '/a',
      { schema: { headers: { 'x-key': { type: 'string' }, 'x-other': { type: 'string' } } } },
      ok,
    );
    expect(await fieldByPath(app, 'parameters')).toMatchObject({ '/a': [{ name: 'x-other' }] });
  });

  test('a requirement without a declared scheme is rejected, and the error names the route', async () => {
    const app = ambit();
    describeRoutes(app, { securitySchemes: { token: bearer } });
    app.get('/a', { schema: { security: [{ tokn: [] }] } }, ok);
    await expect(toOpenAPI(app)).rejects.toMatchObject({
      code: 'AMBIT_ERR_OPENAPI_SECURITY',
      message: "security of GET /a requires 'tokn', but no security scheme has that name; declared: 'token'",
      where: { route: 'GET /a' },
    });
    await expect(toOpenAPI(ambit(), { security: [{ x: [] }] })).rejects.toThrow(
      "security of the options of the document requires 'x', but no security scheme has that name; declared: none",
    );
  });

  test('the same name for two schemes is rejected', async () => {
    const app = ambit();
    for (const scheme of [bearer, key]) {
      app.register(async (context) => {
        describeRoutes(context, { guards: { guard: scheme } });
        context.get(`/${scheme.type}`, ok);
      });
    }
    await expect(toOpenAPI(app)).rejects.toThrow(
      "the security scheme 'guard' has two different declarations",
    );
  });
});

describe('invalid details', () => {
  for (const [options, message] of [
    [{ inf: {} }, "unknown option 'inf' of toOpenAPI; did you mean 'info'?"],
    [{ inof: {} }, "unknown option 'inof' of toOpenAPI; did you mean 'info'?"],
    [{ whatever: 1 }, "unknown option 'whatever' of toOpenAPI"],
    [{ servers: {} }, 'toOpenAPI: servers must be array, instead got object'],
    [
      { openapi: '3.3' },
      "toOpenAPI: openapi must be one of 3.0, 3.0.3, 3.1, 3.1.0, 3.2, 3.2.0, instead got '3.3'",
    ],
    [{ info: { title: 'x' } }, 'toOpenAPI: info.version must be a string, instead got undefined'],
  ] as const) {
    test(message, async () => {
      await expect(toOpenAPI(ambit(), options as unknown as DocumentOptions)).rejects.toMatchObject({
        code: 'AMBIT_ERR_OPENAPI_OPTION',
        message,
      });
    });
  }

  test('the error for an unknown detail names the most similar one', () => {
    expect(() => describeRoutes(ambit(), { gards: {} } as RouteDetails)).toThrow(
      "unknown option 'gards' of describeRoutes; did you mean 'guards'?",
    );
  });

  for (const [part, schema, message] of [
    [
      'body',
      { type: 'object', properties: { a: { default: 1n } } },
      'POST /x: the schema of body cannot be described at /properties/a/default: a bigint is not JSON',
    ],
    [
      'body',
      { $merge: { source: {}, with: {} } },
      'POST /x: the schema of body cannot be described at /$merge: "$merge" has no counterpart in OpenAPI',
    ],
    [
      'querystring',
      { type: 'object', properties: { a: 1 } },
      'POST /x: the schema of querystring cannot be described at /properties/a: a schema must be an object or a boolean, not a number',
    ],
    [
      'body',
      { describe: () => 'joi' },
      'POST /x: the schema of body cannot be described: it is neither JSON Schema nor an object that can be converted to it; use the option `describe` to convert it',
    ],
    [
      'headers',
      { type: 'object', properties: { a: { $ref: 'Nowhere#' } } },
      'POST /x: the schema of headers cannot be described at /properties/a/$ref: $ref "Nowhere#" has no target that the route can see',
    ],
    [
      'body',
      deep,
      'POST /x: the schema of body cannot be described: it is nested too deeply, or an object contains itself; use `$ref` for a recursive schema',
    ],
    [
      'body',
      cyclic,
      'POST /x: the schema of body cannot be described: it is nested too deeply, or an object contains itself; use `$ref` for a recursive schema',
    ],
    [
      'querystring',
      { type: 'object', properties: { a: { type: 'string', description: 1n } } },
      'POST /x: the schema of querystring cannot be described: a bigint is not JSON',
    ],
    [
      'externalDocs',
      { url: 1n },
      'POST /x: the schema of the operation cannot be described: a bigint is not JSON',
    ],
    [
      'x-own',
      { at: Number.NaN },
      'POST /x: the schema of the operation cannot be described: NaN is not JSON',
    ],
  ] as const) {
    test(message, async () => {
      const app = ambit();
      // The schemas are another library's to this application, so that only the document reads them.
      app.setValidatorCompiler(() => () => true);
      const given = 'describe' in schema ? Object.create({ describe: schema.describe }) : schema;
      app.post('/x', { schema: { [part]: given } }, ok);
      await expect(toOpenAPI(app)).rejects.toMatchObject({ code: 'AMBIT_ERR_OPENAPI_SCHEMA', message });
    });
  }
});
