// The application that each runtime serves: notes in a database. It does not depend on the runtime or the database.
import { openapi } from '@ambit/openapi';
import { ambit } from 'ambit';

const pageSize = 100;

const note = {
  $id: 'Note',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    text: { type: 'string' },
    createdAt: { type: 'string', format: 'date-time' },
  },
  required: ['id', 'text', 'createdAt'],
};

const problem = { $id: 'Problem', type: 'object', properties: { message: { type: 'string' } } };

/**
 * @param {object} [options] Options of `ambit`, and:
 * @param {(sql: string, ...values: unknown[]) => Promise<object[]>} [options.query] Runs an SQL statement with `?` as
 *   placeholders for the values. The build does not need it, because it only reads the schemas.
 */
export default function makeApp({ query, ...options } = {}) {
  const app = ambit(options);
  app.register(openapi, { info: { title: 'Notes', version: '1.0.0' } });
  app.addSchema(note);
  app.addSchema(problem);
  app.register(notes, { prefix: '/notes', query });
  return app;
}

async function notes(context, { query }) {
  context.post(
    '/',
    {
      schema: {
        summary: 'Writes a note',
        body: {
          type: 'object',
          properties: { text: { type: 'string', minLength: 1, maxLength: 1000 } },
          required: ['text'],
          additionalProperties: false,
        },
        response: { 201: { $ref: 'Note#' } },
      },
    },
    async ({ body: { text } }, reply) => {
      const insert = 'insert into notes (text, created_at) values (?, ?) returning *';
      const [row] = await query(insert, text, new Date().toISOString());
      return reply.code(201).send(noteOf(row));
    },
  );

  context.get(
    '/:id',
    {
      schema: {
        summary: 'One note',
        params: { id: { type: 'integer', minimum: 1 } },
        response: { 200: { $ref: 'Note#' }, 404: { $ref: 'Problem#' } },
      },
    },
    async ({ params: { id } }, reply) => {
      const [row] = await query('select * from notes where id = ?', id);
      if (row === undefined) return reply.code(404).send({ message: `There is no note ${id}` });
      return reply.send(noteOf(row));
    },
  );

  context.get(
    '/export',
    {
      schema: {
        summary: 'All notes, one in a line',
        response: { 200: { content: { 'application/x-ndjson': { itemSchema: { $ref: 'Note#' } } } } },
      },
    },
    // Reads the next page only when the client has received the previous one, so that the export needs little memory.
    async function* () {
      let last = 0;
      for (;;) {
        const rows = await query('select * from notes where id > ? order by id limit ?', last, pageSize);
        for (const row of rows) yield noteOf(row);
        if (rows.length < pageSize) return;
        last = rows.at(-1).id;
      }
    },
  );
}

function noteOf({ id, text, created_at: createdAt }) {
  return { id, text, createdAt };
}
