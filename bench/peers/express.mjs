// The scenarios in Express 5. They validate with Ajv, because Express recommends no validator.
import { once } from 'node:events';
import express from 'express';
import { rows } from '../rows.mjs';
import { isOrder, isParams, isQuery } from '../schemas/ajv.mjs';

const stoppable = (/** @type {string} */ name) => async (request, response, next) => {
  if (request.headers['x-stop'] === name) response.json({ stopped: name });
  else next();
};

function get(app) {
  app.get('/', (_request, response) => response.json({ hello: 'world' }));
}

/** @type {Record<string, (app: express.Express) => void>} */
const routes = {
  get,
  'params-query'(app) {
    app.get('/users/:id', (request, response) => {
      const params = { ...request.params };
      const query = { ...request.query };
      if (!isParams(params)) return response.status(400).json({ errors: isParams.errors });
      if (!isQuery(query)) return response.status(400).json({ errors: isQuery.errors });
      response.json({ id: params.id, verbose: query.verbose, limit: query.limit });
    });
  },
  post(app) {
    app.use(express.json());
    app.post('/orders', ({ body }, response) => {
      if (!isOrder(body)) return response.status(400).json({ errors: isOrder.errors });
      response.json({ id: 7, customer: body.customer, items: body.items });
    });
  },
  // Express has no hooks between handler and response, so all four run before the handler.
  hooks(app) {
    for (const name of ['onRequest', 'preValidation', 'preHandler', 'onSend']) app.use(stoppable(name));
    get(app);
  },
  rows(app) {
    app.get('/rows', (_request, response) => response.json(rows));
  },
  'not-found'(app) {
    get(app);
    app.use((_request, response) => response.status(404).json({ error: 'nothing here' }));
  },
};

/** @param {string} scenario */
export async function start(scenario) {
  const app = express();
  routes[scenario](app);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, close: () => server.close() };
}
