// The actions of clients in the soak test: successful and failing requests, clients that disconnect in each phase, slow
// readers, uploads. An action fails if the server does not behave as expected.
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** No action takes that long, even on a slow machine. */
const timeoutMs = 60_000;

/** Sends a request and returns its response when the headers are received. */
async function send(target, { method = 'GET', path, headers = {}, body }) {
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
  const options = { ...target, method, path, headers: { ...length, ...headers } };
  const outgoing = request(options);
  outgoing.setTimeout(timeoutMs, () => outgoing.destroy(new Error('no response in time')));
  outgoing.end(body);
  const [response] = await once(outgoing, 'response');
  outgoing.on('error', () => {});
  return response;
}

async function drain(response, pauseMs = 0) {
  let received = 0;
  for await (const chunk of response) {
    received += chunk.length;
    if (pauseMs > 0) await wait(pauseMs);
  }
  return received;
}

function expectEqual(received, expected) {
  if (received !== expected) throw new Error(`${received} instead of ${expected}`);
}

/** Writes bytes to a new connection, and returns all bytes that are received until the server closes it. */
async function exchangeBytes(port, bytes) {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the server did not close in time')));
  socket.end(bytes);
  let received = '';
  for await (const chunk of socket.setEncoding('latin1')) received += chunk;
  return received;
}

/** Writes bytes, and after some time closes or resets the connection. */
async function disconnect(port, bytes, afterMs, isReset) {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(bytes);
  await wait(afterMs);
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}

/** Reads a part of a response, and then destroys the connection. */
async function abortDownload(target, path, bytes) {
  const response = await send({ ...target, agent: false }, { path });
  let received = 0;
  for await (const chunk of response) {
    received += chunk.length;
    if (received >= bytes) break; // destroys the connection
  }
}

async function abortUpload(target, sentBytes) {
  const headers = { 'content-type': 'application/octet-stream', 'content-length': 400_000 };
  const outgoing = request({ ...target, agent: false, method: 'POST', path: '/bytes', headers });
  outgoing.on('error', () => {});
  const closed = new Promise((resolve) => outgoing.on('close', resolve));
  outgoing.write(Buffer.alloc(sentBytes, 'u'));
  await wait(20);
  outgoing.destroy();
  await closed;
}

const json = { 'content-type': 'application/json' };

function createForm(size) {
  return [
    '--cut\r\ncontent-disposition: form-data; name="title"\r\n\r\nSea\r\n',
    '--cut\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\ncontent-type: application/octet-stream\r\n\r\n',
    'f'.repeat(size),
    '\r\n--cut--\r\n',
  ].join('');
}

/**
 * @returns The actions. `weight` is the relative frequency of an action.
 * @param {{ port: number, agent: import('node:http').Agent, random: () => number, isAmbit: boolean }} options
 */
export function createActions({ port, agent, random, isAmbit }) {
  const pooled = { host: '127.0.0.1', port, agent };
  const unpooled = { ...pooled, agent: false };
  const randomBelow = (limit) => Math.floor(random() * limit);
  const expectStatus =
    (status, options, target = pooled) =>
    async () => {
      const response = await send(target, typeof options === 'function' ? options() : options);
      await drain(response);
      expectEqual(response.statusCode, status);
    };
  const post = (body, headers = json) => ({ method: 'POST', path: '/notes', headers, body });
  const note = () => post(JSON.stringify({ title: 'n'.repeat(randomBelow(40)), stars: 1 + randomBelow(5) }));
  const closing = 'host: a\r\nconnection: close\r\n';

  return [
    ...Object.entries({
      GET: [14, expectStatus(200, { path: '/' })],
      'GET with schemas': [
        14,
        expectStatus(200, () => ({ path: `/notes/${randomBelow(1e6)}?page=${randomBelow(9)}` })),
      ],
      'GET on a new connection': [6, expectStatus(200, { path: '/' }, unpooled)],
      'POST, valid': [14, expectStatus(201, note)],
      'POST, invalid': [4, expectStatus(400, () => post(`{"title":"x","stars":${6 + randomBelow(1e6)}}`))],
      'POST, not JSON': [2, expectStatus(400, post('{"title":'))],
      'POST, other type': [2, expectStatus(415, post('x', { 'content-type': 'text/unknown' }))],
      'POST, too large': [2, expectStatus(413, () => post('x'.repeat(5_000 + randomBelow(5_000))), unpooled)],
      'not found': [2, expectStatus(404, () => ({ path: `/none/${randomBelow(1e9)}` }))],
      'bad URL': [1, expectStatus(400, { path: '/notes/%zz' })],
      throws: [2, expectStatus(500, { path: '/throw' })],
      rejects: [2, expectStatus(418, { path: '/reject' })],
      'hook rejects': [2, expectStatus(500, { path: '/hook' })],
      'error handler': [2, expectStatus(409, { path: '/handled' })],
      'payload that does not fit': [1, expectStatus(500, { path: '/payload' })],
      'time limit': [1, expectStatus(503, { path: '/limited' })],
      slow: [2, expectStatus(200, { path: '/slow' })],
      large: [1, expectStatus(200, { path: '/big' })],
      expect: [
        1,
        expectStatus(201, () => ({ ...note(), headers: { ...json, expect: '100-continue' } }), unpooled),
      ],
      form: [
        2,
        isAmbit
          ? expectStatus(200, () => ({
              ...post(createForm(randomBelow(90_000)), {
                'content-type': 'multipart/form-data; boundary=cut',
              }),
              path: '/form',
            }))
          : expectStatus(
              415,
              () => ({
                ...post(createForm(900), { 'content-type': 'multipart/form-data; boundary=cut' }),
                path: '/form',
              }),
              unpooled,
            ),
      ],
      upload: [
        2,
        expectStatus(200, () => ({
          method: 'POST',
          path: '/bytes',
          headers: { 'content-type': 'application/octet-stream' },
          body: 'u'.repeat(randomBelow(200_000)),
        })),
      ],
    }).map(([name, [weight, run]]) => ({ name, weight, run })),
    {
      name: 'pipelined',
      weight: 1,
      async run() {
        const get = 'GET / HTTP/1.1\r\nhost: a\r\n\r\n';
        const received = await exchangeBytes(port, `${get}${get}GET / HTTP/1.1\r\n${closing}\r\n`);
        expectEqual(received.split('HTTP/1.1 200').length, 4);
      },
    },
    {
      name: 'not HTTP',
      weight: 1,
      async run() {
        const received = await exchangeBytes(port, `\x16\x03\x01${randomBelow(1e9)}\r\n\r\n`);
        expectEqual(received.slice(9, 12), '400');
      },
    },
    {
      name: 'stream, read slowly',
      weight: 1,
      async run() {
        const response = await send(pooled, { path: '/stream?pieces=24' });
        expectEqual(await drain(response, 5), 24 * 8_192);
      },
    },
    {
      name: 'stream that fails',
      weight: 1,
      async run() {
        const response = await send(unpooled, { path: '/stream-fails' });
        const end = await drain(response).then(
          () => 'complete',
          (error) => error.code,
        );
        expectEqual(end, 'ECONNRESET');
      },
    },
    {
      name: 'events',
      weight: 1,
      run: () => abortDownload(pooled, '/events', 50 + randomBelow(400)),
    },
    {
      name: 'stream, cut off',
      weight: 1,
      run: () => abortDownload(pooled, '/stream?pieces=40', 1 + randomBelow(200_000)),
    },
    { name: 'large, cut off', weight: 1, run: () => abortDownload(pooled, '/big', 1) },
    { name: 'upload, cut off', weight: 1, run: () => abortUpload(pooled, 1 + randomBelow(200_000)) },
    {
      name: 'leaves without a byte',
      weight: 1,
      run: () => disconnect(port, '', 0, random() < 0.5),
    },
    {
      name: 'leaves in the head',
      weight: 1,
      run: () => disconnect(port, 'GET / HTT', randomBelow(20), random() < 0.5),
    },
    {
      name: 'leaves in the body',
      weight: 1,
      run: () =>
        disconnect(
          port,
          'POST /notes HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"ti',
          randomBelow(20),
          random() < 0.5,
        ),
    },
    {
      name: 'leaves before the response',
      weight: 1,
      run: () => disconnect(port, 'GET /slow HTTP/1.1\r\nhost: a\r\n\r\n', randomBelow(90), random() < 0.5),
    },
    {
      name: 'leaves in a form',
      weight: 1,
      run: () =>
        disconnect(
          port,
          `POST /form HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=cut\r\ncontent-length: 90000\r\n\r\n${createForm(9_000).slice(0, 4_000)}`,
          randomBelow(20),
          random() < 0.5,
        ),
    },
  ];
}
