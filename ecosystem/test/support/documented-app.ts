/** An application with `@fastify/swagger` and its page in one context, and routes that they must not show outside it. */
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import type { Flavor } from './flavors.ts';

const Note = {
  $id: 'Note',
  type: 'object',
  required: ['id', 'title'],
  properties: {
    id: { type: 'integer', description: 'given by the server' },
    title: { type: 'string', maxLength: 80 },
  },
};

const draft = { type: 'object', required: ['title'], properties: { title: { type: 'string' } } };
const noteId = { type: 'object', properties: { id: { type: 'integer', description: 'which note' } } };

export function makeDocumentedApp(create: Flavor['create']): FastifyInstance {
  const app = create();
  app.register(async (context) => {
    await context.register(swagger, {
      openapi: {
        openapi: '3.0.3',
        info: { title: 'Notes', description: 'What is kept for later', version: '1.2.3' },
        tags: [{ name: 'notes', description: 'Everything about notes' }],
        components: { securitySchemes: { apiKey: { type: 'apiKey', name: 'x-key', in: 'header' } } },
      },
      refResolver: { buildLocalReference: (json, _base, _fragment, i) => `${json.$id ?? `schema-${i}`}` },
    });
    await context.register(swaggerUi, { routePrefix: '/documentation', staticCSP: true });
    context.addSchema(Note);
    context.register(noteRoutes, { prefix: '/notes' });
  });
  app.get('/outside', { schema: { summary: 'Not to be shown' } }, () => ({
    swagger: typeof app.swagger,
    schemas: Object.keys(app.getSchemas()),
  }));
  return app;
}

async function noteRoutes(context: FastifyInstance): Promise<void> {
  const answers = { 200: { description: 'The note', $ref: 'Note#' } };
  context.get(
    '/:id',
    { schema: { tags: ['notes'], summary: 'Read a note', params: noteId, response: answers } },
    (request) => ({ ...(request.params as { id: number }), title: 'by id', secret: 'dropped' }),
  );
  context.post(
    '/',
    {
      schema: {
        tags: ['notes'],
        summary: 'Write a note',
        security: [{ apiKey: [] }],
        body: draft,
        querystring: { type: 'object', properties: { dry: { type: 'boolean' } } },
        response: { 201: { description: 'Written', $ref: 'Note#' } },
      },
    },
    (request, reply) => {
      reply.code(201);
      return { id: 1, ...(request.body as object) };
    },
  );
  context.delete('/:id', { schema: { tags: ['notes'], summary: 'Forget a note', params: noteId } }, () => '');
  context.get('/hidden', { schema: { hide: true } }, () => 'hidden');
}
