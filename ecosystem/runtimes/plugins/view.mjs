import { equal } from 'node:assert/strict';
import plugin from '@fastify/view';
import mustache from 'mustache';

export function setUp(app, { folder }) {
  app.register(plugin, { engine: { mustache }, root: `${folder}/views` });
  app.get('/', (request, reply) => reply.view('hello.mustache', { name: request.query.name }));
}

export async function check(ask) {
  const response = await ask('/?name=Ada');
  equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
  equal(await response.text(), '<p>Hello, Ada!</p>\n');
}
