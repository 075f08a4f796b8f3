import type { Guarded } from './guard.ts';
import { NotFound } from './problems.ts';
import { problem } from './schemas.ts';

const params = { id: { type: 'string', format: 'uuid' } } as const;

/** A file for each note. */
export function attachments(context: Guarded) {
  const { database, files } = context;

  return context
    .put('/:id/attachment', {
      bodyLimit: 10_500_000,
      // A large file on a slow connection takes longer than other requests.
      handlerTimeout: 120_000,
      multipart: { files: 1, fileSize: 10_000_000, ...files.upload },
      schema: {
        tags: ['attachments'],
        params,
        body: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                properties: { file: { type: 'string', format: 'binary' } },
                required: ['file'],
                additionalProperties: false,
              },
            },
          },
        },
        response: { 204: { type: 'null' }, 404: problem },
      },
      handler: async ({ user, params: { id }, body: { file } }, reply) => {
        const notes = await database.query(
          'select id from notes where id = $1 and user_id = $2',
          id,
          user.id,
        );
        if (notes.length === 0) throw new NotFound('There is no such note');
        await files.save(id, file);
        await database.query('update notes set attachment = $1 where id = $2', file.name, id);
        return reply.code(204).send();
      },
    })
    .get('/:id/attachment', {
      schema: {
        tags: ['attachments'],
        params,
        response: {
          200: { content: { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } } },
          404: problem,
        },
      },
      handler: async ({ user, params: { id } }, reply) => {
        const [row] = await database.query(
          'select attachment from notes where id = $1 and user_id = $2 and attachment is not null',
          id,
          user.id,
        );
        if (row === undefined) throw new NotFound('There is no such file');
        // The file may be anything: browsers must save it, and neither show it nor guess its type.
        const name = encodeName(String(row.attachment));
        reply.header('content-disposition', `attachment; filename*=UTF-8''${name}`);
        reply.header('x-content-type-options', 'nosniff');
        reply.type('application/octet-stream');
        return reply.send(await files.read(id));
      },
    });
}

/** The name in the form of RFC 8187, which allows fewer characters than a URL. */
function encodeName(name: string) {
  return encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16)}`,
  );
}
