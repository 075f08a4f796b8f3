import { deepEqual, equal } from 'node:assert/strict';
import plugin from '@fastify/reply-from';

export function setUp(app, { upstream }) {
  app.register(plugin, { base: upstream, http: {} });
  app.all('/*', (_request, reply) => reply.from('/echo'));
}

export async function check(ask) {
  // The second request may use the connection of the first.
  await checkOnce(ask);
  await checkOnce(ask);
}

async function checkOnce(ask) {
  const headers = { 'content-type': 'application/json', 'x-a': 'b' };
  const response = await ask('/any', { method: 'POST', headers, body: '{"a":1}' });
  equal(response.headers.get('x-upstream'), 'yes');
  deepEqual(await response.json(), { method: 'POST', url: '/echo', header: 'b', body: '{"a":1}' });
}
