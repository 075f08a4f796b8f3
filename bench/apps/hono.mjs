// The scenarios in Hono, with the same code on Node, Bun and Deno. They validate with Zod, as Hono's documentation shows.
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { rows } from '../rows.mjs';
import * as schemas from '../schemas/zod.mjs';

const stoppable = (/** @type {string} */ name) => async (c, next) => {
  if (c.req.header('x-stop') === name) return c.json({ stopped: name });
  await next();
};

function get(app) {
  app.get('/', (c) => c.json({ hello: 'world' }));
}

/** @type {Record<string, (app: Hono) => void>} */
const routes = {
  get,
  'params-query'(app) {
    const validators = [zValidator('param', schemas.params), zValidator('query', schemas.query)];
    app.get('/users/:id', ...validators, (c) => {
      const { verbose, limit } = c.req.valid('query');
      return c.json({ id: c.req.valid('param').id, verbose, limit });
    });
  },
  post(app) {
    app.post('/orders', zValidator('json', schemas.order), (c) => {
      const { customer, items } = c.req.valid('json');
      return c.json({ id: 7, customer, items });
    });
  },
  hooks(app) {
    app.use(stoppable('onRequest'));
    app.use(stoppable('preValidation'));
    app.use(stoppable('preHandler'));
    app.use(async (c, next) => {
      await next();
      if (c.req.header('x-stop') === 'onSend') c.res = c.json({ stopped: 'onSend' });
    });
    get(app);
  },
  rows(app) {
    app.get('/rows', (c) => c.json(rows));
  },
  'not-found'(app) {
    get(app);
    app.notFound((c) => c.json({ error: 'nothing here' }, 404));
  },
};

/** @param {string} scenario */
export function buildHono(scenario) {
  const app = new Hono();
  routes[scenario](app);
  return app;
}
