import { deepEqual } from 'node:assert/strict';
import { registerSession } from '../register-session.mjs';

export function setUp(app) {
  app.register(async (child) => {
    await registerSession(child);
    child.get('/set', (request) => {
      request.session.name = 'ada';
      return 'set';
    });
    child.get('/read', (request) => ({ name: request.session.name }));
  });
}

export async function check(ask) {
  const field = (await ask('/set')).headers.getSetCookie()[0].split(';')[0];
  deepEqual(await (await ask('/read', { headers: { cookie: field } })).json(), { name: 'ada' });
}
