import { randomUUID } from 'node:crypto';
import { makeApp } from '../src/app.ts';
import { connect } from '../src/client.ts';
import { makePlatform } from './platform.ts';

/** Starts an application on a free port of Node, with all that it needs in memory. */
export async function start() {
  const app = makeApp(makePlatform());
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
