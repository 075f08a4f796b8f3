import { equal } from 'node:assert/strict';
import cookie from '@fastify/cookie';
import plugin from '@fastify/csrf-protection';

export function setUp(app) {
  app.register(cookie);
  app.register(plugin);
  app.register(async (child) => {
    child.get('/', (_request, reply) => reply.generateCsrf());
    child.post('/', { onRequest: child.csrfProtection }, () => 'accepted');
  });
}

export async function check(ask) {
  equal((await ask('/', { method: 'POST' })).status, 403);
  const response = await ask('/');
  const cookieField = response.headers.getSetCookie()[0].split(';')[0];
  const headers = { cookie: cookieField, 'x-csrf-token': await response.text() };
  equal(await (await ask('/', { method: 'POST', headers })).text(), 'accepted');
}
