import { deepEqual, equal } from 'node:assert/strict';
import plugin from '@fastify/swagger';

export function setUp(app) {
  app.register(plugin, { openapi: { info: { title: 'Notes', version: '1.0.0' } } });
  app.register(async (child) => {
    child.get('/notes/:id', () => 'a note');
  });
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
}

export async function check(ask) {
  const { info, paths } = await (await ask('/openapi.json')).json();
  equal(info.title, 'Notes');
  deepEqual(Object.keys(paths), ['/notes/{id}']);
}
