import { deepEqual, equal } from 'node:assert/strict';
import plugin from '@fastify/express';

export function setUp(app) {
  app.register(plugin).after(() => {
    app.use((_request, response, next) => {
      response.setHeader('x-middleware', 'express');
      next();
    });
    app.use('/express', (request, response) => response.json({ path: request.path, query: request.query }));
  });
  app.get('/', () => 'from the route');
}

export async function check(ask) {
  const response = await ask('/');
  equal(response.headers.get('x-middleware'), 'express');
  equal(await response.text(), 'from the route');
  deepEqual(await (await ask('/express/a?b=1')).json(), { path: '/a', query: { b: '1' } });
}
