import { deepEqual } from 'node:assert/strict';
import { fastifyRequestContext, requestContext } from '@fastify/request-context';

export function setUp(app) {
  app.register(fastifyRequestContext);
  app.addHook('onRequest', async (request) => request.requestContext.set('id', request.query.id));
  app.get('/', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    return requestContext.get('id');
  });
}

export async function check(ask) {
  const texts = await Promise.all(['1', '2'].map(async (id) => (await ask(`/?id=${id}`)).text()));
  deepEqual(texts, ['1', '2']);
}
