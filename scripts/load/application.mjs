// The application under load: the same routes for Ambit and Fastify, with hooks of each kind that could leak.
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';

const integer = { type: 'integer' };
const object = (properties, ...required) => ({ type: 'object', properties, required });
const responding = (schema, status = 200) => ({ response: { [status]: schema } });
const title = { type: 'string', maxLength: 40 };
const note = object({ title, stars: { ...integer, minimum: 1, maximum: 5 } }, 'title', 'stars');
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

/** Fails where the code of an application may fail. */
const fail = async (message, statusCode) => {
  throw Object.assign(new Error(message), { statusCode });
};

export function addRoutes(app, isAmbit) {
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

  app.get('/', () => 'read');
  app.post('/', ({ body }) => body);
  const params = object({ id: integer });
  const querystring = object({ page: { ...integer, default: 1 } });
  app.get(
    '/notes/:id',
    { schema: { params, querystring, ...responding(object({ id: integer, page: integer })) } },
    async ({ params, query }) => ({ id: params.id, page: query.page, secret: 'not sent' }),
  );
  app.post(
    '/notes',
    { bodyLimit: 4_096, schema: { body: note, ...responding(note, 201) } },
    (request, reply) => void reply.code(201).send(request.body),
  );
  app.get('/big', () => big);
  app.get('/slow', () => wait(100, 'late'));

  app.get('/throw', () => {
    throw new Error('thrown');
  });
  app.get('/reject', () => fail('rejected', 418));
  app.get('/hook', { preHandler: () => fail('of a hook') }, () => 'not reached');
  app.get('/payload', { schema: responding(object({ id: integer }, 'id')) }, () => ({}));
  // Much longer than the timeout: in a process that was blocked, Node may run a timer that was started later first.
  app.get('/limited', { handlerTimeout: 30 }, () => wait(2_000, 'too late'));
  app.register(async (context) => {
    context.setErrorHandler((error, _request, reply) => reply.code(409).send({ handled: error.message }));
    context.get('/handled', () => fail('expected'));
  });

  app.get('/stream', (request, reply) =>
    reply.type('application/octet-stream').send(Readable.from(producePieces(Number(request.query.pieces)))),
  );
  app.get('/stream-fails', (_request, reply) => reply.send(Readable.from(failAfter(4))));
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
  if (isAmbit) addToAmbit(app);
  else addToFastify(app);
  return app;
}

/** Ambit writes events and parses forms. */
function addToAmbit(app) {
  const itemSchema = object({ id: integer, data: object({ at: integer }) });
  app.get(
    '/events',
    { schema: responding({ content: { 'text/event-stream': { itemSchema } } }) },
    async function* ({ signal }) {
      for (let i = 0; i < 50 && !signal.aborted; i++) {
        yield { id: i, data: { at: i } };
        await wait(10);
      }
    },
  );
  const schema = object(
    { title: { type: 'string' }, file: { type: 'string', format: 'binary' } },
    'title',
    'file',
  );
  const body = { content: { 'multipart/form-data': { schema } } };
  app.post('/form', { schema: { body } }, async ({ body }) => ({ size: body.file.size }));
}

/** Fastify needs a plugin for forms, and responds with 415 here. */
function addToFastify(app) {
  async function* events() {
    for (let i = 0; i < 50; i++) {
      yield `id: ${i}\ndata: {"at":${i}}\n\n`;
      await wait(10);
    }
  }
  app.get('/events', (_request, reply) => reply.type('text/event-stream').send(Readable.from(events())));
  app.post('/form', async () => 'not reached');
}
