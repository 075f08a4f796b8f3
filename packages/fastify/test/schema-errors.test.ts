// What boot says of a schema that does not compile: which part, where in it, and what was probably meant.
import { ambit, type RouteSchema } from 'ambit';
import { describe, expect, test } from 'vitest';
import { fastify } from '../src/index.ts';
import { flavors } from './support/flavors.ts';

const text = { type: 'string' };
const within = (schema: object) => ({ type: 'object', properties: { name: schema } });

const failures: [what: string, schema: RouteSchema, said: string, where: object][] = [
  [
    'an unknown keyword',
    { body: within({ ...text, minLenght: 1 }) },
    `strict mode: unknown keyword: "minLenght" (in body, at #/properties/name; did you mean 'minLength'?)`,
    { part: 'body', schemaPath: '#/properties/name' },
  ],
  [
    'an unknown keyword at the top',
    { querystring: { ...within(text), requird: ['name'] } },
    `strict mode: unknown keyword: "requird" (in querystring, at #; did you mean 'required'?)`,
    { part: 'querystring', schemaPath: '#' },
  ],
  [
    'an unknown keyword that is near to none',
    { headers: within({ ...text, weight: 1 }) },
    'strict mode: unknown keyword: "weight" (in headers, at #/properties/name)',
    { part: 'headers', schemaPath: '#/properties/name' },
  ],
  [
    'a keyword in a short form',
    { query: { page: text, type: text } },
    'in querystring',
    { part: 'querystring' },
  ],
  [
    'a reference to nothing',
    { body: { content: { 'application/json': { schema: within({ $ref: 'ntoe#' }) } } } },
    "can't resolve reference ntoe# from id # (in body (application/json), at #/properties/name; did you mean 'note'? The shared schemas visible here are 'tag', 'note')",
    { part: 'body (application/json)', schemaPath: '#/properties/name' },
  ],
  [
    'a reference of a response to nothing',
    { response: { '2xx': within({ $ref: 'user#' }) } },
    `Cannot find reference "user#" (in the schema, at /properties/name/$ref) (in response 2xx, at #/properties/name/$ref; the shared schemas visible here are 'tag', 'note')`,
    { part: 'response 2xx', schemaPath: '#/properties/name/$ref' },
  ],
  [
    'a reference to no definition of a shared schema',
    { body: within({ $ref: 'tag#/definitions/none' }) },
    "the shared schemas visible here are 'tag', 'note')",
    { part: 'body', schemaPath: '#/properties/name' },
  ],
  [
    'an unknown type',
    { body: within({ type: 'strnig' }) },
    "(in body, at #/properties/name/type; did you mean 'string'?)",
    { part: 'body', schemaPath: '#/properties/name/type' },
  ],
  [
    'an unknown format',
    { body: within({ ...text, format: 'emial' }) },
    "(in body, at #/properties/name; did you mean 'email'?)",
    { part: 'body', schemaPath: '#/properties/name' },
  ],
  [
    'a response by media type that does not compile',
    { response: { 200: { content: { 'text/csv': { schema: { type: 'strnig' } } } } } },
    '(in response 200 (text/csv)',
    { part: 'response 200 (text/csv)' },
  ],
];

function declare(make: typeof ambit, schema: RouteSchema) {
  const app = make({ ajv: { customOptions: { logger: false, strictSchema: true } } });
  app.addSchema({ $id: 'tag', type: 'string' });
  app.register(async (context) => {
    context.addSchema({ $id: 'note', type: 'object', properties: { title: { ...text, maxlenth: 3 } } });
    context.post('/notes', { schema }, () => ({}) as never);
  });
  return app;
}

describe.each(flavors)('%s', (_flavor, make) => {
  for (const [what, schema, , where] of failures) {
    test(`${what} is placed: the part of the route, and where in its schema`, async () => {
      await expect(declare(make, schema).ready()).rejects.toMatchObject({
        where: { route: 'POST /notes', file: expect.stringContaining('schema-errors.test.ts'), ...where },
      });
    });
  }

  test('the hint has the name that was probably meant', async () => {
    await expect(declare(make, failures[0]![1]).ready()).rejects.toMatchObject({
      hint: "did you mean 'minLength'?",
    });
  });
});

for (const [what, schema, said] of failures) {
  test(`${what}: on ambit, the message contains all details`, async () => {
    await expect(declare(ambit, schema).ready()).rejects.toThrow(said);
  });
}

test('on the facade the message is that of Fastify', async () => {
  const facade = fastify as unknown as typeof ambit;
  await expect(declare(facade, failures[0]![1]).ready()).rejects.toMatchObject({
    name: 'FastifyError',
    message:
      'Failed building the validation schema for POST: /notes, due to error strict mode: unknown keyword: "minLenght"',
  });
});

test('a reference says so where no shared schema is visible', async () => {
  const app = ambit({ ajv: { customOptions: { logger: false } } });
  app.post('/', { schema: { body: { $ref: 'note#' } } }, () => 'ok');
  await expect(app.ready()).rejects.toThrow('no shared schema is visible here');
});
