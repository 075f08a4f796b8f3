/**
 * Applications that documents are made of: other libraries, versions, security, everything that routes can say, odd paths, all of draft 7.
 */
import { describeRoutes, type SecurityScheme } from '@ambit/openapi';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { ambit, type Context } from 'ambit';
import { type } from 'arktype';
import * as v from 'valibot';
import { z } from 'zod';

const ok = (): never => undefined as never;

/** Named, recursive and two-sided schemas of Zod. */
export function zod(): Context {
  const app = ambit();
  const Category = z
    .object({
      name: z.string(),
      get children() {
        return z.array(Category);
      },
    })
    .meta({ id: 'Category', title: 'A category' });
  const Book = z
    .object({
      title: z.string().min(1),
      pages: z.number().int().default(0),
      category: Category.nullable(),
      kind: z.union([z.literal('paper'), z.literal('audio')]),
      tags: z.tuple([z.string(), z.number()]).optional(),
    })
    .meta({ id: 'Book' });
  app.post('/books', { schema: { body: Book, response: { 201: Book } } }, ok as never);
  app.get(
    '/books',
    {
      schema: {
        querystring: z.object({ page: z.coerce.number().default(1), tag: z.array(z.string()).optional() }),
        response: { 200: z.array(Book) },
      },
    },
    ok as never,
  );
  return app;
}

/** Valibot and ArkType beside JSON Schema. */
export function otherLibraries(): Context {
  const app = ambit();
  const place = toStandardJsonSchema(
    v.object({ lat: v.pipe(v.number(), v.minValue(-90)), lng: v.optional(v.number(), 0) }),
  );
  const mail = type({ to: 'string.email', 'subject?': 'string | null', priority: '1 | 2 | 3' });
  app.post('/places', { schema: { body: place, response: { 200: place } } }, ok as never);
  app.post('/mails', { schema: { body: mail, querystring: { dry: { type: 'boolean' } } } }, ok as never);
  return app;
}

/** Two versions of an API whose schemas have the same names. */
export function versions(): Context {
  const app = ambit();
  const version = (name: string, id: string) => async (context: Context) => {
    describeRoutes(context, { tags: [{ name, description: `Version ${name}` }], deprecated: name === 'v1' });
    context.addSchema({
      $id: 'User',
      type: 'object',
      properties: { id: { type: id }, boss: { $ref: 'User#' } },
    });
    context.get(
      '/users/:id',
      { schema: { operationId: 'readUser', response: { 200: { $ref: 'User#' } } } },
      ok,
    );
  };
  app.register(version('v1', 'integer') as never, { prefix: '/v1' });
  app.register(version('v2', 'string') as never, { prefix: '/v2' });
  return app;
}

/** Every kind of security scheme. */
export function security(): Context {
  const app = ambit();
  const schemes: Record<string, SecurityScheme> = {
    bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    basic: { type: 'http', scheme: 'basic' },
    header: { type: 'apiKey', in: 'header', name: 'X-Key' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
    oauth: {
      type: 'oauth2',
      flows: { clientCredentials: { tokenUrl: 'https://example.com/token', scopes: { read: 'Reads' } } },
    },
    openId: {
      type: 'openIdConnect',
      openIdConnectUrl: 'https://example.com/.well-known/openid-configuration',
    },
  };
  for (const [name, scheme] of Object.entries(schemes)) {
    app.register(async (context) => {
      describeRoutes(context, { guards: { [name]: scheme } });
      context.get(`/${name}`, { schema: { headers: { 'x-key': { type: 'string' } } } }, ok);
      context.get(`/${name}/open`, { schema: { security: [] } }, ok);
    });
  }
  return app;
}

/** Everything that a route can say about itself. */
export function annotations(): Context {
  const app = ambit({ ajv: { customOptions: { strict: false } } });
  const schema = {
    operationId: 'orderThings',
    summary: 'Orders things',
    description: 'Orders **things**.',
    tags: ['things'],
    deprecated: true,
    externalDocs: { url: 'https://example.com/things' },
    servers: [
      { url: 'https://{place}.example.com', variables: { place: { default: 'eu', enum: ['eu', 'us'] } } },
    ],
    'x-team': 'things',
    querystring: {
      type: 'object',
      properties: {
        ids: {
          type: 'array',
          items: { type: 'integer' },
          style: 'pipeDelimited',
          explode: false,
          description: 'Which',
        },
        size: { type: 'integer', examples: [1, 2] },
        filter: { type: 'object', 'x-consume': 'application/json', properties: { a: { type: 'string' } } },
      },
    },
    cookies: { type: 'object', properties: { theme: { type: 'string' } } },
    body: {
      type: 'object',
      examples: [{ count: 1 }, { count: 2 }],
      properties: {
        count: { type: 'integer', example: 3, readOnly: true },
        callbackUrl: { type: 'string', format: 'uri' },
      },
    },
    callbacks: {
      ordered: {
        '{$request.body#/callbackUrl}': {
          post: {
            summary: 'Says that it is done',
            requestBody: {
              content: {
                'application/json': {
                  schema: { type: 'object', properties: { done: { type: 'boolean', nullable: true } } },
                },
              },
            },
            responses: { 200: { description: 'Thanks' } },
          },
        },
      },
    },
    response: {
      202: {
        description: 'Accepted',
        type: 'object',
        properties: { id: { type: 'integer' } },
        links: { self: { operationId: 'readThing', parameters: { id: '$response.body#/id' } } },
      },
      default: { type: 'object', description: 'Anything else' },
    },
  };
  app.post('/things', { schema }, ok);
  app.get('/things/:id', { schema: { operationId: 'readThing' } }, ok);
  app.get('/hidden', { schema: { hide: true } }, ok);
  return app;
}

/** Paths and methods that OpenAPI has other ideas of. */
export function oddPaths(): Context {
  const app = ambit();
  app.addHttpMethod('PROPFIND');
  for (const url of [
    '/files/*',
    '/a/:id(^\\d+$)',
    '/near/:lat-:lng',
    '/opt/:p?',
    '/name::verb',
    '/x.y/:file.:ext',
  ])
    app.get(url, ok);
  app.route({ method: ['GET', 'POST', 'PROPFIND', 'OPTIONS', 'TRACE'], url: '/many', handler: ok });
  app.get('/notes/:id', ok);
  app.patch('/notes/:key', { schema: { params: { key: { type: 'integer' } } } }, ok);
  app.get('/version', { constraints: { version: '1.0.0' } }, ok);
  app.get('/version', { constraints: { version: '2.0.0' } }, ok);
  app.head('/head', ok);
  return app;
}

/** Every keyword of draft 7. */
export function draft7(): Context {
  const app = ambit({ ajv: { customOptions: { strict: false } } });
  const body = {
    $comment: 'all of it',
    type: 'object',
    properties: {
      tuple: {
        type: 'array',
        items: [{ type: 'string' }, { $ref: '#/definitions/size' }],
        additionalItems: { type: 'null' },
      },
      list: { type: 'array', items: {}, contains: { const: 1 }, uniqueItems: true, minItems: 1, maxItems: 9 },
      number: { type: 'number', exclusiveMinimum: 0, maximum: 9, multipleOf: 0.5 },
      text: { type: ['string', 'null'], minLength: 1, maxLength: 5, pattern: '^a', format: 'email' },
      anything: true,
      nothing: false,
      not: { not: { type: 'string' } },
      condition: {
        if: { type: 'string' }, // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
        then: { minLength: 1 },
        else: { type: 'integer' },
      },
      encoded: { type: 'string', contentEncoding: 'base64', contentMediaType: 'image/png' },
      own: { type: 'integer', isEven: true, errorMessage: 'must be even' },
    },
    required: ['tuple'],
    patternProperties: { '^x-': { type: 'string' } },
    additionalProperties: { type: 'integer' },
    propertyNames: { maxLength: 20 },
    minProperties: 1,
    dependencies: { list: ['number'], text: { required: ['number'] } },
    allOf: [{ anyOf: [{ type: 'object' }, { required: ['text'] }] }],
    default: { tuple: ['a', 1] },
    definitions: {
      size: { type: 'integer', enum: [1, 2, null], nullable: true },
      unused: { type: 'string' },
    },
  };
  app.post(
    '/all',
    {
      schema: {
        body,
        response: {
          200: { type: 'object', properties: { a: { const: 'a' }, b: { type: 'string', nullable: true } } },
        },
      },
    },
    ok,
  );
  return app;
}

/** Parameters that schemas declare without `properties` of their own, and routes that accept WebSockets. */
export function parameters(): Context {
  const app = ambit({ ajv: { customOptions: { strict: false } } });
  const page = { type: 'integer' };
  app.get(
    '/search/:key',
    {
      schema: {
        params: { type: 'object', additionalProperties: { type: 'integer' } },
        headers: { type: 'object', required: ['x-key'], additionalProperties: { type: 'string' } },
        querystring: {
          type: 'object',
          required: [],
          if: { required: ['by'] }, // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema.
          then: { properties: { page } },
          else: { properties: { from: { type: 'string', format: 'date' } } },
          dependencies: { by: ['order'], page: { properties: { size: page } } },
          patternProperties: { '^x-': { type: 'string' } },
          additionalProperties: { type: 'array', items: { type: 'string' } },
        },
      },
    },
    ok,
  );
  app.get(
    '/games/:id',
    { wsHandler: ok, schema: { querystring: { type: 'object', required: [] } } } as never,
    ok,
  );
  app.get('/chat', { websocket: true, schema: { hide: false } } as never, ok);
  return app;
}
