/** What routes declare in the same words is described once, and nobody can tell. */

import { type OpenAPIDocument, openapi, toOpenAPI } from '@ambit/openapi';
import { ambit, type Context } from 'ambit';
import { expect, test } from 'vitest';
import { z } from 'zod';

const ok = (): never => 'ok' as never;

/** A new object for each route, with nothing shared. */
function schemaOf(more: object = {}): object {
  return {
    params: { type: 'object', properties: { id: { type: 'integer' } } },
    querystring: { type: 'object', properties: { page: { type: 'integer' }, tags: { type: 'array' } } },
    body: {
      type: 'object',
      properties: { name: { $ref: '#/definitions/name' } },
      definitions: { name: { type: 'string' } },
    },
    response: {
      200: { type: 'object', properties: { id: { type: 'integer' } } },
      404: { type: 'object', properties: {} },
    },
    ...more,
  };
}

type Operation = Record<string, never> & {
  parameters: { description?: string }[];
  requestBody: { required: boolean };
  responses: Record<string, { description: string }>;
};

function operationOf(document: OpenAPIDocument, path: string): Operation {
  return (document.paths[path] as { post: Operation }).post;
}

function declare(app: Context, paths: readonly string[], more?: object): void {
  for (const path of paths) app.post(path, { schema: schemaOf(more) as never, handler: ok });
}

async function documentOf(paths: readonly string[], more?: object): Promise<OpenAPIDocument> {
  const app = ambit({ ajv: { customOptions: { strict: false } } });
  declare(app as never, paths, more);
  return toOpenAPI(app, { openapi: '3.0' });
}

test('a route is described the same with and without routes that declare the same', async () => {
  const alone = operationOf(await documentOf(['/b/:id']), '/b/{id}');
  const together = await documentOf(['/a/:id', '/b/:id', '/c/:key']);
  expect(operationOf(together, '/b/{id}')).toEqual(alone);
  // The path calls its parameter otherwise than the schema.
  expect(operationOf(together, '/c/{key}').responses).toEqual(alone.responses);
});

test('a document belongs to the caller: a change of one operation changes no other', async () => {
  const document = await documentOf(['/a/:id', '/b/:id', '/c/:id'], {
    response: { 404: { type: 'object' } },
  });
  const before = structuredClone(operationOf(document, '/a/{id}'));
  for (const path of ['/b/{id}', '/c/{id}']) {
    const operation = operationOf(document, path);
    operation.parameters[0]!.description = path;
    operation.parameters.push({ description: path });
    operation.requestBody.required = false;
    operation.responses[404]!.description = path;
    operation.responses[500]!.description = path;
  }
  expect(operationOf(document, '/a/{id}')).toEqual(before);
  expect(operationOf(document, '/b/{id}').responses[404]!.description).toBe('/b/{id}');
});

test('the caller may change responses that only some operations share', async () => {
  const app = ambit();
  const problem = { type: 'object', properties: { message: { type: 'string' } } };
  for (const name of ['a', 'b'])
    app.post(`/${name}`, {
      schema: { response: { 200: { type: 'object', properties: { [name]: {} } }, 404: problem } },
      handler: ok,
    });
  const document = await toOpenAPI(app);
  operationOf(document, '/a').responses[404]!.description = 'changed';
  expect(operationOf(document, '/b').responses[404]!.description).toBe('Not Found');
});

test('`transform` may change one of several equal operations', async () => {
  const app = ambit({ ajv: { customOptions: { strict: false } } });
  declare(app as never, ['/a/:id', '/b/:id']);
  app.register(openapi, {
    transform: (document) => {
      operationOf(document, '/a/{id}').responses[200]!.description = 'changed';
      return document;
    },
  });
  const served = (await app.inject('/openapi.json')).json<OpenAPIDocument>();
  expect(operationOf(served, '/a/{id}').responses[200]!.description).toBe('changed');
  expect(operationOf(served, '/b/{id}').responses[200]!.description).toBe('OK');
  await app.close();
});

test('schemas that are not JSON are described separately, even if their JSON is the same', async () => {
  const app = ambit();
  app.post('/a', { schema: { body: z.object({ a: z.string().min(1) }) }, handler: ok });
  app.post('/b', { schema: { body: z.object({ a: z.string().min(2) }) }, handler: ok });
  const text = JSON.stringify(await toOpenAPI(app));
  expect(text).toContain('"minLength":1');
  expect(text).toContain('"minLength":2');
});

test('a value that JSON cannot express is rejected, even next to a schema with the same JSON', async () => {
  const app = ambit({ ajv: { customOptions: { strict: false } } });
  app.post('/a', { schema: { body: { type: 'object', 'x-limit': null } as never }, handler: ok });
  app.post('/b', { schema: { body: { type: 'object', 'x-limit': Number.NaN } as never }, handler: ok });
  await expect(toOpenAPI(app)).rejects.toThrow('POST /b: the schema of body cannot be described at /x-limit');
});

test('schemas with the same names in another order keep their order', async () => {
  const app = ambit();
  const first = () => ({ querystring: { a: { type: 'string' }, b: { type: 'string' } } });
  const second = () => ({ querystring: { b: { type: 'string' }, a: { type: 'string' } } });
  // The first kind is declared often enough that it is compared with directly.
  for (const path of ['/a', '/b', '/c', '/e']) app.get(path, { schema: first() as never, handler: ok });
  app.get('/d', { schema: second() as never, handler: ok });
  const document = await toOpenAPI(app);
  const namesOf = (path: string) =>
    (document.paths[path] as { get: { parameters: { name: string }[] } }).get.parameters.map(
      ({ name }) => name,
    );
  expect(['/c', '/d', '/e'].map(namesOf)).toEqual([
    ['a', 'b'],
    ['b', 'a'],
    ['a', 'b'],
  ]);
});

test('schemas that differ only in their last value are described separately, however often they are declared', async () => {
  const app = ambit();
  const body = (maximum: unknown) => ({
    type: 'object',
    properties: { a: { enum: ['x', null, true, 1.5] }, b: { type: 'integer', maximum } },
  });
  const maxima = [1, 1, 1, 2, 1, 2, 2, -1, 1];
  for (const [i, maximum] of maxima.entries())
    app.post(`/${i}`, { schema: { body: body(maximum) as never }, handler: ok });
  const { paths } = await toOpenAPI(app);
  expect(Object.values(paths).map((item) => JSON.stringify(item).match(/"maximum":(-?\d)/)?.[1])).toEqual(
    maxima.map(String),
  );
});

test('the text that is served is the text of the document that `toOpenAPI` returns', async () => {
  const app = ambit();
  app.register(openapi, {
    info: { title: '"\u2028</script>\ud800', version: '1' },
    'x-own': { __proto__: null, a: 1 },
  });
  declare(app as never, ['/b/:id', '/a/:id', '/c/:id']);
  app.get('/none', ok);
  const { body } = await app.inject('/openapi.json');
  expect(body).toBe(JSON.stringify(await toOpenAPI(app)));
  await app.close();
});

test('contexts that see different schemas with the same name have separate responses', async () => {
  const app = ambit();
  for (const [name, type] of [
    ['a', 'string'],
    ['b', 'integer'],
  ] as const) {
    app.register(async (context) => {
      context.addSchema({ $id: 'Note', type: 'object', properties: { text: { type } } });
      context.post(`/${name}`, { schema: { response: { 200: { $ref: 'Note#' } } }, handler: ok });
    });
  }
  const { components } = await toOpenAPI(app);
  expect(Object.keys(components!.schemas!)).toEqual(['HttpError', 'Note', 'Note_2']);
});
