// Chapters 6, 7 and 8 of docs/specification.md: responses, errors and limits.
import { Readable } from 'node:stream';
import { bootErrorOf } from './boot-error.mjs';
import { json, post } from './requests.mjs';

const shows = (...names) => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
});
const unavailable = (message) => ({ statusCode: 503, error: 'Service Unavailable', message });
const value = { a: 'a', b: 'b', c: 'c' };

/** What a handler may send, by the path that sends it. */
const payloads = {
  text: () => 'text',
  number: () => 7,
  boolean: () => false,
  array: () => [1, 'ä'],
  buffer: () => Buffer.from([0, 255]),
  array_buffer: () => new Uint8Array([1, 2]).buffer,
  stream: () => Readable.from(['a', 'b']),
  web_stream: () => new Blob(['web']).stream(),
  date: () => ({ at: new Date(0), none: undefined, list: [undefined] }),
};

export const responses = [
  {
    rule: '6.1',
    setUp: (app) =>
      app.get(
        '/status/:status',
        { schema: { response: { 201: shows('a'), '2XX': shows('b'), default: shows('c') } } },
        ({ params }, reply) => reply.code(Number(params.status)).send(value),
      ),
    requests: [
      ['/status/201', {}, { status: 201, body: { a: 'a' } }],
      ['/status/202', {}, { status: 202, body: { b: 'b' } }],
      ['/status/400', {}, { status: 400, body: { c: 'c' } }],
    ],
  },
  {
    rule: '6.2',
    setUp(app) {
      const content = {
        'application/vnd.a+json': { schema: shows('a') },
        '*/*': { schema: shows('b') },
      };
      const schema = { response: { 200: { content }, '2xx': shows('c') } };
      app.get('/type', { schema }, ({ query }, reply) => reply.type(query.type).send(value));
    },
    requests: [
      ['/type?type=application/vnd.a%2Bjson', {}, { body: { a: 'a' } }],
      ['/type?type=application/vnd.A%2Bjson;v=1', {}, { body: { a: 'a' } }],
      ['/type?type=application/json', {}, { body: { b: 'b' } }],
    ],
  },
  {
    rule: '6.3',
    setUp: (app) => app.get('/plain', () => ({ ...value, nested: [{ deep: null }] })),
    requests: [['/plain', {}, { body: { ...value, nested: [{ deep: null }] } }]],
  },
  {
    rule: '6.4',
    setUp(app) {
      const list = { type: 'array', items: shows('a') };
      const schema = { response: { 200: { type: 'object', properties: { list, one: shows('b') } } } };
      app.get('/declared', { schema }, () => ({ list: [value, value], one: value, secret: value }));
    },
    requests: [['/declared', {}, { body: { list: [{ a: 'a' }, { a: 'a' }], one: { b: 'b' } } }]],
  },
  {
    rule: '6.5',
    setUp(app) {
      app.setSerializerCompiler(
        ({ method, url, httpStatus }) =>
          () =>
            JSON.stringify({ method, url, httpStatus }),
      );
      app.get('/compiled', { schema: { response: { 200: shows('a') } } }, () => value);
      app.get('/without', () => value);
    },
    requests: [
      ['/compiled', {}, { body: { method: 'GET', url: '/rules/6.5/compiled', httpStatus: '200' } }],
      ['/without', {}, { body: value }],
    ],
  },
  {
    rule: '6.6',
    setUp: (app) =>
      app.get('/own', { schema: { response: { 200: shows('a') } } }, (_request, reply) =>
        reply
          .type('text/plain')
          .serializer(({ b }) => `only ${b}`)
          .send(value),
      ),
    requests: [['/own', {}, { body: 'only b' }]],
  },
  {
    rule: '6.7',
    setUp(app) {
      const schema = { response: { 200: { ...shows('a', 'missing'), required: ['missing'] } } };
      app.get('/missing', { schema }, () => value);
    },
    requests: [['/missing', {}, { status: 500 }]],
  },
  {
    rule: '6.8',
    setUp(app) {
      for (const [name, make] of Object.entries(payloads))
        app.get(`/${name}`, (_request, reply) => reply.send(make()));
      app.get('/csv', (_request, reply) => reply.type('text/csv').send(value));
    },
    requests: [
      ['/text', {}, { body: 'text', headers: { 'content-type': 'text/plain; charset=utf-8' } }],
      ['/number', {}, { body: 7 }],
      ['/boolean', {}, { body: false }],
      ['/array', {}, { body: [1, 'ä'] }],
      ['/buffer', {}, { headers: { 'content-type': 'application/octet-stream' } }],
      ['/array_buffer', {}, { body: '\u0001\u0002' }],
      ['/stream', {}, { body: 'ab' }],
      ['/web_stream', {}, { body: 'web' }],
      ['/date', {}, { body: { at: '1970-01-01T00:00:00.000Z', list: [null] } }],
      ['/csv', {}, { status: 500 }],
    ],
  },
  {
    rule: '6.9',
    setUp(app) {
      app.get('/status', (_request, reply) => reply.status(202).send('status'));
      app.get('/code', (_request, reply) => reply.code('418').send('code'));
      app.get('/wrong', (_request, reply) => reply.code(99).send('never'));
    },
    requests: [
      ['/status', {}, { status: 202, body: 'status' }],
      ['/code', {}, { status: 418, body: 'code' }],
      [
        '/wrong',
        {},
        {
          status: 500,
          body: {
            statusCode: 500,
            code: 'FST_ERR_BAD_STATUS_CODE',
            error: 'Internal Server Error',
            message: 'Called reply with an invalid status code: 99',
          },
        },
      ],
    ],
  },
  {
    rule: '6.10',
    setUp: (app) =>
      app.get('/twice', async (_request, reply) => {
        reply.send('first');
        reply.send('second');
        return 'third';
      }),
    requests: [['/twice', {}, { body: 'first' }]],
  },
  {
    rule: '7.1',
    setUp: (app) =>
      app.post('/default', { schema: { body: { ...shows('a'), required: ['a'] } } }, () => 'never'),
    requests: [
      [
        '/default',
        post({}),
        {
          status: 400,
          body: {
            statusCode: 400,
            code: 'FST_ERR_VALIDATION',
            error: 'Bad Request',
            message: "body should have required property 'a'",
          },
        },
      ],
    ],
  },
  {
    rule: '7.2',
    setUp(app) {
      app.setErrorHandler((error, request, reply) =>
        reply.code(409).header('x-own', 'handled').send({ message: error.message, url: request.url }),
      );
      app.get('/fails', async () => {
        throw new Error('broken');
      });
      app.addHook('onRequest', async ({ query }) => {
        if (query.hook) throw new Error('broken in a hook');
      });
    },
    requests: [
      [
        '/fails',
        {},
        {
          status: 409,
          body: { message: 'broken', url: '/rules/7.2/fails' },
          headers: { 'x-own': 'handled' },
        },
      ],
      [
        '/fails?hook=1',
        {},
        { status: 409, body: { message: 'broken in a hook', url: '/rules/7.2/fails?hook=1' } },
      ],
    ],
  },
  {
    rule: '7.3',
    setUp(app) {
      const fail = () => {
        throw Object.assign(new Error('broken'), { statusCode: 503 });
      };
      app.register(async (child) => {
        child.setErrorHandler((error) => {
          throw Object.assign(error, { message: `${error.message}, seen by the child` });
        });
        child.register(async (below) => below.get('/below', fail));
      });
      app.register(async (sibling) => sibling.get('/sibling', fail));
    },
    requests: [
      ['/below', {}, { status: 503, body: unavailable('broken, seen by the child') }],
      ['/sibling', {}, { status: 503, body: unavailable('broken') }],
    ],
  },
  {
    rule: '7.4',
    setUp: (app) =>
      app.get('/secret', () => {
        throw Object.assign(new Error('broken'), { password: 'secret', cause: new Error('secret') });
      }),
    requests: [
      [
        '/secret',
        {},
        { status: 500, body: { statusCode: 500, error: 'Internal Server Error', message: 'broken' } },
      ],
    ],
  },
  {
    rule: '7.5',
    setUp: (app, factory) =>
      app.get('/compiler', async () => {
        const broken = factory();
        broken.setValidatorCompiler(({ httpPart }) => {
          throw new Error(`no compiler for ${httpPart}`);
        });
        broken.get('/', { schema: { query: shows('a') } }, () => 'never');
        const error = await broken.ready().then(
          () => undefined,
          (reason) => reason,
        );
        return { named: error.message.includes('no compiler for querystring') };
      }),
    requests: [['/compiler', {}, { body: { named: true } }]],
  },
  {
    rule: '8.1',
    setUp: (app, factory) =>
      app.get('/late', () =>
        bootErrorOf(async () => {
          const late = factory();
          await late.ready();
          late.addSchema({ $id: 'late' });
        }),
      ),
    requests: [['/late', {}, { body: { code: 'FST_ERR_INSTANCE_ALREADY_LISTENING' } }]],
  },
  {
    rule: '8.2',
    setUp(app) {
      app.setErrorHandler((error, _request, reply) =>
        reply.code(400).send({ count: error.validation.length }),
      );
      app.post('/first', { schema: { body: { type: 'object', required: ['a', 'b'] } } }, () => 'never');
    },
    requests: [['/first', post({}), { status: 400, body: { count: 1 } }]],
  },
  {
    rule: '8.3',
    setUp: (app) => app.post('/limit', ({ body }) => ({ length: body.length })),
    requests: [
      [
        '/limit',
        post('x'.repeat(1_048_576), { 'content-type': 'text/plain' }),
        { body: { length: 1_048_576 } },
      ],
      ['/limit', post('x'.repeat(1_048_577), { 'content-type': 'text/plain' }), { status: 413 }],
    ],
  },
  {
    rule: '8.4',
    setUp(app) {
      app.register(async (guarded) => {
        guarded.addHook('onRequest', async ({ headers }, reply) =>
          headers.authorization === 'Bearer key' ? undefined : reply.code(401).send({ refused: true }),
        );
        guarded.register(async (below) => {
          below.get('/below', () => 'in');
          below.post('/below', () => 'in');
        });
      });
      app.register(async (open) => open.get('/open', () => 'open'));
    },
    requests: [
      ['/below', {}, { status: 401, body: { refused: true } }],
      ['/below', { headers: { authorization: 'Bearer key' } }, { body: 'in' }],
      ['/open', {}, { body: 'open' }],
    ],
  },
  {
    rule: '8.5',
    setUp(app) {
      app.addHook('onRequest', async (_request, reply) => reply.code(401).send({ refused: true }));
      app.post('/unread', () => 'never');
    },
    requests: [['/unread', post('{', json), { status: 401, body: { refused: true } }]],
  },
];
