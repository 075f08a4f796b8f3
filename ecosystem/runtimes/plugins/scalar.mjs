import { deepEqual, equal, match } from 'node:assert/strict';
import swagger from '@fastify/swagger';
import plugin from '@scalar/fastify-api-reference';

export function setUp(app) {
  app.register(swagger, { openapi: { info: { title: 'Notes', version: '1.0.0' } } });
  app.register(plugin, { routePrefix: '/reference' });
  app.register(async (child) => {
    child.get('/notes/:id', () => 'a note');
  });
}

export async function check(ask) {
  const page = await ask('/reference/');
  equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
  match(await page.text(), /js\/scalar\.js/);
  match(await (await ask('/reference/js/scalar.js')).text(), /createApiReference/);
  const { paths } = await (await ask('/reference/openapi.json')).json();
  deepEqual(Object.keys(paths), ['/notes/{id}']);
}
