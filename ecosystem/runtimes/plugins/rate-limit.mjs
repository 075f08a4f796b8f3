import { equal } from 'node:assert/strict';
import plugin from '@fastify/rate-limit';

export function setUp(app) {
  app.register(plugin, { max: 1, timeWindow: 60_000 });
  app.register(async (child) => {
    child.get('/', () => 'served');
  });
}

export async function check(ask) {
  const first = await ask('/');
  equal(first.status, 200);
  equal(first.headers.get('x-ratelimit-remaining'), '0');
  equal((await ask('/')).status, 429);
}
