// The scenarios in Hono, with the same code on Node, Bun and Deno. They validate with Zod, as Hono's documentation shows.
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { rows } from '../rows.mjs';
import * as schemas from '../schemas/zod.mjs';

const stoppable = (/** @type {string} */ name) => async (c, next) => {
  if (c.req.header('x-stop') === name) return c.json({ stopped: name });
  await next();
};

/** As the documentation of Hono shows them. */
const syncHandlers = {
  hello: (c) => c.json({ hello: 'world' }),
  user(c) {
    const { verbose, limit } = c.req.valid('query');
    return c.json({ id: c.req.valid('param').id, verbose, limit });
  },
  order(c) {
    const { customer, items } = c.req.valid('json');
    return c.json({ id: 7, customer, items });
  },
  rows: (c) => c.json(rows),
};

const asyncHandlers = {
  hello: async (c) => c.json({ hello: 'world' }),
  async user(c) {
    const { verbose, limit } = c.req.valid('query');
    return c.json({ id: c.req.valid('param').id, verbose, limit });
  },
  async order(c) {
    const { customer, items } = c.req.valid('json');
    return c.json({ id: 7, customer, items });
  },
  rows: async (c) => c.json(rows),
};

/** @type {Record<string, (app: Hono, handlers: typeof syncHandlers) => void>} */
const routes = {
  get: (app, { hello }) => app.get('/', hello),
  'params-query'(app, { user }) {
    const validators = [zValidator('param', schemas.params), zValidator('query', schemas.query)];
    app.get('/users/:id', ...validators, user);
  },
  post: (app, { order }) => app.post('/orders', zValidator('json', schemas.order), order),
  hooks(app, { hello }) {
    app.use(stoppable('onRequest'));
    app.use(stoppable('preValidation'));
    app.use(stoppable('preHandler'));
    app.use(async (c, next) => {
      await next();
      if (c.req.header('x-stop') === 'onSend') c.res = c.json({ stopped: 'onSend' });
    });
    app.get('/', hello);
  },
  rows: (app, { rows }) => app.get('/rows', rows),
  'not-found'(app, { hello }) {
    app.get('/', hello);
    app.notFound((c) => c.json({ error: 'nothing here' }, 404));
  },
};

/** @param {string} scenario */
export function buildHono(scenario, hasAsyncHandlers = false) {
  const app = new Hono();
  routes[scenario](app, hasAsyncHandlers ? asyncHandlers : syncHandlers);
  return app;
}
