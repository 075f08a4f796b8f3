/** Decorators that are methods, functions that accept an earlier context type, and the types of `server` and of awaited contexts. */
import { ambit, type ContextOf, type Declared, hoist, type Provides, plugin } from '../index.ts';

/** Compiles only if both types are the same. */
declare function same<Expected>(): <Actual>(
  actual: Actual,
  ...proof: (<T>() => T extends Actual ? 1 : 2) extends <T>() => T extends Expected ? 1 : 2 ? [] : [never]
) => void;

// ---- a method can be called on every context that has the decorators it was declared with

const methods = ambit()
  .decorate('first', 5)
  .decorate('next', function () {
    return this.first + 1;
  });
same<number>()(methods.next());
const grown = methods
  .decorateRequest('user', null as { name: string } | null)
  .decorateRequest('shout', function () {
    return this.user?.name.toUpperCase();
  })
  .decorateReply('teapot', function (text: string) {
    same<number>()(this.server.next());
    same<string | undefined>()(this.request.shout());
    return this.code(418).send(text);
  })
  .addSchema({ $id: 'user', type: 'object' })
  .get('/', function (request, reply) {
    same<number>()(this.next());
    same<string | undefined>()(request.shout());
    return reply.teapot('short');
  })
  .decorate('last', function () {
    return this.next();
  })
  .register(async (child) => child.get('/child', () => child.last()), { prefix: '/v1' });
same<number>()(grown.next());
same<number>()(grown.last());
grown.register(async (child) => {
  same<number>()(child.last());
  same<number>()(
    child
      .decorate('own', 1)
      .get('/own', () => 1)
      .last(),
  );
});

// ---- a function that accepts an earlier context type accepts the later one, too

function useIt(context: typeof methods): void {
  context.next();
}
useIt(methods.decorate('more', 1));
useIt(methods.get('/', () => 1));
useIt(methods.addSchema({ $id: 'other', type: 'object' }).decorateRequest('other', 1));
useIt(grown);
methods.register(async (child) => useIt(child));
// @ts-expect-error: there is no such method.
useIt(ambit());

// ---- methods of hoisted plugins

const counter = hoist((context, options: { start: number }) =>
  context.decorate('count', options.start).decorate('increase', function () {
    this.count += 1;
    return this.count;
  }),
);
const counting = ambit()
  .get('/before', () => 1)
  .register(counter, { start: 1 })
  .decorate('afterwards', 1);
same<number>()(counting.increase());
counting.get('/', function () {
  return this.increase();
});
const needy = plugin<Provides<typeof counter>>()(async (context) => {
  same<number>()(context.increase());
  return context.get('/needy', () => context.increase());
});
counting.register(needy, { prefix: '/v1' });

// ---- the context of a request and of a reply

grown.addHook('onRequest', async (request, reply) => {
  same<number>()(request.server.first);
  same<number>()(reply.server.first);
  same<{ name: string } | null>()(reply.request.user);
});
grown.get('/:id', { schema: { querystring: { page: { type: 'integer' } } } }, (request, reply) => {
  same<number>()(request.server.next());
  same<number>()(reply.server.next());
  same<{ name: string } | null>()(reply.request.user);
  same<number | undefined>()(request.query.page);
  // @ts-expect-error: nobody decorated the context with that.
  request.server.nothing;
  return reply.code(200).request.user;
});
grown.setErrorHandler((_error, request, reply) => reply.teapot(String(request.server.first)));

// ---- a context that was awaited is the context

async function build() {
  const built = ambit().register(counter, { start: 1 });
  await built.ready();
  return built;
}
void build().then((built) => {
  same<number>()(built.increase());
  built.close();
});
async function boot(): Promise<void> {
  same<number>()((await ambit().register(counter, { start: 1 })).count);
  same<number>()((await methods.register(async (child) => void child)).first);
  same<number>()((await methods.ready()).first);
  methods.ready((_error, context) => same<number | undefined>()(context?.first));

  const deep = ambit().register(
    async (child) => child.register((inner) => inner.post('/deep', () => 1), { prefix: '/in' }),
    { prefix: '/out' },
  );
  await deep.inject.post('/out/in/deep');
  // @ts-expect-error: that is the path within the plugin.
  await deep.inject.post('/deep', {});
}
void boot;

// ---- an application that is not chained accepts any path, and so do plugins

const loose = ambit();
loose.get('/x', () => 1);
loose.inject.get('/x');
loose.register(async (child) => void child.inject.get('/anything'));
methods.inject.post('/anything', { body: 1 });

// ---- routes of one method and path

const versions = ambit()
  .get(
    '/x',
    { constraints: { version: '1.0.0' }, schema: { response: { 200: { type: 'boolean' } } } },
    () => true,
  )
  .get(
    '/x',
    { constraints: { version: '2.0.0' }, schema: { response: { 200: { type: 'integer' } } } },
    () => 2,
  );
void versions.inject.get('/x').then((reply) => {
  if (reply.statusCode === 200) same<boolean | number>()(reply.json());
});

// ---- editors show the types without helper types

same<ContextOf<Declared<{ a: number } & { b: string }, { c: boolean }, unknown, unknown, unknown>>>()(
  ambit().decorate('a', 1).decorateRequest('c', false).decorate('b', ''),
);
