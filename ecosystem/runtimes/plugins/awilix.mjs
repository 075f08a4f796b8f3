import { equal } from 'node:assert/strict';
import { diContainer, fastifyAwilixPlugin } from '@fastify/awilix';
import { asFunction, asValue, Lifetime } from 'awilix';

export function setUp(app) {
  app.register(fastifyAwilixPlugin, { disposeOnClose: true, disposeOnResponse: true });
  diContainer.register({ prefix: asValue('note ') });
  app.addHook('onRequest', async (request) => {
    const make = ({ prefix }) => prefix + request.params.id;
    request.diScope.register({ title: asFunction(make, { lifetime: Lifetime.SCOPED }) });
  });
  app.get('/notes/:id', (request) => request.diScope.resolve('title'));
}

export async function check(ask) {
  equal(await (await ask('/notes/7')).text(), 'note 7');
}
