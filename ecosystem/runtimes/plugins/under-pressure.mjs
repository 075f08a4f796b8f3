import { deepEqual, equal } from 'node:assert/strict';
import plugin from '@fastify/under-pressure';

export function setUp(app) {
  let isHealthy = true;
  app.register(plugin, { exposeStatusRoute: '/status', healthCheck: async () => isHealthy });
  app.post('/break', () => {
    isHealthy = false;
    return { isUnderPressure: app.isUnderPressure() };
  });
}

export async function check(ask) {
  equal((await ask('/status')).status, 200);
  const response = await ask('/break', { method: 'POST' });
  deepEqual(await response.json(), { isUnderPressure: false });
  const refused = await ask('/status');
  deepEqual([refused.status, refused.headers.get('retry-after')], [503, '10']);
}
