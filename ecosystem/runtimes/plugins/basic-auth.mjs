import { equal } from 'node:assert/strict';
import plugin from '@fastify/basic-auth';

export function setUp(app) {
  const validate = async (user, password) => {
    if (user !== 'ada' || password !== 'enigma') throw new Error('refused');
  };
  app.register(plugin, { validate, authenticate: true }).after(() => {
    app.get('/', { onRequest: app.basicAuth }, () => 'let in');
  });
}

export async function check(ask) {
  const refused = await ask('/');
  equal(refused.status, 401);
  equal(refused.headers.get('www-authenticate'), 'Basic charset="UTF-8"');
  const authorization = `Basic ${btoa('ada:enigma')}`;
  equal(await (await ask('/', { headers: { authorization } })).text(), 'let in');
}
