// Owns the scenarios in Elysia on Bun; validation and response schemas in its own types.
import { Elysia } from 'elysia';
import { rows } from '../rows.mjs';
import * as schemas from '../schemas/elysia.mjs';

const stoppable =
  (/** @type {string} */ name) =>
  async ({ request }) => {
    if (request.headers.get('x-stop') === name) return { stopped: name };
  };

const get = (app) => app.get('/', () => ({ hello: 'world' }));

/** @type {Record<string, (app: Elysia) => unknown>} */
const routes = {
  get,
  'get-schema': (app) =>
    app.get('/', () => ({ hello: 'world', undeclared: true }), { response: schemas.hello }),
  'params-query': (app) =>
    app.get(
      '/users/:id',
      ({ params, query }) => ({ id: params.id, verbose: query.verbose, limit: query.limit }),
      { params: schemas.params, query: schemas.query },
    ),
  post: (app) =>
    app.post('/orders', ({ body }) => ({ id: 7, ...body }), {
      body: schemas.order,
      response: schemas.savedOrder,
    }),
  hooks: (app) =>
    app
      .onRequest(async ({ request }) => {
        if (request.headers.get('x-stop') === 'onRequest') return Response.json({ stopped: 'onRequest' });
      })
      .onBeforeHandle(stoppable('preValidation'))
      .onBeforeHandle(stoppable('preHandler'))
      .onAfterHandle(stoppable('onSend'))
      .get('/', () => ({ hello: 'world' })),
  rows: (app) => app.get('/rows', () => rows, { response: schemas.rows }),
  'not-found': get,
};

/** Elysia's own response to invalid input has status 422. Here it responds as all peers do. */
function answerError({ code, status }) {
  if (code === 'VALIDATION') return status(400, { error: 'invalid' });
  if (code === 'NOT_FOUND') return status(404, { error: 'nothing here' });
}

/** @param {string} scenario */
export async function start(scenario) {
  const app = new Elysia().onError(answerError);
  routes[scenario](app);
  app.listen({ port: 0, hostname: '127.0.0.1' });
  return { port: app.server.port, close: () => app.stop(true) };
}
