import { deepEqual, equal } from 'node:assert/strict';
import plugin from '@fastify/redis';

export function setUp(app, { redis }) {
  app.register(plugin, { url: redis, commandTimeout: 2000 });
  app.put('/notes/:id', (request) => app.redis.set(request.params.id, request.query.text));
  app.get('/notes/:id', async (request) => ({ text: await app.redis.get(request.params.id) }));
}

export async function check(ask) {
  equal(await (await ask('/notes/7?text=Sea', { method: 'PUT' })).text(), 'OK');
  deepEqual(await (await ask('/notes/7')).json(), { text: 'Sea' });
}
