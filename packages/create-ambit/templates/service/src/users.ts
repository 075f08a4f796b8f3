import { randomUUID } from 'node:crypto';
import type { Base } from './base.ts';
import { hashPassword, hashToken, makeToken, verifyPassword } from './secrets.ts';

const tokenLifetimeMs = 30 * 24 * 60 * 60 * 1000;

/** Each address may send only ten of these requests a minute, so that guessing passwords is slow. */
const config = { rateLimit: { max: 10, timeWindow: '1 minute' } };

const credentials = {
  type: 'object',
  properties: {
    name: { type: 'string', pattern: '^[a-z0-9-]+$', minLength: 2, maxLength: 50 },
    password: { type: 'string', minLength: 10, maxLength: 200 },
  },
  required: ['name', 'password'],
} as const;

/** Signing up and logging in. */
export function users(context: Base) {
  const { database } = context;

  return context
    .post('/users', {
      config,
      schema: {
        tags: ['users'],
        body: credentials,
        response: { 201: { $ref: 'User#' }, 409: { $ref: 'Problem#' } },
      },
      handler: async ({ body: { name, password } }, reply) => {
        const id = randomUUID();
        const created = await database.query(
          `insert into users (id, name, password_hash) values ($1, $2, $3)
           on conflict (name) do nothing returning id`,
          id,
          name,
          await hashPassword(password),
        );
        if (created.length === 0) return reply.code(409).send({ message: `The name ${name} is taken` });
        return reply.code(201).send({ id, name });
      },
    })
    .post('/tokens', {
      config,
      schema: {
        tags: ['users'],
        body: credentials,
        response: { 201: { token: { type: 'string' } }, 401: { $ref: 'Problem#' } },
      },
      handler: async ({ body: { name, password } }, reply) => {
        const [user] = await database.query('select id, password_hash from users where name = $1', name);
        const isRight = await verifyPassword(password, user && String(user.password_hash));
        if (!user || !isRight) return reply.code(401).send({ message: 'The name or the password is wrong' });
        const token = makeToken();
        await database.query(
          'insert into tokens (hash, user_id, expires_at) values ($1, $2, $3)',
          hashToken(token),
          String(user.id),
          new Date(Date.now() + tokenLifetimeMs).toISOString(),
        );
        return reply.code(201).send({ token });
      },
    });
}
