// Chapter 1 of docs/specification.md: contexts and plugins.
import { hoist } from 'ambit';
import { bootErrorOf } from './boot-error.mjs';

const marked = (plugin) => Object.assign(plugin, { [Symbol.for('skip-override')]: true });

/** Routes that tell which of the decorators a context sees. */
const tell = (context, path, names) =>
  context.get(path, () => Object.fromEntries(names.map((name) => [name, context[name]])));

export const contexts = [
  {
    rule: '1.1',
    setUp(app) {
      app.decorate('first', 1).register(async (second) => {
        second.decorate('second', 2).register(async (third) => {
          third.decorate('third', 3);
          tell(third, '/deepest', ['first', 'second', 'third']);
        });
      });
    },
    requests: [['/deepest', {}, { body: { first: 1, second: 2, third: 3 } }]],
  },
  {
    rule: '1.2',
    setUp(app) {
      app.register(async (plugin) => {
        plugin.decorateRequest('mark', 'none');
        plugin.addHook('onRequest', async (request) => {
          request.mark = 'set by a hook';
        });
        plugin.addSchema({ $id: 'mark', type: 'object', properties: { mark: { type: 'string' } } });
        plugin.register(async (inner) => {
          inner.get('/added', { schema: { response: { 200: { $ref: 'mark#' } } } }, ({ mark }) => ({
            mark,
            more: 1,
          }));
        });
      });
    },
    requests: [['/added', {}, { body: { mark: 'set by a hook' } }]],
  },
  {
    rule: '1.3',
    setUp(app) {
      app.decorateReply('greet', function greet() {
        return this.send('from the reply');
      });
      app.addHook('onSend', async (_request, reply) => void reply.header('x-own', 'inherited'));
      app.register(async (child) => {
        child.get('/inherited', (_request, reply) => reply.greet());
      });
    },
    requests: [['/inherited', {}, { body: 'from the reply', headers: { 'x-own': 'inherited' } }]],
  },
  {
    rule: '1.4',
    setUp(app) {
      app.register(async (child) => {
        child.decorate('below', true);
        child.addHook('onRequest', async (_request, reply) => reply.code(403).send('only below'));
        child.get('/below', () => 'never');
      });
      tell(app, '/above', ['below']);
    },
    requests: [
      ['/above', {}, { body: {} }],
      ['/below', {}, { status: 403, body: 'only below' }],
    ],
  },
  {
    rule: '1.5',
    setUp(app) {
      for (const name of ['left', 'right'])
        app.register(async (sibling) => {
          sibling.decorate('side', name);
          sibling.addSchema({ $id: 'side', type: 'object', properties: { [name]: { type: 'boolean' } } });
          const schema = { response: { 200: { $ref: 'side#' } } };
          sibling.get(`/${name}`, { schema }, () => ({ left: true, right: true }));
          tell(sibling, `/${name}/side`, ['side']);
        });
    },
    requests: [
      ['/left', {}, { body: { left: true } }],
      ['/right', {}, { body: { right: true } }],
      ['/left/side', {}, { body: { side: 'left' } }],
      ['/right/side', {}, { body: { side: 'right' } }],
    ],
  },
  {
    rule: '1.6',
    setUp: (app) => tell(app, '/root', ['definedLater']),
    setUpRoot: (root) => root.decorate('definedLater', 'at the root'),
    requests: [['/root', {}, { body: { definedLater: 'at the root' } }]],
  },
  ...[
    ['1.7', hoist],
    ['1.9', marked],
  ].map(([rule, wrap]) => ({
    rule,
    setUp(app) {
      const name = `raised${rule.replace('.', '')}`;
      app.register(
        wrap(async (plugin) => {
          plugin.decorate(name, 'one level up');
          plugin.addHook('onRequest', async (_request, reply) => void reply.header('x-own', name));
        }),
      );
      app.register(async (beside) => tell(beside, '/beside', [name]));
    },
    requests: [
      [
        '/beside',
        {},
        {
          body: { [`raised${rule.replace('.', '')}`]: 'one level up' },
          headers: { 'x-own': `raised${rule.replace('.', '')}` },
        },
      ],
    ],
  })),
  {
    rule: '1.8',
    setUp(app) {
      app.register(async (parent) => {
        parent.register(hoist(async (plugin) => void plugin.decorate('oneLevel', true)));
        tell(parent, '/parent', ['oneLevel']);
      });
      app.register(async (beside) => tell(beside, '/beside', ['oneLevel']));
      tell(app, '/grandparent', ['oneLevel']);
    },
    requests: [
      ['/parent', {}, { body: { oneLevel: true } }],
      ['/beside', {}, { body: {} }],
      ['/grandparent', {}, { body: {} }],
    ],
  },
  {
    rule: '1.10',
    setUp(app) {
      app.register(
        async (outer) => {
          outer.get('/', () => 'outer');
          outer.register(async (inner) => inner.get('/:id', ({ params }) => params), { prefix: '/inner' });
        },
        { prefix: '/outer' },
      );
    },
    requests: [
      ['/outer', {}, { body: 'outer' }],
      ['/outer/', {}, { body: 'outer' }],
      ['/outer/inner/7', {}, { body: { id: '7' } }],
    ],
  },
  {
    rule: '1.11',
    setUp(app) {
      app.register(async (plugin) => {
        const order = [];
        await plugin
          .register(async () => void order.push('first'))
          .register(async () => void order.push('second'));
        order.push('awaited');
        plugin.get('/order', () => order);
      });
    },
    requests: [['/order', {}, { body: ['first', 'second', 'awaited'] }]],
  },
  {
    rule: '1.12',
    setUp(app, factory) {
      app.get('/late', () =>
        bootErrorOf(async () => {
          const late = factory();
          await late.ready();
          late.register(async () => {});
        }),
      );
    },
    requests: [['/late', {}, { body: { code: 'FST_ERR_ROOT_PLG_BOOTED' } }]],
  },
  {
    rule: '1.13',
    setUp(app) {
      app.decorateRequest('count', 0);
      app.get('/count', (request) => {
        request.count += 1;
        return { count: request.count };
      });
    },
    requests: [
      ['/count', {}, { body: { count: 1 } }],
      ['/count', {}, { body: { count: 1 } }],
    ],
  },
  {
    rule: '1.14',
    setUp: (app) => app.get('/invisible', (request) => ({ hidden: request.hidden, seen: true })),
    requests: [['/invisible', {}, { body: { seen: true } }]],
  },
  {
    rule: '9.1',
    setUp(app, factory) {
      const written = (range) => hoist(async () => {}, { name: 'versioned', fastify: range });
      app.register(written('4.x || 5.x'));
      app.get('/refused', () => bootErrorOf(() => factory().register(written('6.x')).ready()));
    },
    requests: [['/refused', {}, { body: { code: 'FST_ERR_PLUGIN_VERSION_MISMATCH' } }]],
  },
];
