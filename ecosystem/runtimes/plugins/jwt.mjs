import { equal } from 'node:assert/strict';
import plugin from '@fastify/jwt';

export function setUp(app) {
  app.register(plugin, { secret: 'a secret of at least thirty-two characters' });
  app.get('/sign', () => app.jwt.sign({ name: 'ada' }));
  app.get('/read', async (request) => (await request.jwtVerify()).name);
}

export async function check(ask) {
  equal((await ask('/read')).status, 401);
  const token = await (await ask('/sign')).text();
  equal(await (await ask('/read', { headers: { authorization: `Bearer ${token}` } })).text(), 'ada');
}
