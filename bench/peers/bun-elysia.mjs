// Owns the scenarios in Elysia on Bun; validation and response schemas in its own types.
import { Elysia } from 'elysia';
import { rows } from '../rows.mjs';
import * as schemas from '../schemas/elysia.mjs';

const stoppable =
  (/** @type {string} */ name) =>
  async ({ request }) => {
    if (request.headers.get('x-stop') === name) return { stopped: name };
  };

/** As the documentation of Elysia shows them. */
const syncHandlers = {
  hello: () => ({ hello: 'world' }),
  undeclared: () => ({ hello: 'world', undeclared: true }),
  user: ({ params, query }) => ({ id: params.id, verbose: query.verbose, limit: query.limit }),
  order: ({ body }) => ({ id: 7, ...body }),
  rows: () => rows,
};

const asyncHandlers = {
  hello: async () => ({ hello: 'world' }),
  undeclared: async () => ({ hello: 'world', undeclared: true }),
  user: async ({ params, query }) => ({ id: params.id, verbose: query.verbose, limit: query.limit }),
  order: async ({ body }) => ({ id: 7, ...body }),
  rows: async () => rows,
};

/** @type {Record<string, (app: Elysia, handlers: any) => unknown>} */
const routes = {
  get: (app, { hello }) => app.get('/', hello),
  'get-schema': (app, { undeclared }) => app.get('/', undeclared, { response: schemas.hello }),
  'params-query': (app, { user }) =>
    app.get('/users/:id', user, { params: schemas.params, query: schemas.query }),
  post: (app, { order }) => app.post('/orders', order, { body: schemas.order, response: schemas.savedOrder }),
  hooks: (app, { hello }) =>
    app
      .onRequest(async ({ request }) => {
        if (request.headers.get('x-stop') === 'onRequest') return Response.json({ stopped: 'onRequest' });
      })
      .onBeforeHandle(stoppable('preValidation'))
      .onBeforeHandle(stoppable('preHandler'))
      .onAfterHandle(stoppable('onSend'))
      .get('/', hello),
  rows: (app, { rows }) => app.get('/rows', rows, { response: schemas.rows }),
  'not-found': (app, { hello }) => app.get('/', hello),
};

/** Elysia's own response to invalid input has status 422. Here it responds as all peers do. */
function answerError({ code, status }) {
  if (code === 'VALIDATION') return status(400, { error: 'invalid' });
  if (code === 'NOT_FOUND') return status(404, { error: 'nothing here' });
}

/** @param {string} scenario */
export async function start(scenario, _https, hasAsyncHandlers = false) {
  const app = new Elysia().onError(answerError);
  routes[scenario](app, hasAsyncHandlers ? asyncHandlers : syncHandlers);
  app.listen({ port: 0, hostname: '127.0.0.1' });
  return { port: app.server.port, close: () => app.stop(true) };
}
