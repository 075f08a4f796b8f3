import { equal } from 'node:assert/strict';
import plugin from '@fastify/caching';

export function setUp(app) {
  app.register(plugin, { privacy: plugin.privacy.PRIVATE, expiresIn: 300 });
  app.get('/', (_request, reply) => reply.etag('one').send('a'));
}

export async function check(ask) {
  const response = await ask('/');
  equal(response.headers.get('cache-control'), 'private, max-age=300');
  equal(response.headers.get('etag'), 'one');
  equal((await ask('/', { headers: { 'if-none-match': 'one' } })).status, 304);
}
