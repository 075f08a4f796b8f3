// Chapters 2 and 3 of docs/specification.md: routes, and the schemas of requests.
import { bootErrorOf, declarationErrorOf, schemaErrorOf } from './boot-error.mjs';
import { invalid, json, post } from './requests.mjs';

const named = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };

export const routes = [
  {
    rule: '2.1',
    setUp: (app) =>
      app.route({ method: 'GET', url: '/plain', handler: ({ method }, reply) => reply.send({ method }) }),
    requests: [['/plain', {}, { body: { method: 'GET' } }]],
  },
  {
    rule: '2.2',
    setUp: (app) =>
      app.route({ method: ['put', 'DELETE'], url: '/both', handler: ({ method }) => ({ method }) }),
    requests: [
      ['/both', { method: 'PUT' }, { body: { method: 'PUT' } }],
      ['/both', { method: 'DELETE' }, { body: { method: 'DELETE' } }],
      ['/both', {}, { status: 404 }],
    ],
  },
  {
    rule: '2.3',
    setUp(app) {
      const handler = ({ method }) => ({ method });
      for (const method of ['delete', 'options', 'patch', 'post', 'put']) app[method]('/short', handler);
      app.get('/short', { handler });
      app.all('/all', {}, handler);
    },
    requests: [
      ...['GET', 'DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT'].map((method) => [
        '/short',
        { method },
        { body: { method } },
      ]),
      ['/all', { method: 'PATCH' }, { body: { method: 'PATCH' } }],
    ],
  },
  {
    rule: '2.4',
    setUp(app, factory) {
      const users = async (child) => child.get('no-slash', () => 'never');
      app.get('/no-path', () => declarationErrorOf(() => factory().register(users).ready()));
      app.get('/no-handler', () => bootErrorOf(() => factory().get('/')));
      app.get('/twice', () =>
        bootErrorOf(() =>
          factory()
            .get('/', () => 'first')
            .get('/', () => 'second'),
        ),
      );
    },
    requests: [
      ['/no-path', {}, { body: { code: 'AMBIT_ERR_ROUTE_INVALID', plugin: 'ambit > users' } }],
      ['/no-handler', {}, { body: { code: 'FST_ERR_ROUTE_MISSING_HANDLER' } }],
      ['/twice', {}, { body: { code: 'FST_ERR_DUPLICATED_ROUTE' } }],
    ],
  },
  {
    rule: '2.8',
    setUp(app) {
      const preHandler = async (request) => {
        request.who = 'preHandler';
      };
      app.setNotFoundHandler({ preHandler }, (request, reply) =>
        reply.code(404).send({ own: request.url, by: request.who }),
      );
      app.get('/given-up', (_request, reply) => reply.callNotFound());
    },
    requests: [
      ['/nowhere?a=1', {}, { status: 404, body: { own: '/rules/2.8/nowhere?a=1', by: 'preHandler' } }],
      ['/given-up', {}, { status: 404, body: { own: '/rules/2.8/given-up', by: 'preHandler' } }],
      ['/given-up', { method: 'POST' }, { status: 404 }],
    ],
  },
  {
    rule: '3.1',
    setUp(app) {
      const schema = {
        summary: 'an annotation',
        params: { id: { type: 'integer' } },
        query: { limit: { type: 'integer', maximum: 10 } },
        headers: { 'x-level': { type: 'number' } },
        body: named,
        response: { 200: { id: { type: 'integer' }, limit: { type: 'integer' }, name: { type: 'string' } } },
      };
      app.post('/parts/:id', { schema }, ({ params, query, body }) => ({
        ...params,
        ...query,
        ...body,
        more: 1,
      }));
    },
    requests: [
      ['/parts/7?limit=3', post({ name: 'Ada' }), { body: { id: 7, limit: 3, name: 'Ada' } }],
      ['/parts/x', post({ name: 'Ada' }), { status: 400 }],
      ['/parts/7?limit=11', post({ name: 'Ada' }), { status: 400 }],
      ['/parts/7', post({}), { status: 400 }],
      ['/parts/7', post({ name: 'Ada' }, { ...json, 'x-level': 'high' }), { status: 400 }],
    ],
  },
  {
    rule: '3.2',
    setUp(app, factory) {
      app.get('/body-of-get', () =>
        bootErrorOf(() => factory().get('/', { schema: { body: named } }, () => 'never')),
      );
      app.patch('/body-of-patch', { schema: { body: named } }, ({ body }) => body);
    },
    requests: [
      ['/body-of-get', {}, { body: { code: 'FST_ERR_ROUTE_BODY_VALIDATION_SCHEMA_NOT_SUPPORTED' } }],
      ['/body-of-patch', { ...post({}), method: 'PATCH' }, { status: 400 }],
    ],
  },
  {
    rule: '3.3',
    setUp: (app) =>
      app.get('/short', { schema: { query: { n: { type: 'integer' } } } }, ({ query }) => query),
    requests: [
      ['/short?n=1', {}, { body: { n: 1 } }],
      ['/short?n=x', {}, invalid('querystring/n should be integer')],
    ],
  },
  {
    rule: '3.4',
    setUp(app) {
      app.post('/all', { schema: { body: true } }, ({ body }) => ({ body }));
      app.post('/none', { schema: { body: false } }, () => 'never');
    },
    requests: [
      ['/all', post([1]), { body: { body: [1] } }],
      ['/none', post([1]), invalid('body boolean schema is false')],
    ],
  },
  {
    rule: '3.5',
    notOn: ['workerd'],
    setUp: (app, factory) =>
      app.get('/invalid', () =>
        schemaErrorOf(factory().get('/notes', { schema: { query: { type: 'nonsense' } } }, () => 'never')),
      ),
    requests: [
      [
        '/invalid',
        {},
        { body: { code: 'FST_ERR_SCH_VALIDATION_BUILD', route: 'GET /notes', part: 'querystring' } },
      ],
    ],
  },
  {
    rule: '3.6',
    setUp(app) {
      const headers = {
        type: 'object',
        required: ['X-Level'],
        properties: { 'X-Level': { type: 'integer' } },
      };
      app.get('/level', { schema: { headers } }, (request) => ({ level: request.headers['x-level'] }));
    },
    requests: [
      ['/level', { headers: { 'X-LEVEL': '3' } }, { body: { level: 3 } }],
      ['/level', {}, { status: 400 }],
    ],
  },
  {
    rule: '3.7',
    setUp(app) {
      app.addContentTypeParser(
        /^application\/vnd\.api\+json/,
        { parseAs: 'string' },
        (_request, text, done) => done(null, JSON.parse(text)),
      );
      app.addContentTypeParser('text/csv', { parseAs: 'string' }, (_request, text, done) =>
        done(null, text.split(',')),
      );
      app.post('/json', { schema: { body: named } }, ({ body }) => body);
      const content = {
        'application/json': { schema: named },
        'text/csv': { schema: { type: 'array', minItems: 2 } },
      };
      app.post('/content', { schema: { body: { content } } }, ({ body }) => ({ body }));
    },
    requests: [
      ['/json', post('{}', { 'content-type': 'application/vnd.api+json' }), { status: 400 }],
      [
        '/json',
        post('{"name":"a"}', { 'content-type': 'application/JSON ; charset=utf-8' }),
        { body: { name: 'a' } },
      ],
      ['/content', post('a,b', { 'content-type': 'text/csv' }), { body: { body: ['a', 'b'] } }],
      ['/content', post('a', { 'content-type': 'text/csv' }), { status: 400 }],
    ],
  },
  {
    rule: '3.8',
    setUp: (app) => app.post('/json', { schema: { body: named } }, () => 'never'),
    requests: [
      ['/json', post('name=a', { 'content-type': 'application/x-www-form-urlencoded' }), { status: 415 }],
      ['/json', post('a', { 'content-type': 'text/plain' }), { status: 415 }],
    ],
  },
  {
    rule: '3.9',
    setUp: (app) => app.post('/json', { schema: { body: named } }, () => 'never'),
    requests: [['/json', { method: 'POST' }, { status: 400 }]],
  },
];
