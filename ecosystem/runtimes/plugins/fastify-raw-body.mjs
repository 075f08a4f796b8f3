import { deepEqual } from 'node:assert/strict';
import plugin from 'fastify-raw-body';

export function setUp(app) {
  app.register(plugin).after(() => {
    app.post('/', (request) => ({ raw: request.rawBody, parsed: request.body }));
  });
}

export async function check(ask) {
  const headers = { 'content-type': 'application/json' };
  const response = await ask('/', { method: 'POST', headers, body: '{ "a":1 }' });
  deepEqual(await response.json(), { raw: '{ "a":1 }', parsed: { a: 1 } });
}
