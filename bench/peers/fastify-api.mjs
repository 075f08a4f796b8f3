// The scenarios for Ambit, the facade and Fastify: the same routes, with default options and without a logger.
import { hookNames, rows } from '../scenarios.mjs';
import * as schemas from './json-schemas.mjs';

/** As the documentation of Fastify shows them. */
const asyncHandlers = {
  hello: async () => ({ hello: 'world' }),
  undeclared: async () => ({ hello: 'world', undeclared: true }),
  user: async ({ params, query }) => ({ id: params.id, verbose: query.verbose, limit: query.limit }),
  order: async ({ body }) => ({ id: 7, ...body }),
  rows: async () => rows,
};

/** On Bun and Deno, as the others there. They are written out, because Ambit reads the source of a handler, and would see a wrapper instead. */
const plainHandlers = {
  hello: () => ({ hello: 'world' }),
  undeclared: () => ({ hello: 'world', undeclared: true }),
  user: ({ params, query }) => ({ id: params.id, verbose: query.verbose, limit: query.limit }),
  order: ({ body }) => ({ id: 7, ...body }),
  rows: () => rows,
};

/** @type {Record<string, (app: any, handlers: typeof asyncHandlers) => void>} */
const routes = {
  get: (app, { hello }) => app.get('/', hello),
  'get-schema'(app, { undeclared }) {
    app.get('/', { schema: { response: { 200: schemas.hello } } }, undeclared);
  },
  'params-query'(app, { user }) {
    const { params, querystring } = schemas;
    app.get('/users/:id', { schema: { params, querystring } }, user);
  },
  post(app, { order }) {
    app.post('/orders', { schema: { body: schemas.order, response: { 200: schemas.savedOrder } } }, order);
  },
  'post-union'(app, { order }) {
    app.post(
      '/orders',
      { schema: { body: schemas.paidOrder, response: { 200: schemas.savedOrder } } },
      order,
    );
  },
  hooks(app, { hello }) {
    for (const name of hookNames.slice(0, 3)) {
      app.addHook(name, async (request, reply) => {
        if (request.headers['x-stop'] === name) return reply.send({ stopped: name });
      });
    }
    app.addHook('onSend', async (request, _reply, payload) =>
      request.headers['x-stop'] === 'onSend' ? '{"stopped":"onSend"}' : payload,
    );
    app.get('/', hello);
  },
  rows(app, { rows }) {
    app.get('/rows', { schema: { response: { 200: schemas.rows } } }, rows);
  },
  'not-found'(app, { hello }) {
    app.get('/', hello);
    app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'nothing here' }));
  },
};

const loadAmbit = async () => (await import('ambit')).ambit;
const otherFrameworks = {
  facade: async () => (await import('@ambit/fastify')).default,
  fastify: async () => (await import('fastify')).default,
};

/** @param {string} scenario @param {string} peer @param {{ key: string, cert: string } | undefined} https */
export async function start(scenario, peer, https) {
  const create = await (otherFrameworks[peer] ?? loadAmbit)();
  const app = create(https === undefined ? {} : { https });
  routes[scenario](app, /^(bun|deno)-/.test(peer) ? plainHandlers : asyncHandlers);
  return new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port;
}
