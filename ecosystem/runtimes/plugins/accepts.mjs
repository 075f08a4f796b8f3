import { deepEqual } from 'node:assert/strict';
import plugin from '@fastify/accepts';

export function setUp(app) {
  app.register(plugin);
  app.get('/', (request) => ({ type: request.accepts().type(['json', 'html']) }));
}

export async function check(ask) {
  const response = await ask('/', { headers: { accept: 'text/html' } });
  deepEqual(await response.json(), { type: 'html' });
}
