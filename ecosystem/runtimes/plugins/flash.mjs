import { deepEqual } from 'node:assert/strict';
import flash from '@fastify/flash';
import session from '@fastify/secure-session';

export function setUp(app) {
  app.register(session, { key: Buffer.alloc(32, 'k') });
  app.register(flash);
  app.get('/set', (request) => String(request.flash('note', 'saved')));
  app.get('/read', (_request, reply) => ({ note: reply.flash('note') }));
}

export async function check(ask) {
  const cookie = (await ask('/set')).headers.getSetCookie()[0].split(';')[0];
  deepEqual(await (await ask('/read', { headers: { cookie } })).json(), { note: ['saved'] });
}
