// Owns the requests that are sent to every runtime, and what of a response belongs to the application.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';

/**
 * Sends a request on a connection of its own.
 *
 * @param body A function makes the body of each request that is sent.
 * @returns Node's request, whose body may still be on its way.
 */
export function send(origin, path, { method = 'GET', headers = {}, body } = {}) {
  const outgoing = httpRequest(origin + path, { method, headers, agent: false });
  // A server may reply before it has read the body.
  outgoing.on('error', () => {});
  const content = typeof body === 'function' ? body() : body;
  if (content instanceof Readable) content.pipe(outgoing);
  else outgoing.end(content);
  return outgoing;
}

export async function ask(origin, path, options) {
  const [response] = await once(send(origin, path, options), 'response');
  return response;
}

const json = { 'content-type': 'application/json' };
export const bytes = { 'content-type': 'application/octet-stream' };

/** Workers learn the address of the client from the network that they run in. */
const local = { 'x-cf': '{}', 'cf-connecting-ip': '127.0.0.1' };
const post = (body, headers = json) => ({ method: 'POST', headers, body });
const form = (body) =>
  post(body.replaceAll('\n', '\r\n'), { 'content-type': 'multipart/form-data; boundary=line' });
const part = (fields, content) => `--line\nContent-Disposition: form-data; ${fields}\n\n${content}\n`;

export const requests = {
  'parameters, query and address': ['/json/7?a=1&a=2&b=%20', { headers: local }],
  'parameters that are encoded': ['/json/%C3%A4%2Fb?%C3%A4=%2B+', { headers: local }],
  'a parameter that is not encoded well': ['/json/%C3'],
  'a route that does not exist': ['/nowhere'],
  'a method that no route has': ['/json/7', { method: 'DELETE' }],
  'a valid body': ['/valid', post('{"a":"7","b":1}')],
  'an invalid body': ['/valid', post('{}')],
  'a body that is no JSON': ['/valid', post('{')],
  'a body with __proto__': ['/valid', post('{"a":1,"__proto__":{"b":1}}')],
  'an empty body': ['/valid', post(undefined)],
  'a body of another media type': ['/valid', post('<a/>', { 'content-type': 'text/xml' })],
  'a body that is too large': ['/valid', post(`"${'x'.repeat(200_000)}"`)],
  'a text': ['/text', post('ä', { 'content-type': 'text/plain' })],
  'no body and no media type': ['/text', post(undefined, {})],
  'several cookies': ['/cookies'],
  'status 204': ['/status/204'],
  'status 205': ['/status/205'],
  'status 304': ['/status/304'],
  'status 204 with content': ['/status/204/content'],
  'a redirect': ['/redirect'],
  HEAD: ['/json/7', { method: 'HEAD', headers: local }],
  'HEAD of a stream': ['/stream', { method: 'HEAD' }],
  'fields of the request and the reply': ['/fields', { headers: { 'x-sent': 'a, b' } }],
  'a status and a type': ['/typed'],
  'a type with a line break': ['/typed/broken'],
  'a field with a control character': ['/character/11'],
  'a field with the character DEL': ['/character/127'],
  'a type with a control character': ['/character/11/type'],
  'a field with a character that is not in Latin-1': ['/character/8364'],
  trailers: ['/trailers'],
  bytes: ['/bytes'],
  'an empty reply': ['/nothing'],
  'an error': ['/error'],
  'an error with a status': ['/own-error'],
  'an error handler of a context': ['/child'],
  'decorators and hooks of a context': ['/inner/decorated'],
  'what a context does not see': ['/outer'],
  'a not-found handler of a context': ['/inner/nowhere'],
  'a hook that replies': ['/refused'],
  'a promise that only `then` runs': ['/promises/lazy'],
  'a promise of nothing': ['/promises/none'],
  'hooks that end at once and later': ['/promises/hooks'],
  'a stream of node': ['/stream'],
  'a stream without a chunk': ['/stream/none'],
  'a stream that fails before its first chunk': ['/stream/broken'],
  'a Response': ['/web'],
  'a Response with a status and cookies': ['/web/status'],
  'a body that is sent back': ['/echo', post(Buffer.from([0, 255, 128]), bytes)],
  'a body that nobody reads': ['/unread', post('{"a":1}')],
  'every part of a request': [
    '/schemas/7?tags=a&deep=true',
    post('{"kind":"a","mail":"a@b.c","list":[{}],"when":"2026-01-01T00:00:00Z","either":{"x":1}}', {
      ...json,
      'x-level': '1.5',
    }),
  ],
  'defaults of a query': ['/schemas/7', post('{"kind":"b"}')],
  'an invalid parameter': ['/schemas/0', post('{"kind":"a"}')],
  'an invalid header': ['/schemas/1', post('{"kind":"a"}', { ...json, 'x-level': 'high' })],
  'a value that is not in the list': ['/schemas/1', post('{"kind":"c"}')],
  'an invalid format': ['/schemas/1', post('{"kind":"a","mail":"nobody"}')],
  'an invalid date': ['/schemas/1', post('{"kind":"a","when":"tomorrow"}')],
  'items that are equal': ['/schemas/1', post('{"kind":"a","list":[{"a":[1]},{"a":[1]}]}')],
  'alternatives that both fit': ['/schemas/1', post('{"kind":"a","either":{"x":1,"y":1}}')],
  'a response that lacks a property': ['/unsaid'],
  'lines of JSON': ['/items/application%2Fx-ndjson'],
  events: ['/items/text%2Fevent-stream'],
  'an array item by item': ['/items/application%2Fjson'],
  'a compressed reply': ['/compressed'],
  'the OpenAPI document': ['/openapi.json'],
  'the OpenAPI document in YAML': ['/openapi.yaml'],
  'the page of the document': ['/docs'],
  'the script of the page, as a compressed stream': [
    '/docs/scalar.js',
    { headers: { 'accept-encoding': 'gzip' } },
  ],
  'the script of the page, as a stream': ['/docs/scalar.js'],
  'the script that starts the page': ['/docs/start.js'],
  'an upload': [
    '/form',
    form(
      `${part('name="title"', 'Sea')}${part('name="year"', '2026')}${part('name="file"; filename="a.txt"', 'text ä')}--line--\n`,
    ),
  ],
  'an upload of a file that is kept on disk': [
    '/form/on-disk',
    form(
      `${part('name="title"', 'Sea')}${part('name="file"; filename="a.txt"', 'text ä'.repeat(50_000))}--line--\n`,
    ),
  ],
  'an upload without its file': ['/form', form(`${part('name="title"', 'Sea')}--line--\n`)],
  'an upload that ends early': ['/form', form(part('name="title"', 'Sea'))],
};

/** The runtime frames these: trailers need chunks, and Deno and workerd leave out the length of some responses without content. */
const streamed = /trailers|without-content|latin1|205|stream|Response|sent back|lines|events|item by item/;

/** Fields that belong to the connection, and the time. */
const ofConnection = ['connection', 'date', 'keep-alive', 'trailer', 'transfer-encoding'];

/**
 * What of a response belongs to the application, not to the connection: each field as it was sent, also if a name repeats. The connection
 * frames streams: Bun sends the length of a short one.
 *
 * @param {string} title Of the request, or its path.
 */
export async function answerOf(response, title) {
  const left = streamed.test(title) ? [...ofConnection, 'content-length'] : ofConnection;
  const headers = fieldsOf(response).filter(([name]) => !left.includes(name));
  return { status: response.statusCode, headers, body: (await buffer(response)).toString('latin1') };
}

/** The fields by their names, in lower case: runtimes write them in different cases, and in a different order. */
function fieldsOf({ rawHeaders }) {
  const fields = [];
  for (let i = 0; i < rawHeaders.length; i += 2)
    fields.push([rawHeaders[i].toLowerCase(), rawHeaders[i + 1]]);
  // Fields of one name keep their order.
  return fields.sort(([one], [other]) => one.localeCompare(other));
}

/**
 * Uploads chunks until the response comes, and never the last one. Node's client would stop reading when it can no longer
 * write.
 *
 * @param {{ type: string, chunkCount: number }} body After this many chunks, it only waits.
 * @returns The status of the response.
 */
export async function uploadForever(origin, path, { type, chunkCount }) {
  const { hostname, port } = new URL(origin);
  const socket = connect(port, hostname);
  // A server may close the connection once it has replied.
  socket.on('error', () => {});
  let received = '';
  socket.setEncoding('latin1').on('data', (text) => {
    received += text;
  });
  const fields = `Host: ${hostname}\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked`;
  socket.write(`POST ${path} HTTP/1.1\r\n${fields}\r\n\r\n`);
  let sentCount = 0;
  while (!socket.closed && !received.includes('\r\n\r\n')) {
    if (sentCount < chunkCount && !socket.writableNeedDrain) {
      socket.write(`c350\r\n${'y'.repeat(50_000)}\r\n`);
      sentCount += 1;
    }
    // What has arrived is read before more is written.
    await setImmediate();
  }
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(received)?.[1]);
}

/** Sends a text whose client waits for 100 (Continue). @returns The statuses that it gets, of which the last one is final. */
export async function expectContinue(origin, path, { type, lengthBytes }) {
  const { hostname, port } = new URL(origin);
  const socket = connect(port, hostname).setEncoding('latin1');
  const fields = `Host: ${hostname}\r\nContent-Type: ${type}\r\nContent-Length: ${lengthBytes}`;
  socket.write(`POST ${path} HTTP/1.1\r\nExpect: 100-continue\r\n${fields}\r\n\r\n`);
  const statuses = [];
  for await (const text of socket) {
    for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d+) /g)) statuses.push(Number(status));
    if (statuses.at(-1) !== 100) break;
    socket.write('x'.repeat(lengthBytes));
  }
  return statuses;
}

/** The value of a response in JSON, and the text of others, or of those without content. */
export async function contentOf(response) {
  const content = await text(response);
  const isJson = content !== '' && response.headers['content-type']?.includes('json');
  return isJson ? JSON.parse(content) : content;
}

/** The responses to all requests, one after another. */
export async function answerAll(origin, list) {
  const answers = [];
  for (const [path, options] of list)
    answers.push([path, await answerOf(await ask(origin, path, options), path)]);
  return answers;
}
