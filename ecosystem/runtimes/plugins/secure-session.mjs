import { deepEqual } from 'node:assert/strict';
import plugin from '@fastify/secure-session';

export function setUp(app) {
  app.register(plugin, { key: Buffer.alloc(32, 'k') });
  app.get('/set', (request) => {
    request.session.set('name', 'ada');
    return 'set';
  });
  app.get('/read', (request) => ({ name: request.session.get('name') }));
}

export async function check(ask) {
  const cookie = (await ask('/set')).headers.getSetCookie()[0].split(';')[0];
  deepEqual(await (await ask('/read', { headers: { cookie } })).json(), { name: 'ada' });
}
