// What every transport has to do, as packages/ambit/src/transport/transports.test.ts tests it on Node.
import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable, Transform } from 'node:stream';
import { json, post } from './requests.mjs';

const plain = { 'content-type': 'text/plain' };
const storage = new AsyncLocalStorage();

/** A body that is sent in pieces, without a length. Each request gets its own. */
const inPieces = (headers, ...pieces) => ({
  method: 'POST',
  headers,
  body: () => Readable.from(pieces.map((piece) => Buffer.from(piece))),
});

/** What a handler may send, by the path that sends it; each is made for its request. */
const streams = {
  bytes: () => Readable.from([Buffer.from('a'), Buffer.from('ä')]),
  texts: () => Readable.from(['a', 'ä']),
  web: () => new Blob(['a', 'ä']).stream(),
  response: () => new Response(new Blob(['a', 'ä']).stream()),
};

const failingWebStream = () =>
  new ReadableStream({
    pull(controller) {
      controller.error(new Error('broken'));
    },
  });

const invalidField = (code, message) => ({
  status: 500,
  body: { statusCode: 500, code, error: 'Internal Server Error', message },
});

/** A logger of the application's own, which keeps its lines. */
function makeLogger(lines) {
  const logger = { level: 'info', child: () => logger };
  for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    logger[level] = (value, message = value) => void lines.push(message);
  return logger;
}

export const transport = [
  {
    rule: 'a request knows its host, its scheme and its id',
    path: 'host',
    setUp(app) {
      app.setGenReqId(() => 'id-1');
      app.get('/known', ({ hostname, protocol, id }) => ({ hostname, protocol, id }));
    },
    requests: [['/known', {}, { body: { hostname: '127.0.0.1', protocol: 'http', id: 'id-1' } }]],
  },
  {
    rule: 'a request reaches the route that its host and its version ask for',
    path: 'constraints',
    setUp(app) {
      app.get('/asked', { constraints: { version: '1.0.0' } }, () => 'one');
      app.get('/asked', { constraints: { version: '2.0.0', host: /^127/ } }, () => 'two');
    },
    requests: [
      ['/asked', { headers: { 'accept-version': '1.x' } }, { body: 'one' }],
      ['/asked', { headers: { 'accept-version': '2.x' } }, { body: 'two' }],
      ['/asked', { headers: { 'accept-version': '3.x' } }, { status: 404 }],
    ],
  },
  {
    rule: 'a request is logged when it comes and when it has been answered',
    path: 'logs',
    setUp: (app, factory) =>
      app.get('/lines', async () => {
        const lines = [];
        const logged = factory({ loggerInstance: makeLogger(lines) });
        logged.get('/', () => 'logged');
        await (await logged.fetch(new Request('http://localhost/'))).text();
        return lines;
      }),
    requests: [['/lines', {}, { body: ['incoming request', 'request completed'] }]],
  },
  {
    rule: 'a body in pieces is parsed, limited, and changed by hooks',
    path: 'pieces',
    setUp(app) {
      app.post('/parsed', ({ body }) => body);
      app.post('/limited', { bodyLimit: 8 }, ({ body }) => body);
      app.post('/same', { preParsing: async (_request, _reply, payload) => payload }, ({ body }) => body);
      const loud = () =>
        new Transform({ transform: (chunk, _encoding, done) => done(null, String(chunk).toUpperCase()) });
      app.post(
        '/loud',
        { preParsing: async (_request, _reply, payload) => payload.pipe(loud()) },
        ({ body }) => body,
      );
    },
    requests: [
      ['/parsed', inPieces(json, '{"a":"', [0xc3], [0xa4, 0x22, 0x7d]), { body: { a: 'ä' } }],
      ['/parsed', inPieces(json, '{'), { status: 400 }],
      ['/limited', inPieces(plain, 'x'.repeat(4), 'x'.repeat(4)), { body: 'xxxxxxxx' }],
      ['/limited', inPieces(plain, 'x'.repeat(4), 'x'.repeat(5)), { status: 413 }],
      ['/limited', post('x'.repeat(8), plain), { body: 'xxxxxxxx' }],
      ['/limited', post('x'.repeat(9), plain), { status: 413 }],
      ['/same', inPieces(plain, 'sa', 'me'), { body: 'same' }],
      ['/loud', inPieces(plain, 'lo', 'ud'), { body: 'LOUD' }],
    ],
  },
  {
    rule: 'a request with a body keeps the AsyncLocalStorage that a hook has entered',
    path: 'storage',
    setUp(app) {
      app.addHook('onRequest', (_request, _reply, done) => storage.run('entered', done));
      app.post('/entered', () => storage.getStore());
    },
    requests: [['/entered', inPieces(plain, 'a', 'b'), { body: 'entered' }]],
  },
  {
    rule: 'a response arrives whole, with its length',
    path: 'lengths',
    setUp(app) {
      app.get('/empty', (_request, reply) => reply.send(''));
      app.get('/text/:length', ({ params }) => 'x'.repeat(params.length));
      app.get('/bytes/:length', ({ params }) => Buffer.alloc(Number(params.length), 'x'));
    },
    requests: [
      ['/empty', {}, { body: '', headers: { 'content-length': '0' } }],
      ...['65536', '65537', '1000000'].flatMap((length) =>
        ['text', 'bytes'].map((kind) => [
          `/${kind}/${length}`,
          {},
          { body: 'x'.repeat(length), headers: { 'content-length': length } },
        ]),
      ),
    ],
  },
  {
    rule: 'a stream of each kind arrives whole, and none of it with HEAD or a status without content',
    path: 'kinds-of-streams',
    setUp(app) {
      for (const [kind, make] of Object.entries(streams))
        app.get(`/${kind}`, ({ query }, reply) => reply.code(Number(query.status ?? 200)).send(make()));
    },
    requests: Object.keys(streams).flatMap((kind) => [
      [`/${kind}`, {}, { body: 'aä' }],
      [`/${kind}`, { method: 'HEAD' }, { body: '' }],
      ...(kind === 'response' ? [] : [204, 304]).map((status) => [
        `/${kind}?status=${status}`,
        {},
        { status, body: '' },
      ]),
    ]),
  },
  {
    rule: 'a web stream that fails before its first byte is answered 500',
    path: 'failing-stream',
    setUp: (app) => app.get('/web', (_request, reply) => reply.send(failingWebStream())),
    requests: [
      [
        '/web',
        {},
        { status: 500, body: { statusCode: 500, error: 'Internal Server Error', message: 'broken' } },
      ],
    ],
  },
  {
    rule: 'a field that cannot be sent is answered 500',
    path: 'bad-fields',
    setUp(app) {
      app.get('/text', (_request, reply) => reply.header('x-one', 'a\r\nb').send('text'));
      app.get('/stream', (_request, reply) => reply.header('x-one', 'a\r\nb').send(Readable.from(['text'])));
      app.get('/bytes', (_request, reply) => reply.header('x-one', '€').send(Buffer.from('bytes')));
      app.get('/name', (_request, reply) => reply.header('x one', '1').send('text'));
    },
    requests: [
      ...['/text', '/stream', '/bytes'].map((path) => [
        path,
        {},
        invalidField('ERR_INVALID_CHAR', 'Invalid character in header content ["x-one"]'),
      ]),
      [
        '/name',
        {},
        invalidField('ERR_INVALID_HTTP_TOKEN', 'Header name must be a valid HTTP token ["x one"]'),
      ],
    ],
  },
  {
    rule: 'a handler that takes too long is answered 503',
    path: 'timeout',
    setUp: (app) => app.get('/never', { handlerTimeout: 20 }, () => new Promise(() => {})),
    requests: [['/never', {}, { status: 503 }]],
  },
  {
    rule: 'early hints do not change the response',
    path: 'hints',
    setUp: (app) =>
      app.get('/hinted', async (_request, reply) => {
        await new Promise((resolve) => reply.writeEarlyHints({ link: '</a.css>; rel=preload' }, resolve));
        return 'content';
      }),
    requests: [['/hinted', {}, { body: 'content' }]],
  },
  {
    rule: 'a handler may await its reply',
    path: 'awaited',
    setUp: (app) =>
      app.get('/reply', async (_request, reply) => {
        await reply.send('sent');
        return reply;
      }),
    requests: [['/reply', {}, { body: 'sent' }]],
  },
];
