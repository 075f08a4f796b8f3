import { deepEqual } from 'node:assert/strict';
import cookie from '@fastify/cookie';
import plugin from '@fastify/session';

export function setUp(app) {
  app.register(cookie);
  app.register(plugin, { secret: 'a secret of at least thirty-two characters', cookie: { secure: false } });
  app.get('/set', (request) => {
    request.session.name = 'ada';
    return 'set';
  });
  app.get('/read', (request) => ({ name: request.session.name }));
}

export async function check(ask) {
  const field = (await ask('/set')).headers.getSetCookie()[0].split(';')[0];
  deepEqual(await (await ask('/read', { headers: { cookie: field } })).json(), { name: 'ada' });
}
