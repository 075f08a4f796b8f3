import { deepEqual, equal } from 'node:assert/strict';
import plugin from '@fastify/sensible';

export function setUp(app) {
  app.register(plugin);
  app.get('/missing', (_request, reply) => reply.notFound('no such note'));
  app.get('/', (request, reply) => {
    reply.vary('accept');
    reply.cacheControl('no-store');
    return { forwarded: request.forwarded().length, isJson: request.is(['json']) };
  });
}

export async function check(ask) {
  const missing = await ask('/missing');
  equal(missing.status, 404);
  equal((await missing.json()).message, 'no such note');
  const response = await ask('/');
  equal(response.headers.get('cache-control'), 'no-store');
  equal(response.headers.get('vary'), 'accept');
  deepEqual(await response.json(), { forwarded: 1, isJson: null });
}
