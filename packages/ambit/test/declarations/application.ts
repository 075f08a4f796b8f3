/** What applications and published plugins export: the compiler writes its declaration, and has to name every type in it. */
import { ambit, type Context, hoist, type Provides, plugin, type RouteHandler } from 'ambit';
import { client } from 'ambit/client';

export const app = ambit()
  .decorate('clock', () => 1)
  .decorate('later', function (seconds: number) {
    return this.clock() + seconds;
  })
  .decorateRequest('user', null as { name: string } | null)
  .decorateReply('teapot', function (text: string) {
    return this.code(418).send(text);
  })
  .addSchema({ $id: 'user', type: 'object', properties: { name: { type: 'string' } }, required: ['name'] })
  .get('/users/:id', { schema: { response: { 200: { $ref: 'user#' } } } }, async ({ params }) => ({
    name: params.id,
  }))
  .post('/users', { schema: { body: { $ref: 'user#' } } }, ({ body }) => body.name)
  .register(async (child) => child.get('/free', () => 'free'), { prefix: '/v1' });
export type App = typeof app;

export const store = hoist((context, options: { size: number }) =>
  context.decorate('store', new Map<string, string>()).decorateRequest('limit', options.size),
);
export const withStore = ambit().register(store, { size: 1 });
export const notes = plugin<Provides<typeof store>>()(async (context) =>
  context.get('/notes', () => context.store.size),
);
export const written = plugin<{ context: { db: string }; request: { user: string } }>()((context) =>
  context.decorate('found', context.db),
);
export const plain = async (context: Context) => context.get('/plain', (request) => request.server.prefix);

export const api = client<App>('http://localhost');
export const call = () => api.get('/users/:id', { params: { id: 1 } });
export const injected = () => app.inject.get('/users/:id', { params: { id: 1 } });

export async function build() {
  const built = ambit().register(store, { size: 1 }).register(notes, { prefix: '/v1' });
  await built.ready();
  return built;
}
export const awaited = await ambit().register(store, { size: 1 });

export const schema = {
  body: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  response: { 200: { type: 'string' } },
} as const;
export const handler: RouteHandler<typeof schema, typeof app> = ({ body, user }) => body.name + user?.name;
export const handlers = [handler, handler];
export const makeHandler = () => handler;
