import { deepEqual, equal } from 'node:assert/strict';
import plugin from '@fastify/http-proxy';

export function setUp(app, { upstream }) {
  app.register(plugin, { upstream, prefix: '/proxied', http: {} });
}

export async function check(ask) {
  // The second request may use the connection of the first.
  await checkOnce(ask);
  await checkOnce(ask);
}

async function checkOnce(ask) {
  const response = await ask('/proxied/echo?a=1', {
    method: 'POST',
    body: 'a note',
    headers: { 'x-a': 'b' },
  });
  equal(response.headers.get('x-upstream'), 'yes');
  deepEqual(await response.json(), { method: 'POST', url: '/echo?a=1', header: 'b', body: 'a note' });
}
