/** `@fastify/swagger` and `@fastify/swagger-ui`: the routes of their context, as an OpenAPI document and as a page. */
import swagger from '@fastify/swagger';
import { ambit } from 'ambit';
import { S } from 'fluent-json-schema';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeDocumentedApp } from './support/documented-app.ts';
import { flavors } from './support/flavors.ts';
import { serve } from './support/serve.ts';

interface OpenApi {
  paths: Record<string, Record<string, object>>;
  components: { schemas: { Note: { properties: { title: object } } } };
}

async function fetchDocument(origin: string): Promise<OpenApi> {
  return (await fetch(`${origin}/documentation/json`)).json() as Promise<OpenApi>;
}

describe.each(flavors)('swagger on $flavor', ({ create }) => {
  test('the document has the operations of the context, and no others', async () => {
    const origin = await serve(makeDocumentedApp(create));
    const document = await fetchDocument(origin);
    expect(document).toMatchObject({ openapi: '3.0.3', info: { title: 'Notes', version: '1.2.3' } });
    const operations = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method} ${path}`),
    );
    expect(operations.sort()).toEqual(['delete /notes/{id}', 'get /notes/{id}', 'post /notes/']);
  });

  test('schemas of routes become parameters, bodies and answers', async () => {
    const origin = await serve(makeDocumentedApp(create));
    const { paths, components } = await fetchDocument(origin);
    expect(paths['/notes/{id}']!.get).toEqual({
      summary: 'Read a note',
      tags: ['notes'],
      parameters: [
        { schema: { type: 'integer' }, in: 'path', name: 'id', required: true, description: 'which note' },
      ],
      responses: {
        200: {
          description: 'The note',
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Note' } } },
        },
      },
    });
    expect(paths['/notes/']!.post).toMatchObject({
      security: [{ apiKey: [] }],
      parameters: [{ schema: { type: 'boolean' }, in: 'query', name: 'dry', required: false }],
      requestBody: { required: true, content: { 'application/json': { schema: { required: ['title'] } } } },
    });
    expect(components.schemas.Note.properties.title).toEqual({ type: 'string', maxLength: 80 });
  });

  test('the document comes as YAML too', async () => {
    const origin = await serve(makeDocumentedApp(create));
    const response = await fetch(`${origin}/documentation/yaml`);
    expect(response.headers.get('content-type')).toContain('application/x-yaml');
    expect(await response.text()).toContain('openapi: 3.0.3');
  });

  test('the schemas that were documented are the ones that apply', async () => {
    const origin = await serve(makeDocumentedApp(create));
    expect(await (await fetch(`${origin}/notes/7`)).json()).toEqual({ id: 7, title: 'by id' });
    expect((await fetch(`${origin}/notes/seven`)).status).toBe(400);
  });

  test.each([
    ['', 'text/html; charset=utf-8'],
    ['/static/swagger-ui-bundle.js', 'application/javascript; charset=utf-8'],
    ['/static/swagger-ui.css', 'text/css; charset=utf-8'],
  ])('the page is served with its assets: %s', async (path, type) => {
    const origin = await serve(makeDocumentedApp(create));
    const response = await fetch(`${origin}/documentation${path}`);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toBe('');
    expect(response.headers.get('content-type')).toBe(type);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  test('outside the context there is no document, and nothing of its schemas', async () => {
    const origin = await serve(makeDocumentedApp(create));
    const response = await fetch(`${origin}/outside`);
    expect(response.headers.get('content-security-policy')).toBeNull();
    expect(await response.json()).toEqual({ swagger: 'undefined', schemas: [] });
  });

  test('the version 2 format is made of the same routes', async () => {
    const app = create();
    await app.register(swagger, { swagger: { info: { title: 'Old', version: '1.0.0' } } });
    app.get('/ping', { schema: { summary: 'Ping' } }, () => 'pong');
    await serve(app);
    expect(app.swagger()).toMatchObject({ swagger: '2.0', paths: { '/ping': { get: { summary: 'Ping' } } } });
  });
});

describe.each(flavors)('schemas that are normalized, on $flavor', ({ create }) => {
  async function documentOf(schema: object): Promise<OpenApi['paths']> {
    const app = create();
    await app.register(swagger, {
      openapi: { openapi: '3.0.3', info: { title: 'Notes', version: '1.2.3' } },
    });
    app.post('/notes/:id', { schema }, async () => ({}));
    await app.ready();
    onTestFinished(() => app.close());
    return (app.swagger() as unknown as OpenApi).paths;
  }

  const page = { schema: { type: 'integer' }, in: 'query', name: 'page', required: false };

  test('the parameters of `query` are documented, as those of `querystring`', async () => {
    const query = { type: 'object', properties: { page: { type: 'integer' } } };
    const paths = await documentOf({ query });
    expect(paths['/notes/{id}']!.post).toMatchObject({ parameters: expect.arrayContaining([page]) });
  });

  test('schemas of fluent-json-schema are documented, wherever they stand', async () => {
    const named = S.object().prop('name', S.string().required());
    const paths = await documentOf({
      params: S.object().prop('id', S.integer()),
      query: S.object().prop('page', S.integer()),
      headers: S.object().prop('x-tenant', S.string()),
      body: named,
      response: { 200: named },
    });
    expect(paths['/notes/{id}']!.post).toMatchObject({
      parameters: expect.arrayContaining([
        page,
        expect.objectContaining({ in: 'path', name: 'id', schema: { type: 'integer' } }),
        expect.objectContaining({ in: 'header', name: 'x-tenant' }),
      ]),
      requestBody: {
        content: { 'application/json': { schema: { properties: { name: { type: 'string' } } } } },
      },
      responses: {
        200: { content: { 'application/json': { schema: { properties: { name: { type: 'string' } } } } } },
      },
    });
  });

  test('schemas of fluent-json-schema validate requests and pick what leaves', async () => {
    const app = create();
    const named = S.object().prop('name', S.string().required());
    app.addSchema(S.object().id('user').prop('age', S.integer()));
    app.post(
      '/users',
      { schema: { body: named.prop('user', S.raw({ $ref: 'user#' })), response: { 200: named } } },
      async ({ body }) => ({ ...(body as { name: string }), secret: 1 }),
    );
    const origin = await serve(app);
    const post = (body: object): Promise<Response> =>
      fetch(`${origin}/users`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    expect((await post({ user: { age: 1 } })).status).toBe(400);
    expect((await post({ name: 'ada', user: { age: 'x' } })).status).toBe(400);
    expect(await (await post({ name: 'ada', user: { age: 1 } })).json()).toEqual({ name: 'ada' });
  });
});

test('on ambit a chain may go on with the routes: they are documented', async () => {
  const app = ambit()
    .register(swagger as unknown as (context: unknown, options: { openapi: object }) => void, {
      openapi: { openapi: '3.0.3', info: { title: 'Notes', version: '1.2.3' } },
    })
    .get(
      '/notes/:id',
      { schema: { params: { type: 'object', properties: { id: { type: 'integer' } } } } },
      () => 'note',
    );
  await app.ready();
  const { paths } = (app as never as { swagger(): OpenApi }).swagger();
  expect(paths).toMatchObject({ '/notes/{id}': { get: { parameters: [{ in: 'path', name: 'id' }] } } });
});
