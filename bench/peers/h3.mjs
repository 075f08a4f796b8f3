// The scenarios in h3 on Node. They validate with Zod through h3's helpers, as its documentation shows.
import { getValidatedQuery, getValidatedRouterParams, H3, readValidatedBody, serve } from 'h3';
import { rows } from '../rows.mjs';
import * as schemas from '../schemas/zod.mjs';

const stoppable = (/** @type {string} */ name) => async (event, next) =>
  event.req.headers.get('x-stop') === name ? { stopped: name } : next();

function get(app) {
  app.get('/', () => ({ hello: 'world' }));
}

/** @type {Record<string, (app: H3) => void>} */
const routes = {
  get,
  'params-query'(app) {
    app.get('/users/:id', async (event) => {
      const { id } = await getValidatedRouterParams(event, schemas.params);
      const { verbose, limit } = await getValidatedQuery(event, schemas.query);
      return { id, verbose, limit };
    });
  },
  post(app) {
    app.post('/orders', async (event) => {
      const { customer, items } = await readValidatedBody(event, schemas.order);
      return { id: 7, customer, items };
    });
  },
  hooks(app) {
    app.use(stoppable('onRequest'));
    app.use(stoppable('preValidation'));
    app.use(stoppable('preHandler'));
    app.use(async (event, next) => {
      const payload = await next();
      return event.req.headers.get('x-stop') === 'onSend' ? { stopped: 'onSend' } : payload;
    });
    get(app);
  },
  rows(app) {
    app.get('/rows', () => rows);
  },
  'not-found'(app) {
    get(app);
    app.all('/**', (event) => {
      event.res.status = 404;
      return { error: 'nothing here' };
    });
  },
};

/** @param {string} scenario */
export async function start(scenario) {
  const app = new H3();
  routes[scenario](app);
  const server = serve(app, { port: 0, hostname: '127.0.0.1', silent: true });
  await server.ready();
  return { port: server.node.server.address().port, close: () => server.close(true) };
}
