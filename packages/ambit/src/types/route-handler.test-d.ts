/** Handlers in files of their own: the types of their arguments, and the contexts that accept them. */
import {
  ambit,
  type Context,
  type Empty,
  hoist,
  type Provides,
  type RouteHandler,
  type RouteSchema,
} from '../index.ts';

/** Compiles only if both types are the same. */
declare function same<Expected>(): <Actual>(
  actual: Actual,
  ...proof: (<T>() => T extends Actual ? 1 : 2) extends <T>() => T extends Expected ? 1 : 2 ? [] : [never]
) => void;

const schema = {
  params: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
  querystring: { page: { type: 'integer', default: 1 } },
  headers: { 'X-Tenant': { type: 'string' } },
  body: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  response: {
    201: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
    404: { problem: { type: 'string' } },
  },
} as const satisfies RouteSchema;

// ---- of a schema alone

export const create: RouteHandler<typeof schema> = async (request, reply) => {
  same<number>()(request.params.id);
  same<number>()(request.query.page);
  same<string>()(request.body.text);
  same<string | undefined>()(request.headers['x-tenant']);
  // @ts-expect-error: 500 is not declared.
  reply.code(500);
  // @ts-expect-error: the id is a number.
  reply.code(201).send({ id: 'x' });
  if (request.body.text === '') return reply.code(404).send({ problem: 'empty' });
  return { id: request.params.id };
};
// @ts-expect-error: the id is a number.
export const wrong: RouteHandler<typeof schema> = async () => ({ id: 'x' });
ambit().post('/notes/:id', { schema, handler: create });
ambit().post('/notes/:id', { schema }, create);
ambit().route({ method: 'POST', url: '/notes/:id', schema, handler: create });
// @ts-expect-error: a route without the schema does not give what the handler reads.
ambit().post('/notes/:id', create);
const plain: RouteHandler = (request) => request.url;
ambit().get('/', plain);
ambit().get('/notes/:id', plain);
const byPath: RouteHandler<Empty, Context, '/notes/:id'> = ({ params }) => params.id.trim();
ambit().get('/notes/:id', byPath);
// @ts-expect-error: this path has no such parameter.
ambit().get('/notes/:name', byPath);

// ---- in a context, or with needs

const app = ambit()
  .decorate('db', { find: (id: number) => String(id) })
  .decorateRequest('user', null as { name: string } | null)
  .addSchema({ $id: 'note', type: 'object', properties: { text: { type: 'string' } }, required: ['text'] });
const shared = { body: { $ref: 'note#' } } as const;
const inApp: RouteHandler<typeof shared, typeof app> = function (request) {
  same<string>()(this.db.find(1));
  same<{ name: string } | null>()(request.user);
  return request.body.text;
};
app.post('/shared', { schema: shared, handler: inApp });
app.register(async (child) => void child.post('/child', { schema: shared, handler: inApp }));
// @ts-expect-error: there is no `db` here, and requests have no user.
ambit().post('/shared', { schema: shared, handler: inApp });
const needy: RouteHandler<Empty, { request: { user: { name: string } | null } }> = ({ user }) => user?.name;
app.get('/needy', needy);
// @ts-expect-error: requests have no user.
ambit().get('/needy', needy);
const store = hoist((context, options: { size: number }) =>
  context.decorate('store', new Map([['size', options.size]])),
);
const stored: RouteHandler<Empty, Provides<typeof store>> = function () {
  return this.store.get('size');
};
ambit().register(store, { size: 1 }).get('/stored', stored);

// ---- in lists, of files too

const notes = { method: 'POST', url: '/notes/:id', schema, handler: create } as const;
const drafts = { method: 'PUT', url: '/drafts/:id', schema, handler: create } as const;
for (const route of [notes, drafts]) app.route(route);
const routes = (context: Context) => context.route(notes);
const others = (context: Context) => context.get('/plain', plain);
for (const file of [routes, others]) app.register(file, { prefix: '/v1' });
for (const handler of [plain, plain]) app.get('/list', handler);

// ---- a path stays what the call says

const chained = ambit().post('/notes/:id', { schema, handler: create }).get('/plain', plain);
void chained.inject.get('/plain');
// @ts-expect-error: there is no such route.
void chained.inject.get('/other', {});
