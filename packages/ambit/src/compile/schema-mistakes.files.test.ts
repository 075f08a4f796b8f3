/** A file in a schema where files are not possible fails the boot of `ambit`, and the error names its location. */
import { ambit, type Context } from 'ambit';
import { describe, expect, test } from 'vitest';
import { flavors } from '../../test/support/flavors.ts';

const file = { type: 'string', format: 'binary' };
const withFile = { type: 'object', properties: { avatar: file } };
const content = (type: string, schema: object) => ({ content: { [type]: { schema } } });

const misplaced: Record<string, [schema: object, part: string, schemaPath: string]> = {
  'a body of JSON': [{ body: withFile }, 'body', '#/properties/avatar'],
  'a body that is a file as a whole': [{ body: file }, 'body', '#'],
  'a body by type': [
    { body: content('application/json', withFile) },
    'body (application/json)',
    '#/properties/avatar',
  ],
  'a body of another JSON type': [
    { body: content('application/vnd.api+json', { type: 'array', items: file }) },
    'body (application/vnd.api+json)',
    '#/items',
  ],
  'an urlencoded form': [
    { body: content('application/x-www-form-urlencoded', withFile) },
    'body (application/x-www-form-urlencoded)',
    '#/properties/avatar',
  ],
  'an octet stream with properties': [
    { body: content('application/octet-stream', withFile) },
    'body (application/octet-stream)',
    '#/properties/avatar',
  ],
  'a shared schema': [{ body: { $ref: 'shared#' } }, 'body', 'shared#/properties/avatar'],
  'a branch': [{ body: { anyOf: [{ type: 'null' }, withFile] } }, 'body', '#/anyOf/1/properties/avatar'],
  'a query string': [{ querystring: { avatar: file } }, 'querystring', '#/properties/avatar'],
  parameters: [{ params: { id: file } }, 'params', '#/properties/id'],
  headers: [{ headers: { 'x-file': file } }, 'headers', '#/properties/x-file'],
  'a property of a reply': [{ response: { 200: withFile } }, 'response 200', '#/properties/avatar'],
  'a reply of JSON': [
    { response: { '2xx': content('application/json', file) } },
    'response 2xx (application/json)',
    '#',
  ],
  'a form as a whole': [{ body: content('multipart/form-data', file) }, 'body (multipart/form-data)', '#'],
  'an object in a form': [
    { body: content('multipart/form-data', { type: 'object', properties: { user: withFile } }) },
    'body (multipart/form-data)',
    '#/properties/user/properties/avatar',
  ],
  'a list of lists in a form': [
    {
      body: content('multipart/form-data', {
        type: 'object',
        properties: { a: { type: 'array', items: { type: 'array', items: file } } },
      }),
    },
    'body (multipart/form-data)',
    '#/properties/a/items/items',
  ],
};

const shared = { $id: 'shared', ...withFile };

function makeApp(make: typeof ambit, schema: object): Context {
  const app = make();
  app.addSchema(shared);
  app.post('/users/:id', { schema }, () => 'ok');
  return app;
}

describe('a file is refused at boot', () => {
  for (const [where, [schema, part, schemaPath]] of Object.entries(misplaced)) {
    test(`in ${where}`, async () => {
      await expect(makeApp(ambit, schema).ready()).rejects.toMatchObject({
        code: 'AMBIT_ERR_FILE_MISPLACED',
        message: `the schema of ${part} has a file (format 'binary') at ${schemaPath}, where there can be none`,
        where: { route: 'POST /users/:id', part, schemaPath },
      });
    });
  }
});

describe('a file is allowed', () => {
  const allowed: Record<string, object> = {
    'as a field of a form': { body: content('multipart/form-data', withFile) },
    'as an item of a field of a form': {
      body: content('multipart/form-data', {
        type: 'object',
        properties: { a: { type: 'array', items: file } },
      }),
    },
    'as a field of a form, by reference': { body: content('multipart/form-data', { $ref: 'shared#' }) },
    'as any other field of a form': {
      body: content('multipart/form-data', { type: 'object', additionalProperties: file }),
    },
    'as a body of bytes': { body: content('application/octet-stream', file) },
    'as a reply of bytes': { response: { 200: content('image/png', file) } },
    'as a reply': { response: { 200: file } },
    'as a value of an enum': { body: { enum: [file] } },
  };
  for (const [how, schema] of Object.entries(allowed)) {
    test(how, async () => {
      await makeApp(ambit, schema).ready();
    });
  }

  test.each(flavors)('%s: anywhere, under a validator of the application', async (_flavor, make) => {
    const app = make();
    app.setValidatorCompiler(() => () => true);
    app.post('/', { schema: { body: withFile } }, () => 'ok');
    await app.ready();
  });

  test('anywhere in a form that a parser of the application reads', async () => {
    const app = ambit();
    app.addContentTypeParser('multipart/form-data', { parseAs: 'string' }, async () => ({
      user: { avatar: 'text' },
    }));
    const schema = misplaced['an object in a form']![0];
    app.post('/', { schema }, ({ body }) => body);
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const reply = await app.inject({ method: 'POST', url: '/', headers, payload: 'x' });
    expect(reply.json()).toEqual({ user: { avatar: 'text' } });
  });

  for (const [where, [schema]] of Object.entries(misplaced)) {
    test(`on the facade, in ${where}: it is a string there, as in Fastify`, async () => {
      await makeApp(flavors[1]![1] as typeof ambit, schema).ready();
    });
  }
});
