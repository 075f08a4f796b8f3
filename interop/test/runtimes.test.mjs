// One application on Node, Bun and Deno, over sockets: on each, the responses are those of Node's own server.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { locateDeno, runtimes, start } from './support/runtimes.mjs';

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

const requests = {
  'parameters, query and address': ['/json/7?a=1&a=2&b=%20'],
  'a route that does not exist': ['/nowhere'],
  'a valid body': ['/valid', { method: 'POST', headers: json, body: '{"a":"7","b":1}' }],
  'an invalid body': ['/valid', { method: 'POST', headers: json, body: '{}' }],
  'a body that is no JSON': ['/valid', { method: 'POST', headers: json, body: '{' }],
  'an empty body': ['/valid', { method: 'POST', headers: json }],
  'a body of another media type': [
    '/valid',
    { method: 'POST', headers: { 'content-type': 'text/xml' }, body: '<a/>' },
  ],
  'a body that is too large': ['/valid', { method: 'POST', headers: json, body: `"${'x'.repeat(200_000)}"` }],
  'several cookies': ['/cookies'],
  'status 204': ['/status/204'],
  'status 304': ['/status/304'],
  HEAD: ['/json/7', { method: 'HEAD' }],
  'an error': ['/error'],
  'an error handler of a context': ['/child'],
  'a stream of node': ['/stream'],
  'a Response': ['/web'],
  'a body that is sent back': ['/echo', { method: 'POST', headers: bytes, body: Buffer.from([0, 255, 128]) }],
};

const streamed = new Set(['a stream of node', 'a Response', 'a body that is sent back']);

/**
 * The fields of a response that belong to the application, not to the connection. The connection frames streams: Bun
 * sends the length of a short one.
 */
async function answerOf(response, title) {
  const names = ['content-type', 'set-cookie', 'x-own'];
  if (!streamed.has(title)) names.push('content-length');
  const fields = names.filter((name) => response.headers[name] !== undefined);
  const headers = Object.fromEntries(fields.map((name) => [name, response.headers[name]]));
  return { status: response.statusCode, headers, body: (await buffer(response)).toString('latin1') };
}

describe.each(['ambit', 'fastify'])('with %s', (face) => {
  const expected = {};
  beforeAll(async () => {
    const node = await start([...runtimes.node(), 'runtimes/serve.mjs', face]);
    for (const [title, [path, options]] of Object.entries(requests))
      expected[title] = await answerOf(await ask(node.origin, path, options), title);
    await node.stop();
  });

  describe.each(['bun', 'deno'])('on %s', (runtime) => {
    let server;
    beforeAll(async () => {
      server = await start([...runtimes[runtime](), 'runtimes/serve.mjs', face]);
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

    test('a client that leaves aborts the signal of its request', async () => {
      const response = await ask(server.origin, '/abort');
      await once(response, 'data');
      response.on('error', () => {});
      const left = ask(server.origin, '/aborted').then(text);
      response.destroy();
      expect(await left).toBe('the client left');
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
