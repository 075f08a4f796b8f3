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
  await connect(origin).post('/users', { body: credentials });
  const reply = await connect(origin).post('/tokens', { body: credentials });
  if (reply.status !== 201) throw new Error(`logging in failed with ${reply.status}`);
  return { credentials, api: connect(origin, reply.body.token), token: reply.body.token };
}
