// The routes of every scenario for peers with the API of Fastify, so that these peers run the same code.
import { rows } from '../rows.mjs';
import * as schemas from '../schemas/json-schema.mjs';

/** A hook that does nothing, except for the check that must prove that the hook runs. */
const stoppable = (/** @type {string} */ name) => async (request, reply) => {
  if (request.headers['x-stop'] === name) return reply.send({ stopped: name });
};

function get(app) {
  app.get('/', async () => ({ hello: 'world' }));
}

/** @type {Record<string, (app: any) => void>} */
export const routes = {
  get,
  'get-schema'(app) {
    app.get('/', { schema: { response: { 200: schemas.hello } } }, async () => ({
      hello: 'world',
      undeclared: true,
    }));
  },
  'params-query'(app) {
    const { params, querystring } = schemas;
    app.get('/users/:id', { schema: { params, querystring } }, async (request) => ({
      id: request.params.id,
      verbose: request.query.verbose,
      limit: request.query.limit,
    }));
  },
  post(app) {
    const schema = { body: schemas.order, response: { 200: schemas.savedOrder } };
    app.post('/orders', { schema }, async (request) => ({ id: 7, ...request.body }));
  },
  hooks(app) {
    app.addHook('onRequest', stoppable('onRequest'));
    app.addHook('preValidation', stoppable('preValidation'));
    app.addHook('preHandler', stoppable('preHandler'));
    app.addHook('onSend', async (request, _reply, payload) =>
      request.headers['x-stop'] === 'onSend' ? '{"stopped":"onSend"}' : payload,
    );
    get(app);
  },
  rows(app) {
    app.get('/rows', { schema: { response: { 200: schemas.rows } } }, async () => rows);
  },
  'not-found'(app) {
    get(app);
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'nothing here' }));
  },
};
