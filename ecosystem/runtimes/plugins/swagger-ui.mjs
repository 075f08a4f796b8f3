import { equal, match } from 'node:assert/strict';
import swagger from '@fastify/swagger';
import plugin from '@fastify/swagger-ui';
import { errorOf } from '../error-of.mjs';

export function setUp(app, { swaggerUiAssets }) {
  app.register(swagger, { openapi: { info: { title: 'Notes', version: '1.0.0' } } });
  // Without these two options, the plugin reads files of its own package, which are not in a worker.
  app.register(plugin, { routePrefix: '/docs', baseDir: swaggerUiAssets, logo: null });
}

export async function check(ask) {
  match(await (await ask('/docs/')).text(), /swagger-ui-bundle\.js/);
  equal((await (await ask('/docs/json')).json()).info.title, 'Notes');
  const style = await ask('/docs/static/swagger-ui.css');
  if (style.status === 500) throw await errorOf(style);
  match(style.headers.get('content-type'), /^text\/css/);
  match(await style.text(), /\.swagger-ui/);
}
