import { equal, match } from 'node:assert/strict';
import swagger from '@fastify/swagger';
import plugin from '@fastify/swagger-ui';

export function setUp(app) {
  app.register(swagger, { openapi: { info: { title: 'Notes', version: '1.0.0' } } });
  app.register(plugin, { routePrefix: '/docs' });
}

export async function check(ask) {
  match(await (await ask('/docs/')).text(), /swagger-ui-bundle\.js/);
  match((await ask('/docs/static/swagger-ui.css')).headers.get('content-type'), /^text\/css/);
  equal((await (await ask('/docs/json')).json()).info.title, 'Notes');
}
