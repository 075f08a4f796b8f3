// What docs/guide/lifecycle.md and its neighbours say of the order of a request: hooks, errors and parsers of bodies.
import { post } from './requests.mjs';

const payloadHooks = ['preSerialization', 'onSend'];
const plainHooks = ['onRequest', 'preValidation', 'preHandler', 'onResponse'];

/** What runs for each request with a body, before and after what a handler's error adds. */
const untilHandler = ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'handler'];
const fromPayload = ['preSerialization', 'onSend', 'onResponse'];

/** Notes the name of each hook that runs, for each request. */
function noteHooks(app) {
  app.decorateRequest('order', null);
  app.addHook('onRequest', async (request) => {
    request.order = [];
  });
  const note = (request, name) => void request.order.push(name);
  for (const name of plainHooks) app.addHook(name, async (request) => note(request, name));
  app.addHook('preParsing', async (request, _reply, payload) => {
    note(request, 'preParsing');
    return payload;
  });
  for (const name of payloadHooks)
    app.addHook(name, async (request, _reply, payload) => {
      note(request, name);
      return payload;
    });
  app.addHook('onError', async (request) => note(request, 'onError'));
}

export const lifecycle = [
  {
    rule: 'the order of hooks',
    path: 'hooks',
    setUp(app) {
      noteHooks(app);
      let last = [];
      app.addHook('onResponse', async ({ order, url }) => {
        if (!url.endsWith('/last')) last = order;
      });
      app.post('/order', (request) => {
        request.order.push('handler');
        return { a: 1 };
      });
      app.post(
        '/fails',
        { errorHandler: ({ message }, _request, reply) => reply.code(200).send({ message }) },
        (request) => {
          request.order.push('handler');
          throw Object.assign(new Error('broken'), { statusCode: 400 });
        },
      );
      app.get('/last', () => last);
    },
    requests: [
      ['/order', post({}), { body: { a: 1 } }],
      [
        '/last',
        {},
        {
          body: [...untilHandler, ...fromPayload],
        },
      ],
      ['/fails', post({}), { body: { message: 'broken' } }],
      [
        '/last',
        {},
        {
          body: [...untilHandler, 'onError', ...fromPayload],
        },
      ],
    ],
  },
  {
    rule: 'hooks with a callback',
    path: 'callbacks',
    setUp(app) {
      app.addHook('onRequest', (_request, reply, done) => {
        reply.header('x-own', 'called');
        setTimeout(done, 1);
      });
      app.addHook('preHandler', ({ query }, _reply, done) =>
        done(query.fail ? new Error('by callback') : undefined),
      );
      app.addHook('onSend', (_request, _reply, payload, done) =>
        done(null, payload.replace('handler', 'hook')),
      );
      app.get('/called', () => 'handler');
    },
    requests: [
      ['/called', {}, { body: 'hook', headers: { 'x-own': 'called' } }],
      ['/called?fail=1', {}, { status: 500 }],
    ],
  },
  {
    rule: 'another body from preParsing',
    path: 'pre-parsing',
    setUp(app) {
      app.addHook('preParsing', async (_request, _reply, payload) => {
        const { Readable } = await import('node:stream');
        let text = '';
        for await (const chunk of payload) text += chunk;
        const replaced = Readable.from([Buffer.from(text.replace('before', 'after'))]);
        replaced.receivedEncodedLength = text.length;
        return replaced;
      });
      app.post('/replaced', ({ body }) => body);
    },
    requests: [['/replaced', post({ at: 'before' }), { body: { at: 'after' } }]],
  },
  {
    rule: 'parsers of bodies',
    path: 'parsers',
    setUp(app) {
      app.addContentTypeParser('text/own', { parseAs: 'string' }, (_request, text, done) =>
        done(null, { own: text }),
      );
      app.addContentTypeParser(/^image\//, { parseAs: 'buffer' }, async (_request, bytes) => ({
        bytes: bytes.length,
      }));
      app.register(async (child) => {
        child.addContentTypeParser('*', async (_request, payload) => {
          let length = 0;
          for await (const chunk of payload) length += chunk.length;
          return { any: length };
        });
        child.post('/any', ({ body }) => body);
      });
      app.register(async (child) => {
        child.removeAllContentTypeParsers();
        child.post('/none', () => 'never');
      });
      app.post('/parsed', ({ body }) => body);
    },
    requests: [
      ['/parsed', post('text', { 'content-type': 'text/own;charset=utf-8' }), { body: { own: 'text' } }],
      ['/parsed', post('image', { 'content-type': 'image/png' }), { body: { bytes: 5 } }],
      ['/parsed', post('a', { 'content-type': 'video/mp4' }), { status: 415 }],
      ['/any', post('abc', { 'content-type': 'video/mp4' }), { body: { any: 3 } }],
      ['/none', post({}), { status: 415 }],
    ],
  },
  {
    rule: 'decorators of the reply',
    path: 'decorators',
    setUp(app) {
      app.decorateReply('page', function page(text) {
        return this.type('text/html').send(`<p>${text}</p>`);
      });
      app.decorateRequest('agent', {
        getter() {
          return this.headers['user-agent'] ?? 'none';
        },
      });
      app.get('/page', ({ agent }, reply) => reply.page(agent));
    },
    requests: [['/page', { headers: { 'user-agent': 'own' } }, { body: '<p>own</p>' }]],
  },
];
