import { randomUUID } from 'node:crypto';
import { decodeCursor, encodeCursor, type Position } from './cursor.ts';
import type { Database, Row } from './database/database.ts';
import type { Guarded } from './guard.ts';
import { NotFound } from './problems.ts';
import { problem } from './schemas.ts';

const id = { type: 'string', format: 'uuid' } as const;
const cursor = { type: 'string', maxLength: 200 } as const;

/** Then a stream of events ends, and the client connects again, so that nobody reads for long after logging out. */
const streamMs = 15 * 60 * 1000;

/**
 * How long writing a note takes at most. The last event that a client got may be of a newer note than one which was still being
 * written. So when the client connects again, it gets the notes of this time before, too: some of them twice, but it loses none.
 */
const longestWriteMs = 10_000;

const body = {
  type: 'object',
  properties: { text: { type: 'string', minLength: 1, maxLength: 10_000 } },
  required: ['text'],
} as const;

/** The notes of the user who sends the request. Nobody sees the notes of others. */
export function notes(context: Guarded) {
  const { database, events, files } = context;

  return context
    .get('/', {
      schema: {
        tags: ['notes'],
        summary: 'Lists notes, the newest first. `next` is the cursor of the next page, or null',
        querystring: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 }, cursor },
        response: {
          200: {
            type: 'object',
            properties: {
              notes: { type: 'array', items: { $ref: 'Note#' } },
              next: { type: ['string', 'null'] },
            },
            required: ['notes', 'next'],
          },
          400: problem,
        },
      },
      handler: async ({ user, query: { limit, cursor } }) => {
        const before = cursor === undefined ? { createdAt: '9999', id: '' } : decodeCursor(cursor);
        // One more than the page, to know whether there is a next one.
        const rows = await database.query(
          `select * from notes where user_id = $1 and (created_at, id) < ($2, $3)
           order by created_at desc, id desc limit $4`,
          user.id,
          before.createdAt,
          before.id,
          limit + 1,
        );
        const page = rows.slice(0, limit).map(toNote);
        const last = page.at(-1);
        return { notes: page, next: last && rows.length > limit ? encodeCursor(last) : null };
      },
    })
    .post('/', {
      schema: { tags: ['notes'], body, response: { 201: { $ref: 'Note#' } } },
      handler: async ({ user, body: { text } }, reply) => {
        const note = { id: randomUUID(), text, createdAt: new Date().toISOString(), attachment: null };
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
      handlerTimeout: streamMs + 10_000,
      schema: {
        tags: ['notes'],
        summary: 'Sends an event for each new note. A client that connects again gets those it has missed',
        headers: { 'last-event-id': cursor },
        response: {
          200: {
            content: {
              'text/event-stream': {
                itemSchema: { id: { type: 'string' }, event: { const: 'created' }, data: { $ref: 'Note#' } },
              },
            },
          },
          400: problem,
        },
      },
      handler: async function* ({ user, headers, signal }) {
        const now = new Date().toISOString();
        const last = headers['last-event-id'];
        const since = last === undefined ? now : addMs(decodeCursor(last).createdAt, -longestWriteMs);
        const end = AbortSignal.any([signal, AbortSignal.timeout(streamMs)]);
        const created = await events.subscribe(user.id, end);
        // Sends the head of the response, and an id for a client that loses the connection before the first note.
        yield { id: last ?? encodeCursor({ createdAt: now, id: randomUUID() }) };
        // A note that was written after the subscription may be in both.
        const sent = new Set<string>();
        for await (const note of readSince(database, user.id, since)) {
          sent.add(note.id);
          yield { id: encodeCursor(note), event: 'created', data: note };
        }
        for await (const note of created) {
          if (!sent.has(note.id)) yield { id: encodeCursor(note), event: 'created', data: note };
        }
      },
    })
    .get('/:id', {
      schema: { tags: ['notes'], params: { id }, response: { 200: { $ref: 'Note#' }, 404: problem } },
      handler: async ({ user, params }) => {
        const [row] = await database.query(
          'select * from notes where id = $1 and user_id = $2',
          params.id,
          user.id,
        );
        if (row === undefined) throw new NotFound('There is no such note');
        return toNote(row);
      },
    })
    .patch('/:id', {
      schema: { tags: ['notes'], params: { id }, body, response: { 200: { $ref: 'Note#' }, 404: problem } },
      handler: async ({ user, params, body: { text } }) => {
        const [row] = await database.query(
          'update notes set text = $1 where id = $2 and user_id = $3 returning *',
          text,
          params.id,
          user.id,
        );
        if (row === undefined) throw new NotFound('There is no such note');
        return toNote(row);
      },
    })
    .delete('/:id', {
      schema: { tags: ['notes'], params: { id }, response: { 204: { type: 'null' }, 404: problem } },
      handler: async ({ user, params }, reply) => {
        const deleted = await database.query(
          'delete from notes where id = $1 and user_id = $2 returning id',
          params.id,
          user.id,
        );
        if (deleted.length === 0) throw new NotFound('There is no such note');
        await files.remove(params.id);
        return reply.code(204).send();
      },
    });
}

/** The notes from a time on, the oldest first. */
async function* readSince(database: Database, userId: string, createdAt: string) {
  let last: Position = { createdAt, id: '' };
  let isFull = true;
  while (isFull) {
    const rows = await database.query(
      `select * from notes where user_id = $1 and (created_at, id) > ($2, $3)
       order by created_at, id limit 100`,
      userId,
      last.createdAt,
      last.id,
    );
    const notes = rows.map(toNote);
    yield* notes;
    last = notes.at(-1) ?? last;
    isFull = notes.length === 100;
  }
}

function addMs(time: string, ms: number) {
  return new Date(Date.parse(time) + ms).toISOString();
}

function toNote(row: Row) {
  return {
    id: String(row.id),
    text: String(row.text),
    createdAt: String(row.created_at),
    attachment: row.attachment === null ? null : String(row.attachment),
  };
}
