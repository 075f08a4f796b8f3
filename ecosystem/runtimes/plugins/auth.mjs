import { equal } from 'node:assert/strict';
import plugin from '@fastify/auth';

export function setUp(app) {
  const fail = async () => {
    throw Object.assign(new Error('refused'), { statusCode: 401 });
  };
  const pass = async () => {};
  app.register(plugin).after(() => {
    app.get('/any', { preHandler: app.auth([fail, pass]) }, () => 'let in');
    app.get('/all', { preHandler: app.auth([fail, pass], { relation: 'and' }) }, () => 'let in');
  });
}

export async function check(ask) {
  equal(await (await ask('/any')).text(), 'let in');
  equal((await ask('/all')).status, 401);
}
