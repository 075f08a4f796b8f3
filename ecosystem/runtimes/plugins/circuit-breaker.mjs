import { equal } from 'node:assert/strict';
import plugin from '@fastify/circuit-breaker';

export function setUp(app) {
  app.register(plugin, { threshold: 2, resetTimeout: 60_000 });
  app.register(async (child) => {
    child.get('/', { preHandler: child.circuitBreaker() }, async () => {
      throw new Error('broken');
    });
  });
}

export async function check(ask) {
  equal((await ask('/')).status, 500);
  // The failure that opens the circuit, and what comes after it.
  equal((await ask('/')).status, 503);
  equal((await ask('/')).status, 503);
}
