import { equal } from 'node:assert/strict';
import plugin from '@fastify/bearer-auth';

export function setUp(app) {
  app.register(plugin, { keys: new Set(['a-key-of-the-test']) });
  app.register(async (child) => {
    child.get('/', () => 'let in');
  });
}

export async function check(ask) {
  equal((await ask('/')).status, 401);
  const headers = { authorization: 'Bearer a-key-of-the-test' };
  equal(await (await ask('/', { headers })).text(), 'let in');
}
