/** Applications for the tests of the inspector's page: one as people write them, and one that is very large. */
import { inspector } from '@ambit/inspector';
import { ambit, type Context, hoist } from 'ambit';
import type { FastifyInstance } from 'fastify';

const note = {
  $id: 'note',
  type: 'object',
  required: ['title'],
  properties: { id: { type: 'integer' }, title: { type: 'string', maxLength: 40 } },
};

const database = hoist(async (context: Context) => void context.decorate('db', new Map()), {
  name: 'database',
});

const cookies = hoist(
  async (context: Context) => {
    context.decorateRequest('cookies', null);
    context.decorateReply('setCookie', () => {});
    context.addHook('onRequest', async function parseCookies() {});
  },
  { name: 'cookies' },
);

const rateLimit = hoist(
  async (context: Context) => {
    context.decorate('limits', { max: 100 });
    context.addHook('onRoute', (route) => {
      route.preHandler = [route.preHandler ?? [], async function limitRate() {}].flat() as never;
    });
  },
  { name: 'rate-limit' },
);

const sessions = hoist(
  async (context: Context) => {
    context.decorateRequest('user', null);
    context.addHook('preHandler', async function loadUser() {});
  },
  { name: 'sessions' },
);

async function notes(context: Context): Promise<void> {
  context.decorateRequest('note', null);
  context.setNotFoundHandler(function noSuchNote(_request, reply) {
    return reply.code(404).send({ message: 'no such note' });
  });
  const byId = { params: { id: { type: 'integer' } }, response: { 200: { $ref: 'note#' } } };
  context.get('/:id', { schema: byId }, async function readNote(request) {
    return { id: (request.params as { id: number }).id, title: 'Milk', secret: 1 } as never;
  });
  context.post('/', { schema: { body: { $ref: 'note#' } } }, async function addNote(request) {
    return request.body as never;
  });
  context.delete('/:id', async function removeNote() {
    throw Object.assign(new Error('not yours'), { statusCode: 403 });
  });
}

async function users(context: Context): Promise<void> {
  context.register(sessions);
  context.get('/', async function listUsers() {
    return [] as never;
  });
  context.register(
    async function admin(inner) {
      inner.addHook('onRequest', async function requireAdmin(_request, reply) {
        return reply.code(401).send({ message: 'who are you?' } as never);
      });
      inner.get('/audit', async () => 'audit');
    },
    { prefix: '/admin' },
  );
}

async function api(context: Context): Promise<void> {
  context.register(rateLimit);
  context.addHook('onRequest', async function checkToken() {});
  context.register(notes, { prefix: '/notes' });
  context.register(users, { prefix: '/users' });
}

async function site(context: Context): Promise<void> {
  context.decorateReply('view', () => {});
  context.get('/about', async () => 'about');
}

export function makeInspectedApp(): FastifyInstance {
  const app = ambit();
  app.register(inspector);
  app.register(database);
  app.register(cookies);
  app.addSchema(note);
  app.setErrorHandler(function replyWithProblem(error, _request, reply) {
    return reply.code((error as { statusCode?: number }).statusCode ?? 500).send({ message: 'failed' });
  });
  app.addHook('onSend', async function addServerTiming(_request, reply, payload) {
    reply.header('server-timing', 'app');
    return payload;
  });
  app.get('/health', async () => 'ok');
  app.register(api, { prefix: '/api' });
  app.register(site);
  return app as unknown as FastifyInstance;
}

/** @param contexts How many contexts, ten levels deep. @param routes How many routes, in all of them. */
export function makeLargeApp(contexts: number, routes: number): FastifyInstance {
  const app = ambit({ exposeHeadRoutes: false });
  app.register(inspector);
  const each = Math.ceil(routes / contexts);
  let made = 0;
  const fill = (depth: number) =>
    async function module(context: Context): Promise<void> {
      const own = made++;
      context.decorateRequest(`of${own}`, null);
      for (let i = 0; i < each; i++) context.get(`/module-${own}/resource-${i}/:id`, async () => 'ok');
      if (depth < 10) context.register(fill(depth + 1));
    };
  for (let i = 0; i < contexts / 10; i++) app.register(fill(1));
  return app as unknown as FastifyInstance;
}
