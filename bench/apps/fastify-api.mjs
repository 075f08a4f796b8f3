// The routes of every scenario for peers with the API of Fastify, so that these peers run the same code. No handler waits for anything,
// so each is written in both ways: `async`, as the documentation of Fastify shows, and not. Both are written out, because Ambit and
// Elysia read the source of a handler, and would see a wrapper instead.
import { rows } from '../rows.mjs';
import * as schemas from '../schemas/json-schema.mjs';

/** A hook that does nothing, except for the check that must prove that the hook runs. */
const stoppable = (/** @type {string} */ name) => async (request, reply) => {
  if (request.headers['x-stop'] === name) return reply.send({ stopped: name });
};

const asyncHandlers = {
  hello: async () => ({ hello: 'world' }),
  undeclared: async () => ({ hello: 'world', undeclared: true }),
  user: async (request) => ({
    id: request.params.id,
    verbose: request.query.verbose,
    limit: request.query.limit,
  }),
  order: async (request) => ({ id: 7, ...request.body }),
  rows: async () => rows,
};

/** @type {typeof asyncHandlers} */
const syncHandlers = {
  hello: () => ({ hello: 'world' }),
  undeclared: () => ({ hello: 'world', undeclared: true }),
  user: (request) => ({
    id: request.params.id,
    verbose: request.query.verbose,
    limit: request.query.limit,
  }),
  order: (request) => ({ id: 7, ...request.body }),
  rows: () => rows,
};

/** @returns {Record<string, (app: any) => void>} */
function makeRoutes({ hello, undeclared, user, order, rows }) {
  return {
    get: (app) => app.get('/', hello),
    'get-schema': (app) => app.get('/', { schema: { response: { 200: schemas.hello } } }, undeclared),
    'params-query'(app) {
      const { params, querystring } = schemas;
      app.get('/users/:id', { schema: { params, querystring } }, user);
    },
    post(app) {
      const schema = { body: schemas.order, response: { 200: schemas.savedOrder } };
      app.post('/orders', { schema }, order);
    },
    'post-union'(app) {
      const schema = { body: schemas.paidOrder, response: { 200: schemas.savedOrder } };
      app.post('/orders', { schema }, order);
    },
    hooks(app) {
      app.addHook('onRequest', stoppable('onRequest'));
      app.addHook('preValidation', stoppable('preValidation'));
      app.addHook('preHandler', stoppable('preHandler'));
      app.addHook('onSend', async (request, _reply, payload) =>
        request.headers['x-stop'] === 'onSend' ? '{"stopped":"onSend"}' : payload,
      );
      app.get('/', hello);
    },
    rows: (app) => app.get('/rows', { schema: { response: { 200: schemas.rows } } }, rows),
    'not-found'(app) {
      app.get('/', hello);
      app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'nothing here' }));
    },
  };
}

export const routes = makeRoutes(asyncHandlers);
export const syncRoutes = makeRoutes(syncHandlers);
