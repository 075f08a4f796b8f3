// The scenarios in Hono on Deno. They validate with Zod, as Hono's documentation shows.
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { z } from 'zod';
import { hookNames, rows } from '../scenarios.mjs';

const params = z.object({ id: z.coerce.number().int() });

const query = z.object({
  verbose: z.stringbool().optional(),
  limit: z.coerce.number().int().min(1).max(100),
});

const address = z.object({ city: z.string(), zip: z.string().max(10) });
const item = z.object({ sku: z.string().min(8), quantity: z.number().int().min(1), price: z.number() });

const order = z.object({
  customer: z.object({ name: z.string().min(1), email: z.string(), address }),
  items: z.array(item).min(1),
  express: z.boolean().optional(),
  note: z.string().optional(),
});

const hello = (c) => c.json({ hello: 'world' });

/** @type {Record<string, (app: Hono) => void>} */
const routes = {
  get: (app) => app.get('/', hello),
  'params-query'(app) {
    const validators = [zValidator('param', params), zValidator('query', query)];
    app.get('/users/:id', ...validators, (c) => {
      const { verbose, limit } = c.req.valid('query');
      return c.json({ id: c.req.valid('param').id, verbose, limit });
    });
  },
  post(app) {
    app.post('/orders', zValidator('json', order), (c) => {
      const { customer, items } = c.req.valid('json');
      return c.json({ id: 7, customer, items });
    });
  },
  hooks(app) {
    for (const name of hookNames.slice(0, 3)) {
      app.use(async (c, next) => {
        if (c.req.header('x-stop') === name) return c.json({ stopped: name });
        await next();
      });
    }
    app.use(async (c, next) => {
      await next();
      if (c.req.header('x-stop') === 'onSend') c.res = c.json({ stopped: 'onSend' });
    });
    app.get('/', hello);
  },
  rows: (app) => app.get('/rows', (c) => c.json(rows)),
  'not-found'(app) {
    app.get('/', hello);
    app.notFound((c) => c.json({ error: 'nothing here' }, 404));
  },
};

/** @param {string} scenario */
export function start(scenario) {
  const app = new Hono();
  routes[scenario](app);
  return globalThis.Deno.serve({ port: 0, hostname: '127.0.0.1', onListen() {} }, app.fetch).addr.port;
}
