// The application under load: the same routes for Ambit and Fastify, with hooks of each kind that could leak.
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

const integer = { type: 'integer' };
const object = (properties, ...required) => ({ type: 'object', properties, required });
const note = object(
  { title: { type: 'string', maxLength: 40 }, stars: { ...integer, minimum: 1, maximum: 5 } },
  'title',
  'stars',
);
const big = Buffer.alloc(262_144, 'b');
const piece = Buffer.alloc(8_192, 'p');

async function* producePieces(count) {
  for (let i = 0; i < count; i++) {
    yield piece;
    await wait(2);
  }
}

async function* failAfter(count) {
  yield* producePieces(count);
  throw new Error('the source has failed');
}

function addHooks(app) {
  app.decorateRequest('seen', null);
  app.addHook('onRequest', (request, _reply, done) => {
    request.seen = { at: performance.now() };
    done();
  });
  app.addHook('preHandler', async () => {});
  app.addHook('onSend', async (request, reply) => void reply.header('x-seen', String(request.seen.at > 0)));
  for (const name of ['onResponse', 'onTimeout']) app.addHook(name, async () => {});
  app.addHook('onRequestAbort', async (_request) => {});
  app.addHook('onError', async () => {});
}

function addNotes(app) {
  app.get('/', () => 'read');
  app.post('/', ({ body }) => body);
  app.get(
    '/notes/:id',
    {
      schema: {
        params: object({ id: integer }),
        querystring: object({ page: { ...integer, default: 1 } }),
        response: { 200: object({ id: integer, page: integer }) },
      },
    },
    async ({ params, query }) => ({ id: params.id, page: query.page, secret: 'not sent' }),
  );
  app.post(
    '/notes',
    { bodyLimit: 4_096, schema: { body: note, response: { 201: note } } },
    (request, reply) => {
      reply.code(201).send(request.body);
    },
  );
  app.get('/big', () => big);
  app.get('/slow', async () => {
    await wait(100);
    return 'late';
  });
}

function addErrors(app) {
  app.get('/throw', () => {
    throw new Error('thrown');
  });
  app.get('/reject', async () => {
    throw Object.assign(new Error('rejected'), { statusCode: 418 });
  });
  app.get('/hook', { preHandler: async () => Promise.reject(new Error('of a hook')) }, () => 'not reached');
  app.get('/payload', { schema: { response: { 200: object({ id: integer }, 'id') } } }, () => ({}));
  // Much longer than the timeout: in a process that was blocked, Node may run a timer that was started later first.
  app.get('/limited', { handlerTimeout: 30 }, () => wait(2_000).then(() => 'too late'));
  app.register(async (context) => {
    context.setErrorHandler((error, _request, reply) => reply.code(409).send({ handled: error.message }));
    context.get('/handled', async () => {
      throw new Error('expected');
    });
  });
}

function addStreams(app, isAmbit) {
  app.get('/stream', (request, reply) => {
    reply.type('application/octet-stream');
    return reply.send(Readable.from(producePieces(Number(request.query.pieces))));
  });
  app.get('/stream-fails', (_request, reply) => reply.send(Readable.from(failAfter(4))));
  if (!isAmbit) {
    const events = async function* () {
      for (let i = 0; i < 50; i++) {
        yield `id: ${i}\ndata: {"at":${i}}\n\n`;
        await wait(10);
      }
    };
    app.get('/events', (_request, reply) => reply.type('text/event-stream').send(Readable.from(events())));
    return;
  }
  const itemSchema = object({ id: integer, data: object({ at: integer }) });
  app.get(
    '/events',
    { schema: { response: { 200: { content: { 'text/event-stream': { itemSchema } } } } } },
    async function* ({ signal }) {
      for (let i = 0; i < 50 && !signal.aborted; i++) {
        yield { id: i, data: { at: i } };
        await wait(10);
      }
    },
  );
}

function addUploads(app, isAmbit) {
  app.register(async (context) => {
    context.addContentTypeParser('application/octet-stream', (_request, payload, done) =>
      done(null, payload),
    );
    context.post('/bytes', { bodyLimit: 1_048_576 }, async ({ body }) => {
      let received = 0;
      for await (const chunk of body) received += chunk.length;
      return { received };
    });
  });
  // Ambit parses forms. Fastify needs a plugin for them, and responds with 415 here.
  const form = object(
    { title: { type: 'string' }, file: { type: 'string', format: 'binary' } },
    'title',
    'file',
  );
  const schema = isAmbit ? { body: { content: { 'multipart/form-data': { schema: form } } } } : {};
  app.post('/form', { schema }, async ({ body }) => {
    return { size: body.file.size };
  });
}

/** Adds all hooks and routes to an application. */
export function addRoutes(app, isAmbit) {
  addHooks(app);
  addNotes(app);
  addErrors(app);
  addStreams(app, isAmbit);
  addUploads(app, isAmbit);
  return app;
}
