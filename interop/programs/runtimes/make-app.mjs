// One application for all runtimes. The tests compare what it answers on each with its answers on Node.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { openapi } from '@ambit/openapi';
import { addRules } from './rules/index.mjs';

const chunk = 'x'.repeat(10_000);
const entered = new AsyncLocalStorage();

/** It is fulfilled as a promise, but only `then` runs its work. */
class LazyPromise extends Promise {
  static of(work) {
    return Object.assign(new LazyPromise((resolve) => resolve('not run')), { work });
  }

  // biome-ignore lint/suspicious/noThenProperty: libraries for lazy promises do this.
  then(fulfilled, rejected) {
    return this.work === undefined
      ? super.then(fulfilled, rejected)
      : Promise.resolve(this.work()).then(fulfilled, rejected);
  }
}

/**
 * @param {(options: object) => object} factory Of either flavor.
 * @param {object} options Of the application.
 */
export function makeApp(factory, options) {
  const app = factory({ trustProxy: true, ...options });
  app.decorateRequest('who', null);
  app.addHook('onRequest', async (request) => {
    request.who = 'hook';
  });
  app.register(openapi, { info: { title: 'Runtimes', version: '1.0.0' } });
  addReplies(app);
  addBodies(app);
  addHeldUploads(app);
  addStreams(app);
  addSchemas(app);
  addContexts(app);
  addPromises(app);
  addRules(app, factory);
  return app;
}

function addReplies(app) {
  app.get('/json/:id', ({ params, query, who, ip }) => ({ params, query, who, ip }));
  app.get('/cookies', (_request, reply) =>
    reply.header('set-cookie', ['a=1', 'b=2; Path=/, HttpOnly']).send('ok'),
  );
  for (const status of [204, 205, 304])
    app.get(`/status/${status}`, (_request, reply) => reply.code(status).send());
  app.get('/status/204/content', (_request, reply) => reply.code(204).send('left out'));
  app.get('/redirect', (_request, reply) => reply.redirect('/json/7', 303));
  app.get('/fields', ({ headers }, reply) =>
    reply
      .header('x-own', headers['x-sent'] ?? 'none')
      .header('x-count', 2)
      .type('text/html')
      .send('<p>ä</p>'),
  );
  app.get('/typed', (_request, reply) =>
    reply.code(201).type('application/vnd.own+json').send('{"text":"ä€"}'),
  );
  app.get('/typed/broken', (_request, reply) => reply.type('text/plain\r\nx-own: 1').send('text'));
  app.get('/character/:code', ({ params }, reply) =>
    reply
      .header('x-own', `a${String.fromCharCode(params.code)}b`)
      .type('text/plain')
      .send('text'),
  );
  app.get('/character/:code/type', ({ params }, reply) =>
    reply.type(`text/plain; x=a${String.fromCharCode(params.code)}b`).send('text'),
  );
  app.get('/compressed', (_request, reply) =>
    reply.header('content-encoding', 'gzip').send(gzipSync('compressed')),
  );
  app.get('/trailers', (_request, reply) => reply.trailer('x-end', async () => 'end').send('body'));
  app.get('/bytes', () => new Uint8Array([0, 128, 255]));
  app.get('/nothing', async (_request, reply) => reply.send(null));
  app.get('/error', () => {
    throw new Error('broken');
  });
  app.get('/own-error', async () => {
    throw Object.assign(new Error('no tea'), { statusCode: 418, code: 'TEAPOT' });
  });
}

function addBodies(app) {
  app.addContentTypeParser('application/octet-stream', async (_request, payload) => payload);
  app.post('/echo', ({ body }, reply) => reply.type('application/octet-stream').send(body));
  app.post('/text', ({ body }) => ({ body }));
  app.post('/unread', () => 'unread');
  app.post('/length', { bodyLimit: 10_000_000 }, async ({ body }) => {
    let length = 0;
    for await (const bytes of body) length += bytes.length;
    return { length };
  });
}

/** Uploads that their reader leaves alone after the first piece, or that their client does not end. */
function addHeldUploads(app) {
  const uploads = { held: 0, interrupted: 0, end: 'none', isAborted: false, hooks: [] };
  const bodyLimit = 2_000_000_000;
  app.post('/held', { bodyLimit }, async ({ body }) => {
    for await (const bytes of body) {
      uploads.held += bytes.length;
      await new Promise(() => {});
    }
  });
  app.post('/interrupted', { bodyLimit }, async ({ body, signal }) => {
    try {
      for await (const bytes of body) uploads.interrupted += bytes.length;
      uploads.end = 'complete';
    } catch {
      uploads.end = 'interrupted';
      uploads.isAborted = signal.aborted;
    }
  });
  app.post('/unfinished', {
    preParsing: async () => void uploads.hooks.push('preParsing'),
    onRequestAbort: async () => void uploads.hooks.push('onRequestAbort'),
    onResponse: async () => void uploads.hooks.push('onResponse'),
    handler: () => 'never',
  });
  app.get('/uploads', () => uploads);
}

function addStreams(app) {
  app.get('/stream/long', (_request, reply) =>
    reply.header('content-length', 7).send(Readable.from(['first', 'end'])),
  );
  app.get('/stream/short', (_request, reply) =>
    reply.header('content-length', 50).send(Readable.from(['first'])),
  );
  app.get('/stream', (_request, reply) =>
    reply.send(Readable.from(Array.from({ length: 200 }, (_, i) => `${i} ${chunk}\n`))),
  );
  app.get('/web', () => new Response(new Blob([chunk, chunk]).stream(), { headers: { 'x-own': '1' } }));
  app.get(
    '/web/status',
    () =>
      new Response('made', {
        status: 201,
        headers: [
          ['content-type', 'text/css'],
          ['set-cookie', 'a=1'],
          ['set-cookie', 'b=2'],
        ],
      }),
  );
  app.get('/stream/none', (_request, reply) => reply.send(Readable.from([])));
  app.get('/stream/broken', (_request, reply) =>
    reply.send(
      new Readable({
        read() {
          this.destroy(new Error('no first chunk'));
        },
      }),
    ),
  );
  app.get('/stream/half', (_request, reply) =>
    reply.send(
      Readable.from(
        (async function* () {
          yield chunk;
          // Later, so that the first chunk is on its way.
          await new Promise((resolve) => setTimeout(resolve, 50));
          throw new Error('no second chunk');
        })(),
      ),
    ),
  );
  // Counts what was made of a stream that nobody reads: backpressure stops it.
  let made = 0;
  app.get('/endless', (_request, reply) =>
    reply.send(
      Readable.from(
        (function* () {
          for (made = 0; ; made++) yield Buffer.alloc(100_000, 'z');
        })(),
      ),
    ),
  );
  app.get('/made', () => ({ made }));
  let isAborted = false;
  app.get('/abort', ({ signal }, reply) => {
    signal.addEventListener('abort', () => {
      isAborted = true;
    });
    const stream = new Readable({ read() {} });
    stream.push('begun');
    return reply.send(stream);
  });
  const left = { signal: false, hook: false, stream: false };
  app.get('/left/chunks', {
    onRequestAbort: async () => {
      left.hook = true;
    },
    handler({ signal }, reply) {
      signal.addEventListener('abort', () => {
        left.signal = true;
      });
      const stream = new Readable({
        read: () => void setTimeout(() => stream.push('chunk'), 20),
        destroy(error, done) {
          left.stream = true;
          done(error);
        },
      });
      return reply.send(stream);
    },
  });
  app.get('/left', () => left);
  app.get('/aborted', () => (isAborted ? 'yes' : 'no'));
}

const item = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };

function addSchemas(app) {
  const a = { type: 'integer' };
  app.post('/valid', {
    bodyLimit: 100_000,
    schema: {
      body: { type: 'object', required: ['a'], properties: { a } },
      response: { 200: { type: 'object', properties: { a } } },
    },
    handler: ({ body }) => ({ ...body, secret: 1 }),
  });
  app.addSchema({ $id: 'named', type: 'string', minLength: 2, format: 'email' });
  app.post('/schemas/:id', {
    schema: {
      params: { type: 'object', properties: { id: { type: 'integer', minimum: 1 } } },
      querystring: {
        type: 'object',
        properties: {
          tags: { type: 'array', items: { type: 'string' } },
          deep: { type: 'boolean', default: false },
        },
      },
      headers: { type: 'object', properties: { 'x-level': { type: 'number' } } },
      body: {
        type: 'object',
        required: ['kind'],
        additionalProperties: false,
        properties: {
          kind: { enum: ['a', 'b'] },
          mail: { $ref: 'named#' },
          list: { type: 'array', uniqueItems: true, items: { type: 'object' } },
          when: { type: 'string', format: 'date-time' },
          either: {
            oneOf: [
              { type: 'object', required: ['x'] },
              { type: 'object', required: ['y'] },
            ],
          },
        },
      },
      response: {
        201: {
          type: 'object',
          properties: {
            id: { type: 'integer' },
            tags: { type: 'array', items: { type: 'string' } },
            deep: { type: 'boolean' },
            level: { type: ['number', 'null'] },
            kind: { type: 'string' },
            at: { type: 'string', format: 'date-time' },
            text: { type: 'string', default: 'none' },
            big: { type: 'integer' },
          },
        },
        '4xx': { type: 'object', properties: { code: { type: 'string' }, message: { type: 'string' } } },
      },
    },
    handler: ({ params, query, headers, body }, reply) =>
      reply.code(201).send({
        ...params,
        ...query,
        level: headers['x-level'] ?? null,
        kind: body.kind,
        at: new Date(0),
        big: 12n,
        secret: '"quoted" 😀',
      }),
  });
  app.get(
    '/unsaid',
    { schema: { response: { 200: { type: 'object', required: ['a'], properties: { a } } } } },
    () => ({}),
  );
  for (const type of ['application/x-ndjson', 'text/event-stream', 'application/json'])
    app.get(`/items/${encodeURIComponent(type)}`, {
      schema: {
        response: {
          200: { content: { [type]: { itemSchema: type === 'text/event-stream' ? { data: item } : item } } },
        },
      },
      async *handler() {
        for (const n of [1, 2])
          yield type === 'text/event-stream' ? { data: { n, secret: 1 } } : { n, secret: 1 };
      },
    });
  // The second one keeps no file in memory.
  for (const [path, multipart] of [
    ['/form', {}],
    ['/form/on-disk', { memorySize: 0 }],
  ])
    app.post(path, {
      multipart,
      schema: {
        body: {
          content: {
            'multipart/form-data': {
              schema: {
                type: 'object',
                required: ['title', 'file'],
                properties: {
                  title: { type: 'string' },
                  year: { type: 'integer' },
                  file: { type: 'string', format: 'binary' },
                },
              },
            },
          },
        },
      },
      handler: async ({ body: { title, year, file } }) => ({
        title,
        year,
        name: file.name,
        type: file.type,
        size: file.size,
        text: await file.text(),
      }),
    });
}

function addContexts(app) {
  app.register(async (child) => {
    child.setErrorHandler((error, _request, reply) => reply.code(422).send({ own: error.message }));
    child.get('/child', () => {
      throw new Error('own');
    });
  });
  app.register(
    async (child) => {
      child.decorate('only', 'here');
      child.addHook('onSend', async (_request, reply, payload) => {
        reply.header('x-child', '1');
        return `${payload}!`;
      });
      child.setNotFoundHandler((_request, reply) => reply.code(404).send('not here'));
      child.get('/decorated', () => child.only);
    },
    { prefix: '/inner' },
  );
  app.get('/outer', () => ({ decorated: app.only === undefined }));
  app.register(async (child) => {
    child.addHook('preHandler', async (_request, reply) => reply.code(401).send({ refused: true }));
    child.get('/refused', () => 'never');
  });
}

function addPromises(app) {
  app.get('/promises/lazy', () => LazyPromise.of(() => 'run'));
  app.get('/promises/none', async () => {});
  app.register(async (child) => {
    child.decorateRequest('steps', null);
    child.addHook('onRequest', (_request, _reply, done) => entered.run('entered', done));
    child.addHook('onRequest', async (request) => {
      request.steps = ['at once'];
    });
    child.addHook('preHandler', async ({ steps }) => {
      steps.push(entered.getStore());
      await undefined;
      steps.push('later');
    });
    child.addHook('preHandler', ({ steps }) => LazyPromise.of(() => void steps.push('lazy')));
    child.addHook('preSerialization', (_request, _reply, payload) => Promise.resolve({ steps: payload }));
    child.get('/promises/hooks', async ({ steps }) => [...steps, entered.getStore()]);
  });
}
