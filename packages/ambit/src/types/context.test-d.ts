/** Who sees which decorator, schema and route: the types follow the contexts. */
import { ambit, hoist, plugin } from '../index.ts';
import type { Context } from './context.ts';
import type { Provides } from './plugins.ts';
import type { Reply } from './reply.ts';
import type { Request } from './request.ts';

/** Compiles only if both types are the same. */
declare function same<Expected>(): <Actual>(
  actual: Actual,
  ...proof: (<T>() => T extends Actual ? 1 : 2) extends <T>() => T extends Expected ? 1 : 2 ? [] : [never]
) => void;

class Db {
  find(id: number): string {
    return String(id);
  }
}

// ---- decorators are known from the result of their declaration on

const app = ambit()
  .decorate('db', new Db())
  .decorate('double', (value: number) => value * 2)
  .decorateRequest('user', null as { name: string } | null)
  .decorateRequest('agent', {
    getter() {
      return this.headers['user-agent'] ?? 'none';
    },
  })
  .decorateReply('teapot', function (text: string) {
    return this.code(418).send(text);
  });

same<string>()(app.db.find(1));
same<number>()(app.double(2));

app.get('/', function (request, reply) {
  same<{ name: string } | null>()(request.user);
  same<string>()(request.agent);
  same<string>()(this.db.find(1));
  // @ts-expect-error: nobody decorated requests with that.
  request.nothing;
  return reply.teapot('short');
});
app.get('/hooks', {
  onRequest: (request, _reply, done) => {
    request.user = { name: 'ada' };
    // @ts-expect-error: a name is text.
    request.user = { name: 1 };
    done();
  },
  preHandler: async (request) => void request.user?.name,
  errorHandler: (_error, request, reply) => reply.teapot(request.agent),
  handler: async (request) => request.user?.name,
});
app.addHook('onSend', async (request, reply, payload) => {
  same<string>()(request.agent);
  reply.teapot;
  return payload;
});
app.addHook('onReady', async function () {
  same<string>()(this.db.find(1));
});
app.setErrorHandler(function (_error, request, reply) {
  this.db;
  reply.teapot(request.agent);
});
app.setNotFoundHandler((request) => request.user);

// ---- encapsulation: a child sees what its ancestors have, and keeps what it adds

app.register(async (child) => {
  same<string>()(child.db.find(1));
  const grown = child.decorate('own', 1).decorateRequest('tenant', '');
  same<number>()(grown.own);
  grown.register(async (grandchild) => {
    same<number>()(grandchild.own);
    grandchild.get('/', (request) => [request.tenant, request.user]);
  });
  // @ts-expect-error: the variable has the type it had before the declaration.
  child.own;
});
app.register(async (sibling) => {
  // @ts-expect-error: a sibling's decorator.
  sibling.own;
  sibling.get('/', (request) => {
    // @ts-expect-error: a sibling's decorator.
    request.tenant;
  });
});
const after = app.register((child, _options, done) => {
  child.decorate('hidden', 1);
  done();
});
// @ts-expect-error: a child's decorator.
after.hidden;
same<string>()(after.db.find(1));

// ---- hoisted plugins

const cache = hoist((context, options: { size: number }) =>
  context.decorate('cache', new Map<string, number>()).decorateRequest('size', options.size),
);
const withCache = ambit().register(cache, { size: 1 });
same<Map<string, number>>()(withCache.cache);
withCache.get('/', (request) => {
  same<number>()(request.size);
});
// @ts-expect-error: its option is a number.
ambit().register(cache, { size: 'x' });
// @ts-expect-error: its option has to be given.
ambit().register(cache);
const later = hoist(async (context: Context) => context.decorate('later', 1));
same<number>()(ambit().register(later).later);

// ---- needs

const repository = plugin<{ context: { db: Db }; request: { user: unknown } }>()(async (context) => {
  same<string>()(context.db.find(1));
  context.get('/', (request) => request.user);
});
app.register(repository);
app.register(repository, { prefix: '/v1' });
// @ts-expect-error: there is no `db` here.
ambit().register(repository);
// @ts-expect-error: there is a `db`, but requests have no user.
ambit().decorate('db', new Db()).register(repository);
const counting = plugin<Provides<typeof cache>>()(async (context) => void context.cache.size);
withCache.register(counting);
// @ts-expect-error: there is no cache here.
app.register(counting);
const sized = hoist(
  plugin<{ context: { db: Db } }>()((context) => context.decorate('found', context.db.find(1))),
);
same<string>()(app.register(sized).found);
// @ts-expect-error: there is no `db` here.
ambit().register(sized);

// ---- every context is a Context

function routes(context: Context): void {
  context.get('/', (request: Request, reply: Reply) => reply.send(request.url));
}
routes(app);
routes(withCache);
app.register(async (child) => routes(child));
app.register(async (context: Context) => routes(context));

// ---- shared schemas

const shared = ambit().addSchema({
  $id: 'user',
  type: 'object',
  properties: { name: { type: 'string' }, age: { type: 'integer' } },
  required: ['name'],
});
shared.post('/', { schema: { body: { $ref: 'user#' } } }, (request) => {
  same<string>()(request.body.name);
  same<number | undefined>()(request.body.age);
});
shared.register(async (child) => {
  child.post('/', { schema: { body: { type: 'array', items: { $ref: 'user' } } } }, (request) => {
    same<string[]>()(request.body.map(({ name }) => name));
  });
});
ambit().post('/', { schema: { body: { $ref: 'user#' } } }, (request) => {
  same<unknown>()(request.body);
});

// ---- headers

ambit().get('/', { schema: { headers: { Age: { type: 'integer' } } } }, ({ headers }) => {
  same<number | undefined>()(headers.age);
  same<string | undefined>()(headers['user-agent']);
  same<string | string[] | undefined>()(headers['x-other']);
});
ambit().get<{ Headers: { age: number } }>('/', ({ headers }) => {
  same<number>()(headers.age);
});
ambit().get('/', ({ headers }) => {
  same<string | undefined>()(headers.age);
});
