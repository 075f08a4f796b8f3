/** Applications that documents are made of: notes, trees, alternatives, files, streams, and very many routes. */
import { describeRoutes } from '@ambit/openapi';
import { ambit, type Context } from 'ambit';

const ok = (): never => undefined as never;

/** Shared schemas, parameters of all places, and a guard. */
export function notes(): Context {
  const app = ambit();
  app.addSchema({
    $id: 'Note',
    type: 'object',
    required: ['id', 'title'],
    properties: {
      id: { type: 'integer' },
      title: { type: 'string' },
      text: { type: 'string', nullable: true },
    },
  });
  app.register(
    async (context) => {
      describeRoutes(context, {
        tags: [{ name: 'notes', description: 'Everything about notes' }],
        guards: { token: { type: 'http', scheme: 'bearer' } },
        responses: { 401: { description: 'No token' } },
      });
      const querystring = {
        tags: { type: 'array', items: { type: 'string' } },
        page: { type: 'integer', default: 1 },
      };
      context.get(
        '/',
        { schema: { querystring, response: { 200: { type: 'array', items: { $ref: 'Note#' } } } } },
        ok,
      );
      context.post('/', { schema: { body: { $ref: 'Note#' }, response: { 201: { $ref: 'Note#' } } } }, ok);
      const headers = { 'If-Match': { type: 'string' }, Authorization: { type: 'string' } };
      context.put(
        '/:id',
        { schema: { params: { id: { type: 'integer' } }, headers, body: { $ref: 'Note#' } } },
        ok,
      );
      context.delete('/:noteId', { schema: { response: { 204: { type: 'null' } } } }, ok);
    },
    { prefix: '/notes' },
  );
  app.get('/health', ok);
  return app;
}

/** Schemas that refer to themselves and to one another, with and without names. */
export function recursion(): Context {
  const app = ambit();
  app.addSchema({
    $id: 'https://example.com/person.json',
    type: 'object',
    properties: { home: { $ref: 'place.json' }, friends: { type: 'array', items: { $ref: '#' } } },
  });
  app.addSchema({
    $id: 'https://example.com/place.json',
    title: 'A place',
    type: 'object',
    properties: { people: { type: 'array', items: { $ref: 'person.json#' } } },
  });
  app.get('/people', { schema: { response: { 200: { $ref: 'https://example.com/person.json' } } } }, ok);
  const tree = { type: 'object', properties: { children: { type: 'array', items: { $ref: '#' } } } };
  app.get('/tree', { schema: { response: { 200: tree } } }, ok);
  const list = {
    type: 'object',
    properties: { head: { $ref: '#/definitions/link' } },
    definitions: {
      link: {
        type: 'object',
        properties: { next: { $ref: '#/definitions/link' }, value: { $ref: '#value' } },
      },
      value: { $id: '#value', type: 'string' },
    },
  };
  app.post('/list', { schema: { body: list, response: { '2xx': list } } }, ok);
  return app;
}

/** oneOf with a discriminator, anyOf, null, constants. */
export function unions(): Context {
  const app = ambit({ ajv: { customOptions: { discriminator: true } } });
  const pet = ($id: string, kind: string, more: object) =>
    app.addSchema({
      $id,
      type: 'object',
      required: ['kind'],
      properties: { kind: { type: 'string', const: kind }, ...more },
    });
  pet('Cat', 'cat', { lives: { type: 'integer', minimum: 0, exclusiveMaximum: 10 } });
  pet('Dog', 'dog', { barks: { type: ['boolean', 'null'] } });
  app.addSchema({
    $id: 'Pet',
    type: 'object',
    required: ['kind'],
    discriminator: { propertyName: 'kind' },
    oneOf: [{ $ref: 'Cat#' }, { $ref: 'Dog#' }],
  });
  app.post(
    '/pets',
    {
      schema: {
        body: { $ref: 'Pet#' },
        response: { 200: { anyOf: [{ $ref: 'Cat#' }, { $ref: 'Dog#' }, { type: 'null' }] } },
      },
    },
    ok,
  );
  const either = { oneOf: [{ type: 'string', format: 'uuid' }, { type: 'integer' }] };
  app.get(
    '/pets/:id',
    {
      schema: {
        params: { type: 'object', properties: { id: either } },
        response: { 200: { $ref: 'Pet#' }, '4xx': { type: ['string', 'object', 'null'] } },
      },
    },
    ok,
  );
  return app;
}

/** Files up and down, by media type. */
export function files(): Context {
  const app = ambit();
  const binary = { type: 'string', format: 'binary' };
  const upload = {
    content: {
      'multipart/form-data': {
        schema: { type: 'object', properties: { file: binary, name: { type: 'string' } } },
        encoding: { file: { contentType: 'image/png' } },
      },
      'application/octet-stream': { schema: binary },
    },
  };
  app.post(
    '/files',
    {
      schema: {
        body: upload,
        response: {
          201: {
            description: 'Where it is',
            headers: { location: { type: 'string', format: 'uri', description: 'The URL' } },
            type: 'null',
          },
        },
      },
    },
    ok,
  );
  app.get(
    '/files/*',
    {
      schema: {
        response: {
          200: {
            description: 'The file',
            content: { '*/*': { schema: binary }, 'image/png': { schema: binary } },
          },
          304: { type: 'null' },
        },
      },
    },
    ok,
  );
  return app;
}

/** Streams of events and of lines. */
export function streams(): Context {
  const app = ambit();
  app.addSchema({
    $id: 'Event',
    type: 'object',
    required: ['data'],
    properties: { data: { type: 'string' }, id: { type: 'string' } },
  });
  const events = {
    description: 'What happens',
    content: { 'text/event-stream': { schema: { type: 'string' }, itemSchema: { $ref: 'Event#' } } },
  };
  app.get('/events', { schema: { response: { 200: events } } }, ok);
  app.get(
    '/lines',
    {
      schema: {
        response: {
          200: {
            description: 'Lines',
            content: {
              'application/x-ndjson': {
                schema: {},
                itemSchema: {
                  type: 'array',
                  items: [{ type: 'integer' }, { type: 'string' }],
                  additionalItems: false,
                  minItems: 2,
                },
              },
            },
          },
        },
      },
    },
    ok,
  );
  app.query('/search', { schema: { body: { words: { type: 'string' } } } }, ok);
  return app;
}

/** 300 routes in 30 contexts, each with a schema of the same name. */
export function manyRoutes(): Context {
  const app = ambit();
  for (let i = 0; i < 30; i++) {
    app.register(
      async (context) => {
        context.addSchema({
          $id: 'Item',
          type: 'object',
          properties: { id: { type: 'integer' }, [`field${i % 3}`]: { type: 'string' } },
        });
        for (let j = 0; j < 10; j++) {
          const schema = {
            params: { id: { type: 'integer' } },
            querystring: { q: { type: 'string' } },
            body: { $ref: 'Item#' },
            response: { 200: { $ref: 'Item#' } },
          };
          context.post(`/part${j}/:id`, { schema }, ok);
        }
      },
      { prefix: `/section${i}` },
    );
  }
  return app;
}
