import { deepEqual, equal } from 'node:assert/strict';
import plugin from '@fastify/response-validation';

export function setUp(app) {
  app.register(plugin);
  app.register(async (child) => {
    const schema = { response: { 200: { type: 'object', properties: { answer: { type: 'number' } } } } };
    child.get('/', { schema }, (request) => ({ answer: request.query.right === 'yes' ? 42 : '42' }));
  });
}

export async function check(ask) {
  deepEqual(await (await ask('/?right=yes')).json(), { answer: 42 });
  equal((await ask('/')).status, 500);
}
