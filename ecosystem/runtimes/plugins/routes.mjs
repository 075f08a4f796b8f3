import { deepEqual } from 'node:assert/strict';
import plugin from '@fastify/routes';

export function setUp(app) {
  app.register(plugin).after(() => {
    app.get('/', () => [...app.routes.keys()]);
  });
}

export async function check(ask) {
  deepEqual(await (await ask('/')).json(), ['/']);
}
