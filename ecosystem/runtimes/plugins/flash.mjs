import { deepEqual } from 'node:assert/strict';
import flash from '@fastify/flash';
import { registerSession } from '../register-session.mjs';

export function setUp(app) {
  app.register(async (child) => {
    await registerSession(child);
    child.register(flash);
    child.get('/set', (request) => String(request.flash('note', 'saved')));
    child.get('/read', (_request, reply) => ({ note: reply.flash('note') }));
  });
}

export async function check(ask) {
  const cookie = (await ask('/set')).headers.getSetCookie()[0].split(';')[0];
  deepEqual(await (await ask('/read', { headers: { cookie } })).json(), { note: ['saved'] });
}
