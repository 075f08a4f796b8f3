import { deepEqual } from 'node:assert/strict';
import plugin from '@fastify/url-data';

export function setUp(app) {
  app.register(plugin);
  app.get('/*', (request) => ({ path: request.urlData('path'), query: request.urlData('query') }));
}

export async function check(ask) {
  deepEqual(await (await ask('/a/b?c=1')).json(), { path: '/a/b', query: 'c=1' });
}
