// Sends requests with unusual URLs to applications on Bun or Deno, and prints the responses as JSON: `paths.mjs`, or `paths.mjs routed`. With
// `routed`, a function may rewrite each URL.
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { ambit } from 'ambit';

const isRouted = process.argv[2] === 'routed';

const targets = [
  '/',
  '/?',
  '/?/',
  '/?a=1&a=2',
  '/#part',
  '/exact',
  '/exact?x=1',
  '/exact?/exact',
  '/exact#part',
  '/exact#part?x=1',
  '/exact?x=1#/exact',
  '/exact/',
  '/exact;x=1',
  '/EXACT',
  '//exact',
  '//exact/exact',
  '/exact/exact',
  '/ex%61ct',
  '/ex%2561ct',
  '/%2Fexact',
  '/./exact',
  '/other/../exact',
  '/exact/.',
  '/exact%00',
  '/%exact',
  '/caf%C3%A9',
  'http://localhost/exact',
  'http://localhost/exact?x=1',
  'http://localhost/http://localhost/exact',
  '*',
];

const heads = [
  ['GET', 'Host: localhost'],
  ['GET', 'Host: localhost:80'],
  ['GET', 'Host: '],
  ['GET', 'Host: /exact'],
  ['HEAD', 'Host: localhost'],
  ['POST', 'Host: localhost\r\nContent-Length: 0'],
];

const app = ambit(isRouted ? { rewriteUrl: ({ url }) => url } : {});
app.addHook('onRequest', async (request, reply) => {
  reply.header('x-seen', request.url);
});
const show = ({ method, url, originalUrl, canonicalPath, query, params, routeOptions }) => ({
  seen: { method, url, originalUrl, canonicalPath, query, params, pattern: routeOptions.url },
  inherits: [query, params].map((members) => 'toString' in members),
  hasPrototype: [query, params].map((members) => Object.getPrototypeOf(members) !== null),
});
app.get('/', (request) => show(request));
app.get('/exact', (request) => show(request));
app.get('/exact/exact', (request) => show(request));
app.post('/exact', (request) => show(request));
app.get('/later/:name', (request) => show(request));

const throwing = ambit(isRouted ? { rewriteUrl: ({ url }) => url } : {});
throwing.setGenReqId(() => {
  throw new Error('no id');
});
throwing.setErrorHandler(({ message }, _request, reply) => reply.code(500).send({ message }));
throwing.get('/exact', (request) => show(request));

async function answerOf(app, [method, fields], target) {
  const [{ port }] = app.addresses();
  const socket = connect(port, '127.0.0.1');
  socket.write(`${method} ${target} HTTP/1.1\r\n${fields}\r\nConnection: close\r\n\r\n`);
  const answer = await text(socket);
  const [head, body] = answer.split('\r\n\r\n');
  return { status: head.slice(9, 12), seen: /x-seen: .*/i.exec(head)?.[0], body };
}

const answers = {};
for (const [name, each] of Object.entries({ app, throwing })) {
  await each.listen({ port: 0, host: '127.0.0.1' });
  for (const head of heads) {
    for (const target of targets)
      answers[`${name}: ${head.join(' ')} ${target}`] = await answerOf(each, head, target);
  }
  await each.close();
}
console.log(JSON.stringify(answers));
