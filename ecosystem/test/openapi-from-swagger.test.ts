/** Routes that were written for `@fastify/swagger`: what `@ambit/openapi` says of them, and where it says something else. */

import { type OpenAPIDocument, toOpenAPI } from '@ambit/openapi';
import swagger from '@fastify/swagger';
import { ambit, type Context } from 'ambit';
import { expect, test } from 'vitest';

const info = { title: 'Shop', version: '1.0.0' };
const components = { securitySchemes: { apiKey: { type: 'apiKey', name: 'x-key', in: 'header' } } } as const;
const ok = (): never => undefined as never;

/** Routes as the documentation of the plugin has them. */
function declareRoutes(app: Context): void {
  app.addSchema({ $id: 'Address', type: 'object', properties: { city: { type: 'string' } } });
  app.addSchema({
    $id: 'User',
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'integer' },
      nick: { type: 'string', nullable: true },
      address: { $ref: 'Address#' },
    },
  });
  app.put('/users/:id', {
    schema: {
      operationId: 'putUser',
      summary: 'Writes a user',
      description: 'Writes a **user**',
      tags: ['users'],
      deprecated: true,
      externalDocs: { url: 'https://example.com' },
      'x-team': 'users',
      params: { type: 'object', properties: { id: { type: 'string', description: 'user id' } } },
      querystring: {
        type: 'object',
        required: ['dry'],
        properties: { dry: { type: 'boolean' }, size: { type: 'integer', examples: [1, 2] } },
      },
      headers: {
        type: 'object',
        properties: { 'x-key': { type: 'string' }, 'x-trace': { type: 'string', examples: ['a'] } },
      },
      cookies: { type: 'object', properties: { session: { type: 'string' } } },
      body: {
        type: 'object',
        description: 'the user',
        required: ['name'],
        examples: [{ name: 'ada' }],
        properties: { name: { type: 'string' }, kind: { const: 'x' } },
      },
      security: [{ apiKey: [] }],
      response: {
        200: { description: 'written', $ref: 'User#' },
        201: {
          description: 'new',
          type: 'object',
          headers: { location: { type: 'string', description: 'where' } },
          properties: { pair: { type: 'array', items: { type: 'string' } } },
        },
        204: { description: 'nothing', type: 'null' },
        '4xx': {
          'x-response-description': 'refused',
          type: 'object',
          properties: { error: { type: 'string' } },
        },
        default: {
          description: 'by type',
          content: {
            'application/json': { schema: { type: 'object' } },
            'text/csv': { schema: { type: 'string' } },
          },
        },
      },
    },
    handler: ok,
  } as never);
  app.post('/forms', {
    schema: {
      operationId: 'postForm',
      summary: 'Takes a form',
      consumes: ['application/x-www-form-urlencoded'],
      produces: ['application/xml'],
      body: { type: 'object', properties: { a: { type: 'string' } } },
      response: { 200: { type: 'object', description: 'xml' } },
    },
    handler: ok,
  });
  app.get('/plain/:name', { schema: { operationId: 'getPlain', summary: 'Plain' }, handler: ok });
  app.get('/hidden', { schema: { hide: true }, handler: ok });
}

async function theirs(): Promise<OpenAPIDocument> {
  const app = ambit({ ajv: { customOptions: { strict: false } } });
  // Names of components as ours are.
  const refResolver = {
    buildLocalReference: (json: { $id?: string }, _base: unknown, _fragment: unknown, i: number) =>
      json.$id ?? `def-${i}`,
  };
  await app.register(
    swagger as never,
    { openapi: { openapi: '3.1.0', info, components }, convertConstToEnum: false, refResolver } as never,
  );
  declareRoutes(app as unknown as Context);
  await app.ready();
  return JSON.parse(JSON.stringify((app as unknown as { swagger(): unknown }).swagger()));
}

async function ours(): Promise<OpenAPIDocument> {
  const app = ambit({ ajv: { customOptions: { strict: false } } });
  declareRoutes(app as unknown as Context);
  return JSON.parse(JSON.stringify(await toOpenAPI(app, { info, components, errors: false })));
}

type Place = Record<string, unknown>;

/** All values of a document by their paths; parameters by name. */
function flatten(value: unknown, path = '', out: Place = {}): Place {
  if (typeof value !== 'object' || value === null) out[path] = value;
  else
    for (const [key, inner] of Object.entries(value)) {
      const { name, in: place } = Object(inner) as { name?: string; in?: string };
      flatten(inner, `${path} ${place === undefined ? key : `${place}:${name}`}`.trim(), out);
    }
  return out;
}

test('the documents differ in what the guide lists, and in nothing else', async () => {
  const [one, other] = [flatten(await theirs()), flatten(await ours())];
  const paths = [...new Set([...Object.keys(one), ...Object.keys(other)])].sort();
  const differences = paths
    .filter((path) => one[path] !== other[path])
    .map((path) => [path, one[path], other[path]]);
  expect(differences).toEqual([
    ['paths /plain/{name} get responses 200 description', 'Default Response', 'OK'],
    ['servers 0 url', undefined, '/'],
    ['tags 0 name', undefined, 'users'],
  ]);
});
