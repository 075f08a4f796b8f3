// One application on Node, Bun, Deno and workerd, over sockets: on each, the responses are those of Node's own server.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { locateDeno, runtimes, start, startWorker } from './support/runtimes.mjs';

/** Sends a request on a connection of its own. */
async function ask(origin, path, { method = 'GET', headers = {}, body } = {}) {
  const outgoing = httpRequest(origin + path, { method, headers, agent: false });
  // A server may reply before it has read the body.
  outgoing.on('error', () => {});
  if (body instanceof Readable) body.pipe(outgoing);
  else outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  return response;
}

const json = { 'content-type': 'application/json' };
const bytes = { 'content-type': 'application/octet-stream' };
const large = (count) => Readable.from(Array.from({ length: count }, () => Buffer.alloc(50_000, 'y')));

/** Workers learn the address of the client from the network that they run in. */
const local = { 'x-cf': '{}', 'cf-connecting-ip': '127.0.0.1' };
const post = (body, headers = json) => ({ method: 'POST', headers, body });
const form = (body) =>
  post(body.replaceAll('\n', '\r\n'), { 'content-type': 'multipart/form-data; boundary=line' });
const part = (fields, content) => `--line\nContent-Disposition: form-data; ${fields}\n\n${content}\n`;

const requests = {
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
  'an upload': [
    '/form',
    form(
      `${part('name="title"', 'Sea')}${part('name="year"', '2026')}${part('name="file"; filename="a.txt"', 'text ä')}--line--\n`,
    ),
  ],
  'an upload without its file': ['/form', form(`${part('name="title"', 'Sea')}--line--\n`)],
  'an upload that ends early': ['/form', form(part('name="title"', 'Sea'))],
};

/** The runtime frames these: trailers need chunks, and Deno leaves out the length of a response without content. */
const streamed = /trailers|205|stream|Response|sent back|lines|events|item by item/;

/**
 * The fields of a response that belong to the application, not to the connection. The connection frames streams: Bun
 * sends the length of a short one.
 */
async function answerOf(response, title) {
  const names = ['content-type', 'set-cookie', 'x-own', 'x-count', 'x-child', 'location', 'allow'];
  if (!streamed.test(title)) names.push('content-length');
  const fields = names.filter((name) => response.headers[name] !== undefined);
  const headers = Object.fromEntries(fields.map((name) => [name, response.headers[name]]));
  return { status: response.statusCode, headers, body: (await buffer(response)).toString('latin1') };
}

const starts = {
  bun: (face) => start([...runtimes.bun(), 'runtimes/serve.mjs', face]),
  deno: (face) => start([...runtimes.deno(), 'runtimes/serve.mjs', face]),
  'bun, which calls fetch': (face) => start([...runtimes.bun(), 'runtimes/serve.mjs', face, 'fetch']),
  'deno, which calls fetch': (face) => start([...runtimes.deno(), 'runtimes/serve.mjs', face, 'fetch']),
  workerd: startWorker,
};

describe.each(['ambit', 'fastify'])('with %s', (face) => {
  const expected = {};
  beforeAll(async () => {
    const node = await start([...runtimes.node(), 'runtimes/serve.mjs', face]);
    for (const [title, [path, options]] of Object.entries(requests))
      expected[title] = await answerOf(await ask(node.origin, path, options), title);
    await node.stop();
  });

  describe.each(Object.keys(starts))('on %s', (runtime) => {
    let server;
    beforeAll(async () => {
      server = await starts[runtime](face);
    });
    afterAll(() => server.stop());

    test.each(Object.keys(requests))('%s: the response is that of Node', async (title) => {
      const [path, options] = requests[title];
      expect(await answerOf(await ask(server.origin, path, options), title)).toEqual(expected[title]);
    });

    test('a long upload is read as a stream', async () => {
      const body = large(100);
      const response = await ask(server.origin, '/length', { method: 'POST', headers: bytes, body });
      expect(await text(response)).toBe('{"length":5000000}');
    });

    test('a stream that nobody reads stops being made', async () => {
      const response = await ask(server.origin, '/endless');
      response.pause();
      response.on('error', () => {});
      const made = async () => JSON.parse(await text(await ask(server.origin, '/made'))).made;
      let before = -1;
      // It stops once the buffers of the connection are full: two counts are then equal.
      await expect
        .poll(
          async () => {
            const [last, now] = [before, await made()];
            before = now;
            return now - last;
          },
          { timeout: 60_000, interval: 200 },
        )
        .toBe(0);
      response.destroy();
    });
  });

  // Workers are not told.
  describe.each(Object.keys(starts).filter((name) => name !== 'workerd'))('on %s', (runtime) => {
    test('a client that leaves aborts the signal of its request', async () => {
      const server = await starts[runtime](face);
      const response = await ask(server.origin, '/abort');
      await once(response, 'data');
      response.on('error', () => {});
      response.destroy();
      await expect
        .poll(async () => text(await ask(server.origin, '/aborted')), { timeout: 60_000 })
        .toBe('yes');
      await server.stop();
    });
  });
});

test.each([
  ['bun', () => [...runtimes.bun(), 'run', '--port=0', 'runtimes/app.mjs'], /http:\/\/localhost:(\d+)/],
  [
    'deno',
    () => [
      locateDeno(),
      'serve',
      '--allow-all',
      '--node-modules-dir=manual',
      '--port=0',
      '--host=127.0.0.1',
      'runtimes/app.mjs',
    ],
    /http:\/\/127\.0\.0\.1:(\d+)/,
  ],
])('%s serves a module whose default export is the application', async (_runtime, command, port) => {
  const server = await start(command(), port);
  expect(await text(await ask(server.origin, '/cookies'))).toBe('ok');
  await server.stop();
});
