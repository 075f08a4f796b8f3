// Routes for the notes of a user, and for shared notes.
import { KeyReused, NoSuchNote } from './problems.mjs';
import { requireUser } from './sessions.mjs';

const id = { type: 'string', pattern: '^[0-9]{1,18}$' };
const note = {
  $id: 'Note',
  type: 'object',
  properties: {
    id,
    owner: { type: 'string' },
    text: { type: 'string' },
    isShared: { type: 'boolean' },
    createdAt: { type: 'string', format: 'date-time' },
  },
  required: ['id', 'owner', 'text', 'isShared', 'createdAt'],
};
const newNote = {
  type: 'object',
  properties: {
    text: { type: 'string', minLength: 1, maxLength: 2_000 },
    isShared: { type: 'boolean', default: false },
  },
  required: ['text'],
  additionalProperties: false,
};
const page = {
  type: 'object',
  properties: {
    before: { ...id, description: 'The id of the last note of the page before' },
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
  },
};
const notes = { type: 'array', items: note };
const params = { type: 'object', properties: { id }, required: ['id'] };

const columns = 'id, owner, text, is_shared as "isShared", created_at as "createdAt"';

/** The routes for the notes of a user. They need a session. */
export async function ownNotes(context) {
  context.addHook('onRequest', requireUser);

  context.post(
    '/notes',
    {
      schema: {
        summary: 'Adds a note',
        description: 'A request that is sent again with the same key adds no second note.',
        headers: {
          type: 'object',
          properties: { 'idempotency-key': { type: 'string', minLength: 1, maxLength: 100 } },
          required: ['idempotency-key'],
        },
        body: newNote,
        response: { 201: note },
      },
    },
    async ({ body: { text, isShared }, headers, session }, reply) => {
      const key = headers['idempotency-key'];
      const added = await addOnce(context, { owner: session.user, key, text, isShared });
      return reply.code(201).send(added);
    },
  );

  context.get(
    '/notes',
    {
      schema: {
        summary: 'The notes of the user, the newest first',
        querystring: page,
        response: { 200: notes },
      },
    },
    ({ query: { before = null, limit }, session }) =>
      context.sql(
        `select ${columns} from notes where owner = $1 and ($2::bigint is null or id < $2) order by id desc limit $3`,
        session.user,
        before,
        limit,
      ),
  );

  context.get(
    '/notes/:id',
    { schema: { summary: 'One note', params, response: { 200: note } } },
    async ({ params: { id }, session }) => {
      const [found] = await context.sql(
        `select ${columns} from notes where id = $1 and (owner = $2 or is_shared)`,
        id,
        session.user,
      );
      if (found === undefined) throw new NoSuchNote(`There is no note ${id}.`);
      return found;
    },
  );

  context.delete(
    '/notes/:id',
    {
      schema: { summary: 'Removes a note', params, response: { 204: { type: 'null', description: 'Done' } } },
    },
    async ({ params: { id }, session }, reply) => {
      await context.sql('delete from notes where id = $1 and owner = $2', id, session.user);
      return reply.code(204).send();
    },
  );
}

/** Adds a note, unless its idempotency key has been used. One statement stores both the key and the note. */
async function addOnce(context, { owner, key, text, isShared }) {
  const [added] = await context.sql(
    `insert into notes (owner, idempotency_key, text, is_shared) values ($1, $2, $3, $4)
      on conflict (owner, idempotency_key) do nothing returning ${columns}`,
    owner,
    key,
    text,
    isShared,
  );
  if (added !== undefined) return added;
  const [existing] = await context.sql(
    `select ${columns} from notes where owner = $1 and idempotency_key = $2`,
    owner,
    key,
  );
  if (existing?.text === text && existing.isShared === isShared) return existing;
  throw new KeyReused('Use a new idempotency key for each note.');
}

/** The route for shared notes. It needs no session, so it works without Redis. */
export async function sharedNotes(context) {
  context.get(
    '/shared',
    {
      schema: { summary: 'What users share, the newest first', querystring: page, response: { 200: notes } },
    },
    ({ query: { before = null, limit } }) =>
      context.sql(
        `select ${columns} from notes where is_shared and ($1::bigint is null or id < $1) order by id desc limit $2`,
        before,
        limit,
      ),
  );
}
