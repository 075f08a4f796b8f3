import { describeRoutes } from '@ambit/openapi';
import type { Base } from './base.ts';
import type { Database } from './database/database.ts';
import { Unauthorized } from './problems.ts';
import { problem } from './schemas.ts';
import { hashToken } from './secrets.ts';

export interface User {
  id: string;
  name: string;
  /** The hash of the token of this request. */
  tokenHash: string;
}

/** A context behind the guard. In its routes, `request.user` is the user of the token, and never null. */
export type Guarded = ReturnType<typeof guard>;

/** Rejects requests without a valid token, for the routes of a context and of its children. */
export function guard(context: Base) {
  describeRoutes(context, {
    guards: { token: { type: 'http', scheme: 'bearer' } },
    responses: { 401: problem },
  });
  return context.decorateRequest<'user', User>('user').addHook('onRequest', async (request, reply) => {
    const user = await findUser(context.database, request.headers.authorization);
    if (user === undefined) {
      reply.header('www-authenticate', 'Bearer');
      throw new Unauthorized('This needs a token: POST /tokens creates one');
    }
    request.user = user;
  });
}

async function findUser(database: Database, authorization = ''): Promise<User | undefined> {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
  if (token === undefined) return undefined;
  const tokenHash = hashToken(token);
  const [row] = await database.query(
    `select users.id, users.name from tokens join users on users.id = tokens.user_id
     where tokens.hash = $1 and tokens.expires_at > $2`,
    tokenHash,
    new Date().toISOString(),
  );
  return row && { id: String(row.id), name: String(row.name), tokenHash };
}
