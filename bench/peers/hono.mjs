// The scenarios in Hono, with the same code on Node, Bun and Deno. They validate with Zod, as Hono's documentation shows.
import { once } from 'node:events';
import { zValidator } from '@hono/zod-validator';
import { Hono } from 'hono';
import { hookNames, rows } from '../scenarios.mjs';
import * as schemas from './zod-schemas.mjs';

const hello = (c) => c.json({ hello: 'world' });

/** @type {Record<string, (app: Hono) => void>} */
const routes = {
  get: (app) => app.get('/', hello),
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

const address = { port: 0, hostname: '127.0.0.1' };
const servers = {
  async hono(fetch) {
    const { serve } = await import('@hono/node-server');
    const server = serve({ ...address, fetch });
    await once(server, 'listening');
    return server.address().port;
  },
  'bun-hono': (fetch) => globalThis.Bun.serve({ ...address, fetch }).port,
  'deno-hono': (fetch) => globalThis.Deno.serve({ ...address, onListen() {} }, fetch).addr.port,
};

/** @param {string} scenario @param {keyof typeof servers} peer */
export function start(scenario, peer) {
  const app = new Hono();
  routes[scenario](app);
  return servers[peer](app.fetch);
}
