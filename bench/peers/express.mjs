// The scenarios in Express 5. They validate with Ajv, because Express recommends no validator.
import { once } from 'node:events';
import express from 'express';
import { hookNames, rows } from '../scenarios.mjs';
import { findUser, saveOrder } from './by-hand.mjs';

const get = (app) => app.get('/', (_request, response) => response.json({ hello: 'world' }));
const answer = (response, { status, body }) => response.status(status).json(body);

/** @type {Record<string, (app: express.Express) => void>} */
const routes = {
  get,
  'params-query'(app) {
    app.get('/users/:id', ({ params, query }, response) =>
      answer(response, findUser({ ...params }, { ...query })),
    );
  },
  post(app) {
    app.use(express.json());
    app.post('/orders', ({ body }, response) => answer(response, saveOrder(body)));
  },
  // Express has no hooks between handler and response, so all four run before the handler.
  hooks(app) {
    for (const name of hookNames) {
      app.use(async (request, response, next) => {
        if (request.headers['x-stop'] === name) response.json({ stopped: name });
        else next();
      });
    }
    get(app);
  },
  rows: (app) => app.get('/rows', (_request, response) => response.json(rows)),
  'not-found'(app) {
    get(app);
    app.use((_request, response) => response.status(404).json({ error: 'nothing here' }));
  },
};

export async function start(/** @type {string} */ scenario) {
  const app = express();
  routes[scenario](app);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}
