import { equal, match } from 'node:assert/strict';
import plugin from '@fastify/etag';

export function setUp(app) {
  app.register(plugin);
  app.get('/', () => 'a note');
}

export async function check(ask) {
  const etag = (await ask('/')).headers.get('etag');
  match(etag, /^"\S+"$/);
  equal((await ask('/', { headers: { 'if-none-match': etag } })).status, 304);
}
