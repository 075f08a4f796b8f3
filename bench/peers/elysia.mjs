// The scenarios in Elysia on Bun; validation and response schemas in its own types. Its handlers are plain functions, as its documentation
// shows them.
import { Elysia, t } from 'elysia';
import { rows } from '../scenarios.mjs';

const customer = t.Object({
  name: t.String({ minLength: 1 }),
  email: t.String(),
  address: t.Object({ city: t.String(), zip: t.String({ maxLength: 10 }) }),
});
const item = t.Object({
  sku: t.String({ minLength: 8 }),
  quantity: t.Integer({ minimum: 1 }),
  price: t.Number(),
});
const items = t.Array(item, { minItems: 1 });
const row = t.Object({
  id: t.Integer(),
  name: t.String(),
  email: t.String(),
  active: t.Boolean(),
  score: t.Number(),
  role: t.String(),
  createdAt: t.String(),
  age: t.Integer(),
});

const stoppable =
  (/** @type {string} */ name) =>
  async ({ request }) => {
    if (request.headers.get('x-stop') === name) return { stopped: name };
  };
const hello = () => ({ hello: 'world' });

/** @type {Record<string, (app: Elysia) => unknown>} */
const routes = {
  get: (app) => app.get('/', hello),
  'get-schema'(app) {
    const response = t.Object({ hello: t.String() });
    app.get('/', () => ({ hello: 'world', undeclared: true }), { response });
  },
  'params-query'(app) {
    const params = t.Object({ id: t.Integer() });
    const limit = t.Integer({ minimum: 1, maximum: 100 });
    const query = t.Object({ verbose: t.Optional(t.Boolean()), limit });
    app.get(
      '/users/:id',
      ({ params, query }) => ({ id: params.id, verbose: query.verbose, limit: query.limit }),
      { params, query },
    );
  },
  post(app) {
    const optional = { express: t.Optional(t.Boolean()), note: t.Optional(t.String()) };
    const body = t.Object({ customer, items, ...optional });
    const response = t.Object({ id: t.Integer(), customer, items });
    app.post('/orders', ({ body }) => ({ id: 7, ...body }), { body, response });
  },
  hooks: (app) =>
    app
      .onRequest(async ({ request }) => {
        if (request.headers.get('x-stop') === 'onRequest') return Response.json({ stopped: 'onRequest' });
      })
      .onBeforeHandle(stoppable('preValidation'))
      .onBeforeHandle(stoppable('preHandler'))
      .onAfterHandle(stoppable('onSend'))
      .get('/', hello),
  rows: (app) => app.get('/rows', () => rows, { response: t.Array(row) }),
  'not-found': (app) => app.get('/', hello),
};

/** Elysia's own response to invalid input has status 422. Here it responds as all peers do. */
function answerError({ code, status }) {
  if (code === 'VALIDATION') return status(400, { error: 'invalid' });
  if (code === 'NOT_FOUND') return status(404, { error: 'nothing here' });
}

export function start(/** @type {string} */ scenario) {
  const app = new Elysia().onError(answerError);
  routes[scenario](app);
  return app.listen({ port: 0, hostname: '127.0.0.1' }).server.port;
}
