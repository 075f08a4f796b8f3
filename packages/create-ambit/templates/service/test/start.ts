import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeApp } from '../src/app.ts';
import { connect } from '../src/client.ts';
import { readConfig } from '../src/config.ts';

/** Starts an application on a free port, with a database in memory or that of `DATABASE_URL`. */
export async function start(env: NodeJS.ProcessEnv = {}) {
  const { DATABASE_URL } = process.env;
  const UPLOADS_FOLDER = await mkdtemp(join(tmpdir(), 'uploads-'));
  const config = readConfig({
    DATABASE_URL,
    DATABASE_FILE: ':memory:',
    UPLOADS_FOLDER,
    LOG_LEVEL: 'silent',
    ...env,
  });
  const app = makeApp(config);
  app.addHook('onClose', () => rm(UPLOADS_FOLDER, { recursive: true }));
  const origin = await app.listen({ port: 0 });
  return { app, origin };
}

/** Signs up a new user, and logs in. */
export async function signUp(origin: string) {
  const credentials = { name: `user-${randomUUID()}`, password: 'correct horse' };
  const user = await connect(origin).post('/users', { body: credentials });
  if (user.status !== 201) throw new Error(`signing up failed with ${user.status}`);
  const { token, api } = await logIn(origin, credentials);
  return { id: user.body.id, credentials, token, api };
}

export async function logIn(origin: string, credentials: { name: string; password: string }) {
  const reply = await connect(origin).post('/tokens', { body: credentials });
  if (reply.status !== 201) throw new Error(`logging in failed with ${reply.status}`);
  return { token: reply.body.token, api: connect(origin, reply.body.token) };
}
