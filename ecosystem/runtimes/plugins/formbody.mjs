import { deepEqual } from 'node:assert/strict';
import plugin from '@fastify/formbody';

export function setUp(app) {
  app.register(plugin);
  app.post('/', (request) => request.body);
}

export async function check(ask) {
  const body = new URLSearchParams([
    ['a', '1'],
    ['b', 'x y'],
    ['a', '2'],
  ]);
  deepEqual(await (await ask('/', { method: 'POST', body })).json(), { a: ['1', '2'], b: 'x y' });
}
