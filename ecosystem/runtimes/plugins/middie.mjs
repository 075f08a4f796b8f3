import { equal } from 'node:assert/strict';
import plugin from '@fastify/middie';

export function setUp(app) {
  app.register(plugin).after(() => {
    app.use((request, response, next) => {
      response.setHeader('x-middleware', request.url);
      next();
    });
    app.use('/early', (request, response) => {
      response.statusCode = 202;
      response.end(`from the middleware: ${request.url}`);
    });
  });
  app.get('/', () => 'from the route');
}

export async function check(ask) {
  const response = await ask('/');
  equal(response.headers.get('x-middleware'), '/');
  equal(await response.text(), 'from the route');
  const early = await ask('/early/a');
  equal(early.status, 202);
  equal(await early.text(), 'from the middleware: /a');
}
