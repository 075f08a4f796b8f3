// What HTTP says of messages, as packages/ambit/src/transport/transports.*.test.ts tests it on Node: which responses have
// content, which fields errors keep, and how the bytes of fields, forms and addresses are read and written.
import { Readable } from 'node:stream';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

const methods = ['GET', 'HEAD', 'POST'];
const hello = 'hello';
/** What a handler may send, and its length if it is known before the head is sent. */
const payloads = {
  nothing: [() => undefined],
  text: [() => hello, '5'],
  object: [() => ({ a: 1 }), '7'],
  bytes: [() => Buffer.from(hello), '5'],
  blob: [() => new Blob([hello]), '5'],
  pieces: [() => Readable.from(['hel', 'lo'])],
  web: [() => new Blob([hello]).stream()],
};
const extras = {
  plain: () => {},
  length: (reply) => reply.header('content-length', '12345'),
  chunked: (reply) => reply.header('transfer-encoding', 'chunked'),
  trailer: (reply) => reply.trailer('x-end', async () => 'end'),
};
const cells = Object.keys(payloads).flatMap((kind) => Object.keys(extras).map((extra) => [kind, extra]));

/** The length of a response without content: that of the response which a GET with 200 would have. */
const lengthOf = (kind, extra) => (extra === 'length' ? '12345' : payloads[kind][1]);
const withLength = (length) => (length === undefined ? {} : { headers: { 'content-length': length } });

const broken = () =>
  new Readable({
    read() {
      this.destroy(new Error('broken'));
    },
  });
/** Fields of the content that fails, and fields that stay. */
const ofContent = {
  'accept-ranges': 'bytes',
  age: '1',
  'cache-control': 'public, max-age=60',
  'content-disposition': 'attachment; filename="a.gz"',
  'content-encoding': 'gzip',
  'content-language': 'de',
  'content-length': '12345',
  'content-location': '/a.gz',
  'content-range': 'bytes 0-1/2',
  etag: '"a"',
  expires: 'Thu, 01 Jan 2099 00:00:00 GMT',
  'last-modified': 'Thu, 01 Jan 2026 00:00:00 GMT',
};
const ofClient = {
  'access-control-allow-origin': '*',
  'ratelimit-remaining': '1',
  'retry-after': '9',
  'set-cookie': ['a=1', 'b=2'],
  'strict-transport-security': 'max-age=1',
  vary: 'accept-encoding',
  'www-authenticate': 'Bearer',
};
const headed = (reply) => reply.type('application/gzip').headers({ ...ofContent, ...ofClient });
const failures = {
  throws(_request, reply) {
    headed(reply);
    throw new Error('broken');
  },
  sends: (_request, reply) => headed(reply).send(new Error('broken')),
  pieces: (_request, reply) => headed(reply).send(broken()),
  web: (_request, reply) => headed(reply).send(Readable.toWeb(broken())),
  chunked: (_request, reply) => headed(reply).header('transfer-encoding', 'chunked').send(broken()),
  late(_request, reply) {
    headed(reply);
    return new Promise(() => {});
  },
  nowhere: (_request, reply) => headed(reply).callNotFound(),
};
const statusOfFailure = { late: 503, nowhere: 404 };

/** Values with bytes that are not ASCII. */
const latin1 = {
  'content-disposition': 'attachment; filename="café.pdf"',
  'x-own': 'ÿ£',
  'set-cookie': ['é=1', 'ü=2'],
};

const form = (boundary, parameter, delimiterEnd = '', file = 'filename="a.txt"') => ({
  method: 'POST',
  headers: { 'content-type': `multipart/form-data; boundary=${parameter}` },
  body: [
    `--${boundary}${delimiterEnd}`,
    'Content-Disposition: form-data; name="title"',
    '',
    'Sea',
    `--${boundary}${delimiterEnd}`,
    `Content-Disposition: form-data; name="file"; ${file}`,
    '',
    'text',
    `--${boundary}--${delimiterEnd}`,
    '',
  ].join('\r\n'),
});
const boundaries = ['a/b', 'a=b', 'Boundary/1=2?3:4@(5)', "0'()+_,-./:=?z"];
const fileNames = {
  "filename*=UTF-8''caf%C3%A9.pdf": 'café.pdf',
  'filename="cafe.pdf"; filename*=UTF-8\'\'caf%C3%A9.pdf': 'café.pdf',
  "filename*=iso-8859-1''caf%E9.pdf": 'café.pdf',
  "filename*=UTF-8''..%2F..%2Fetc%2Fpasswd": 'passwd',
  'filename="C:\\docs\\a.pdf"': 'a.pdf',
};

const forwarded = {
  '1.2.3.4:5678': '1.2.3.4',
  '[::1]:99': '::1',
  '2001:db8::1:99': '2001:db8::1:99',
  '1.1.1.1:1, [::2]:2': '1.1.1.1',
};

/** The text in several codings. Not every runtime decodes each. */
const codings = {
  gzip: gzipSync(hello),
  'x-gzip': gzipSync(hello),
  deflate: deflateSync(hello),
  br: brotliCompressSync(hello),
  'gzip, br': brotliCompressSync(gzipSync(hello)),
  zstd: Buffer.from('KLUv/SAFKQAAaGVsbG8=', 'base64'),
  compress: Buffer.from(hello),
  aes128gcm: Buffer.from(hello),
};

/** Routes that send each payload with each extra, with the status of the path. */
function sendPayloads(app) {
  for (const [kind, extra] of cells)
    app.route({
      method: methods,
      exposeHeadRoute: false,
      url: `/:status/${kind}/${extra}`,
      handler({ params }, reply) {
        extras[extra](reply);
        return reply.code(Number(params.status)).send(payloads[kind][0]());
      },
    });
}
/**
 * The requests for one status.
 *
 * @param say What else the rule says of a response.
 */
const requestsOf = (status, say = () => ({}), { by = methods, of = cells } = {}) =>
  by.flatMap((method) =>
    of.map(([kind, extra]) => [
      `/${status}/${kind}/${extra}`,
      { method },
      { status, body: '', ...say(kind, extra) },
    ]),
  );
export const messages = [
  {
    rule: 'a status without content has none, and 205 has the length 0',
    path: 'without-content',
    setUp: sendPayloads,
    requests: [...requestsOf(204), ...requestsOf(205, () => withLength('0')), ...requestsOf(304)],
  },
  {
    rule: 'a status that is not final is answered 500',
    path: 'not-final',
    setUp: sendPayloads,
    requests: [100, 101, 103, 199].flatMap((status) =>
      Object.keys(payloads).map((kind) => [`/${status}/${kind}/plain`, {}, { status: 500 }]),
    ),
  },
  {
    rule: 'a response to HEAD has the length of the response to GET',
    path: 'head',
    setUp: sendPayloads,
    requests: requestsOf(200, (...cell) => withLength(lengthOf(...cell)), {
      by: ['HEAD'],
      of: cells.filter(([, extra]) => extra === 'plain' || extra === 'length'),
    }),
  },
  {
    rule: 'a response with 304 has the length of the one with 200',
    path: 'kept-length',
    notOn: ['deno', 'workerd'],
    setUp: sendPayloads,
    requests: requestsOf(304, (...cell) => withLength(lengthOf(...cell))),
  },
  {
    rule: 'a reply to an error has no fields of the content that failed',
    path: 'failed',
    setUp(app) {
      for (const [name, handler] of Object.entries(failures))
        app.get(`/${name}`, { handlerTimeout: 50 }, handler);
    },
    requests: Object.keys(failures).map((name) => [
      `/${name}`,
      {},
      { status: statusOfFailure[name] ?? 500, headers: ofClient },
    ]),
  },
  {
    rule: 'a value of a field is read and sent byte by byte',
    path: 'latin1',
    notOn: ['workerd'],
    setUp(app) {
      for (const kind of Object.keys(payloads))
        app.get(`/${kind}`, (_request, reply) => reply.headers(latin1).send(payloads[kind][0]()));
      app.get('/read', ({ headers }) => ({ sent: headers['x-sent'] }));
      app.get('/204', (_request, reply) => reply.code(204).headers(latin1).send());
      app.get('/type', (_request, reply) => reply.type('text/plain; x="é"').send(hello));
      app.get('/error', (_request, reply) => {
        reply.headers(latin1);
        throw new Error('broken');
      });
    },
    requests: [
      ...['GET', 'HEAD'].flatMap((method) =>
        Object.keys(payloads).map((kind) => [`/${kind}`, { method }, { headers: latin1 }]),
      ),
      ['/204', {}, { status: 204, headers: latin1 }],
      ['/type', {}, { headers: { 'content-type': 'text/plain; x="é"' } }],
      ['/error', {}, { status: 500, headers: { 'x-own': latin1['x-own'] } }],
      ['/read', { headers: { 'x-sent': 'é' } }, { body: { sent: 'é' } }],
    ],
  },
  {
    rule: 'forms have the boundaries, blanks and names of files that clients send',
    path: 'forms',
    setUp(app) {
      const content = {
        'multipart/form-data': {
          schema: {
            type: 'object',
            properties: { file: { type: 'string', format: 'binary' }, title: { type: 'string' } },
          },
        },
      };
      app.post('/form', { schema: { body: { content } } }, async ({ body: { title, file } }) => ({
        title,
        name: file.name,
        text: await file.text(),
      }));
    },
    requests: [
      ...boundaries.flatMap((boundary) =>
        [boundary, `"${boundary}"`, `${boundary}; charset=utf-8`].map((parameter) => [
          '/form',
          form(boundary, parameter),
          { body: { title: 'Sea', name: 'a.txt', text: 'text' } },
        ]),
      ),
      ...[' ', '\t', ' \t  '].map((blanks) => [
        '/form',
        form('line', 'line', blanks),
        { body: { title: 'Sea', name: 'a.txt', text: 'text' } },
      ]),
      ...Object.entries(fileNames).map(([parameters, name]) => [
        '/form',
        form('line', 'line', '', parameters),
        { body: { title: 'Sea', name, text: 'text' } },
      ]),
    ],
  },
  {
    rule: 'an address that a proxy forwards has no port',
    path: 'forwarded',
    setUp: (app) => app.get('/ip', ({ ip }) => ({ ip })),
    requests: Object.entries(forwarded).map(([value, ip]) => [
      '/ip',
      { headers: { 'x-forwarded-for': value } },
      { body: { ip } },
    ]),
  },
  {
    rule: 'a response that was fetched has a coding only if its content still is encoded',
    path: 'fetched',
    setUp(app) {
      app.get('/source/:coding', ({ params: { coding } }, reply) =>
        reply.header('content-encoding', coding).type('text/plain').send(codings[coding]),
      );
      const from = (request, path) =>
        fetch(
          `http://${request.headers.host}/rules/fetched/${path}/${encodeURIComponent(request.params.coding)}`,
        );
      app.get('/proxied/:coding', (request) => from(request, 'source'));
      // Whoever reads the response decodes it, if the runtime knows the coding that the field names.
      app.get('/read/:coding', async (request) => {
        const response = await from(request, 'proxied');
        const content = Buffer.from(await response.arrayBuffer());
        const { coding } = request.params;
        const isLabelled = response.headers.get('content-encoding') === coding;
        return {
          isWhole: content.equals(Buffer.from(hello)) || (isLabelled && content.equals(codings[coding])),
        };
      });
    },
    requests: Object.keys(codings).map((coding) => [
      `/read/${encodeURIComponent(coding)}`,
      {},
      { body: { isWhole: true } },
    ]),
  },
];
