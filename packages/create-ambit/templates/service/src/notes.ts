import { randomUUID } from 'node:crypto';
import type { Row } from './database/database.ts';
import type { Guarded } from './guard.ts';

const id = { type: 'string', format: 'uuid' } as const;

/** The notes of the user who sends the request. Nobody sees the notes of others. */
export function notes(context: Guarded) {
  const { database, events, files } = context;

  return context
    .get('/', {
      schema: {
        tags: ['notes'],
        querystring: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
        response: { 200: { type: 'array', items: { $ref: 'Note#' } } },
      },
      handler: async ({ user, query }) => {
        const rows = await database.query(
          'select * from notes where user_id = $1 order by created_at desc limit $2',
          user.id,
          query.limit,
        );
        return rows.map(toNote);
      },
    })
    .post('/', {
      schema: {
        tags: ['notes'],
        body: {
          type: 'object',
          properties: { text: { type: 'string', minLength: 1, maxLength: 10_000 } },
          required: ['text'],
        },
        response: { 201: { $ref: 'Note#' } },
      },
      handler: async ({ user, body }, reply) => {
        const note = {
          id: randomUUID(),
          text: body.text,
          createdAt: new Date().toISOString(),
          attachment: null,
        };
        await database.query(
          'insert into notes (id, user_id, text, created_at) values ($1, $2, $3, $4)',
          note.id,
          user.id,
          note.text,
          note.createdAt,
        );
        await events.publish(user.id, note);
        return reply.code(201).send(note);
      },
    })
    .get('/events', {
      schema: {
        tags: ['notes'],
        summary: 'Sends an event for each new note, as long as the client stays',
        response: {
          200: {
            content: {
              'text/event-stream': { itemSchema: { event: { const: 'created' }, data: { $ref: 'Note#' } } },
            },
          },
        },
      },
      handler: async function* ({ user, signal }) {
        const created = await events.subscribe(user.id, signal);
        yield {}; // sends the head of the response before the first event
        for await (const note of created) yield { event: 'created', data: note };
      },
    })
    .get('/:id', {
      schema: {
        tags: ['notes'],
        params: { id },
        response: { 200: { $ref: 'Note#' }, 404: { $ref: 'Problem#' } },
      },
      handler: async ({ user, params }, reply) => {
        const [row] = await database.query(
          'select * from notes where id = $1 and user_id = $2',
          params.id,
          user.id,
        );
        if (row === undefined) return reply.code(404).send({ message: 'There is no such note' });
        return reply.send(toNote(row));
      },
    })
    .delete('/:id', {
      schema: {
        tags: ['notes'],
        params: { id },
        response: { 204: { type: 'null' }, 404: { $ref: 'Problem#' } },
      },
      handler: async ({ user, params }, reply) => {
        const deleted = await database.query(
          'delete from notes where id = $1 and user_id = $2 returning id',
          params.id,
          user.id,
        );
        if (deleted.length === 0) return reply.code(404).send({ message: 'There is no such note' });
        await files.remove(params.id);
        return reply.code(204).send();
      },
    });
}

function toNote(row: Row) {
  return {
    id: String(row.id),
    text: String(row.text),
    createdAt: String(row.created_at),
    attachment: row.attachment === null ? null : String(row.attachment),
  };
}
