import { deepEqual } from 'node:assert/strict';
import plugin from '@fastify/env';

export function setUp(app) {
  const schema = { type: 'object', required: ['LIMIT'], properties: { LIMIT: { type: 'integer' } } };
  app.register(plugin, { schema, data: { LIMIT: '7' } });
  app.get('/', () => app.config);
}

export async function check(ask) {
  deepEqual(await (await ask('/')).json(), { LIMIT: 7 });
}
