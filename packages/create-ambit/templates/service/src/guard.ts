import { describeRoutes } from '@ambit/openapi';
import type { Base } from './base.ts';
import type { Database } from './database/database.ts';
import { hashToken } from './secrets.ts';

export interface User {
  id: string;
  name: string;
}

/** A context behind the guard. In its routes, `request.user` is the user of the token, and never null. */
export type Guarded = ReturnType<typeof guard>;

/** Rejects requests without a valid token, for the routes of a context and of its children. */
export function guard(context: Base) {
  describeRoutes(context, {
    guards: { token: { type: 'http', scheme: 'bearer' } },
    responses: { 401: { $ref: 'Problem#' } },
  });
  return context.decorateRequest<'user', User>('user').addHook('onRequest', async (request, reply) => {
    const user = await findUser(context.database, request.headers.authorization);
    if (user === undefined) {
      reply.header('www-authenticate', 'Bearer');
      return reply.code(401).send({ message: 'This needs a token: POST /tokens creates one' });
    }
    request.user = user;
  });
}

async function findUser(database: Database, authorization = ''): Promise<User | undefined> {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (token === undefined) return undefined;
  const [row] = await database.query(
    `select users.id, users.name from tokens join users on users.id = tokens.user_id
     where tokens.hash = $1 and tokens.expires_at > $2`,
    hashToken(token),
    new Date().toISOString(),
  );
  return row && { id: String(row.id), name: String(row.name) };
}
