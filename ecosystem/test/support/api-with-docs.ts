/** An application whose documentation is read in a browser: a guarded branch, a body with rules, a schema that refers to itself. */
import { type DocsOptions, describeRoutes, openapi } from '@ambit/openapi';
import { ambit, type Context } from 'ambit';

export const token = 'let-me-in';

const Note = {
  $id: 'Note',
  type: 'object',
  required: ['title'],
  properties: {
    title: { type: 'string', maxLength: 12, examples: ['Milk'] },
    stars: { type: 'integer', nullable: true, description: 'how good it is' },
    replies: { type: 'array', items: { $ref: 'Note#' } },
  },
} as const;

export function makeApiWithDocs(docs: DocsOptions): Context {
  const app = ambit();
  app.register(openapi, {
    info: { title: 'Notes', version: '1.2.3', description: 'What is kept for **later**.' },
    docs,
  });
  app.addSchema(Note);
  app.get('/health', { schema: { summary: 'Is it up', tags: ['operations'] } }, () => 'yes');
  app.register(notes, { prefix: '/notes' });
  return app as unknown as Context;
}

async function notes(context: Context): Promise<void> {
  describeRoutes(context, {
    tags: [{ name: 'notes', description: 'Everything about notes' }],
    guards: { token: { type: 'http', scheme: 'bearer' } },
    responses: { 401: { description: 'No token' } },
  });
  context.addHook('onRequest', async (request, reply) => {
    if (request.headers.authorization !== `Bearer ${token}`)
      return reply.code(401).send({ message: 'who are you?' });
  });
  const response = { 200: { description: 'The note', $ref: 'Note#' } } as const;
  context.post(
    '/',
    { schema: { summary: 'Write a note', body: { $ref: 'Note#' }, response } },
    ({ body }) => body as never,
  );
  const querystring = { tag: { type: 'array', items: { type: 'string' } } } as const;
  context.get(
    '/:id',
    { schema: { summary: 'Read a note', querystring, response } },
    () => ({ title: 'Milk' }) as never,
  );
}
