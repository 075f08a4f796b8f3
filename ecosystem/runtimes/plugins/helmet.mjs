import { equal, ok } from 'node:assert/strict';
import plugin from '@fastify/helmet';

export function setUp(app) {
  app.register(plugin, { enableCSPNonces: true });
  app.get('/', (_request, reply) => reply.cspNonce);
}

export async function check(ask) {
  const response = await ask('/');
  const { script } = await response.json();
  equal(response.headers.get('x-frame-options'), 'SAMEORIGIN');
  ok(response.headers.get('content-security-policy').includes(`'nonce-${script}'`));
}
