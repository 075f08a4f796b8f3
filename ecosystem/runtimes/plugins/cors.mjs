import { equal } from 'node:assert/strict';
import plugin from '@fastify/cors';

export function setUp(app) {
  app.register(plugin, { origin: 'https://app.example', methods: ['GET', 'PUT'] });
  app.put('/', () => 'done');
}

export async function check(ask) {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'PUT' };
  const preflight = await ask('/', { method: 'OPTIONS', headers });
  equal(preflight.status, 204);
  equal(preflight.headers.get('access-control-allow-methods'), 'GET, PUT');
  const response = await ask('/', { method: 'PUT', headers });
  equal(response.headers.get('access-control-allow-origin'), 'https://app.example');
}
