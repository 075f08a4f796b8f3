import { randomUUID } from 'node:crypto';
import type { Base } from './base.ts';
import type { Guarded } from './guard.ts';
import { NameTaken, Unauthorized } from './problems.ts';
import { problem } from './schemas.ts';
import { hashPassword, hashToken, isOutdated, makeToken, verifyPassword } from './secrets.ts';

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

const tokenReply = {
  type: 'object',
  properties: { token: { type: 'string' } },
  required: ['token'],
} as const;

/** Signing up and logging in. */
export function users(context: Base) {
  const { database } = context;

  return context
    .post('/users', {
      config,
      schema: { tags: ['users'], body: credentials, response: { 201: { $ref: 'User#' }, 409: problem } },
      handler: async ({ body: { name, password } }, reply) => {
        const id = randomUUID();
        const created = await database.query(
          `insert into users (id, name, password_hash) values ($1, $2, $3)
           on conflict (name) do nothing returning id`,
          id,
          name,
          await hashPassword(password),
        );
        if (created.length === 0) throw new NameTaken(`Somebody else is called ${name}`);
        return reply.code(201).send({ id, name });
      },
    })
    .post('/tokens', {
      config,
      schema: { tags: ['users'], body: credentials, response: { 201: tokenReply, 401: problem } },
      handler: async ({ body: { name, password } }, reply) => {
        const [user] = await database.query('select id, password_hash from users where name = $1', name);
        const hash = user && String(user.password_hash);
        const isRight = await verifyPassword(password, hash);
        if (!user || !hash || !isRight) throw new Unauthorized('The name or the password is wrong');
        const userId = String(user.id);
        if (isOutdated(hash)) {
          const newHash = await hashPassword(password);
          await database.query('update users set password_hash = $1 where id = $2', newHash, userId);
        }

        const now = Date.now();
        // Here and not by a timer: as many tokens are deleted as are created, and no process has to be the one that does it.
        await database.query('delete from tokens where expires_at <= $1', new Date(now).toISOString());
        const token = makeToken();
        await database.query(
          'insert into tokens (hash, user_id, expires_at) values ($1, $2, $3)',
          hashToken(token),
          userId,
          new Date(now + tokenLifetimeMs).toISOString(),
        );
        return reply.code(201).send({ token });
      },
    });
}

/** Logging out. */
export function session(context: Guarded) {
  return context.delete('/tokens/current', {
    schema: { tags: ['users'], response: { 204: { type: 'null' } } },
    handler: async ({ user }, reply) => {
      await context.database.query('delete from tokens where hash = $1', user.tokenHash);
      return reply.code(204).send();
    },
  });
}
