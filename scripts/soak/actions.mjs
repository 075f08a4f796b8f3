// What clients do in the soak: requests that end well, requests that fail, clients that leave in each phase, slow readers, uploads. An
// action fails if the server does not do what is expected of it.
import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** Longer than anything here takes on a slow machine. */
const timeoutMs = 60_000;

/** Sends a request and returns the head of its response. */
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
  if (received !== expected) throw new Error(`${received} in place of ${expected}`);
}

/** Writes bytes to a connection of its own, and returns everything that comes until the server closes it. */
async function exchangeBytes(port, bytes) {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the server did not close in time')));
  socket.end(bytes);
  let received = '';
  for await (const chunk of socket.setEncoding('latin1')) received += chunk;
  return received;
}

/** Writes bytes and leaves after some time, in order or by a reset. */
async function leave(port, bytes, afterMs, isReset) {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(bytes);
  await wait(afterMs);
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}

/** Reads some of a response and leaves. */
async function cutOff(target, path, bytes) {
  const response = await send({ ...target, agent: false }, { path });
  let received = 0;
  for await (const chunk of response) {
    received += chunk.length;
    if (received >= bytes) break; // which destroys the connection
  }
}

async function cutOffUpload(target, sentBytes) {
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

function makeForm(size) {
  return [
    '--cut\r\ncontent-disposition: form-data; name="title"\r\n\r\nSea\r\n',
    '--cut\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\ncontent-type: application/octet-stream\r\n\r\n',
    'f'.repeat(size),
    '\r\n--cut--\r\n',
  ].join('');
}

/**
 * @returns The actions, and how often each comes in relation to the others.
 * @param {{ port: number, agent: import('node:http').Agent, random: () => number, isAmbit: boolean }} options
 */
export function makeActions({ port, agent, random, isAmbit }) {
  const kept = { host: '127.0.0.1', port, agent };
  const fresh = { ...kept, agent: false };
  const upTo = (limit) => Math.floor(random() * limit);
  const ask =
    (status, options, target = kept) =>
    async () => {
      const response = await send(target, typeof options === 'function' ? options() : options);
      await drain(response);
      expectEqual(response.statusCode, status);
    };
  const post = (body, headers = json) => ({ method: 'POST', path: '/notes', headers, body });
  const note = () => post(JSON.stringify({ title: 'n'.repeat(upTo(40)), stars: 1 + upTo(5) }));
  const closing = 'host: a\r\nconnection: close\r\n';

  return [
    ...Object.entries({
      GET: [14, ask(200, { path: '/' })],
      'GET with schemas': [14, ask(200, () => ({ path: `/notes/${upTo(1e6)}?page=${upTo(9)}` }))],
      'GET on a new connection': [6, ask(200, { path: '/' }, fresh)],
      'POST, valid': [14, ask(201, note)],
      'POST, invalid': [4, ask(400, () => post(`{"title":"x","stars":${6 + upTo(1e6)}}`))],
      'POST, not JSON': [2, ask(400, post('{"title":'))],
      'POST, other type': [2, ask(415, post('x', { 'content-type': 'text/unknown' }))],
      'POST, too large': [2, ask(413, () => post('x'.repeat(5_000 + upTo(5_000))), fresh)],
      'not found': [2, ask(404, () => ({ path: `/none/${upTo(1e9)}` }))],
      'bad URL': [1, ask(400, { path: '/notes/%zz' })],
      throws: [2, ask(500, { path: '/throw' })],
      rejects: [2, ask(418, { path: '/reject' })],
      'hook rejects': [2, ask(500, { path: '/hook' })],
      'error handler': [2, ask(409, { path: '/handled' })],
      'payload that does not fit': [1, ask(500, { path: '/payload' })],
      'time limit': [1, ask(503, { path: '/limited' })],
      slow: [2, ask(200, { path: '/slow' })],
      large: [1, ask(200, { path: '/big' })],
      expect: [1, ask(201, () => ({ ...note(), headers: { ...json, expect: '100-continue' } }), fresh)],
      form: [
        2,
        isAmbit
          ? ask(200, () => ({
              ...post(makeForm(upTo(90_000)), { 'content-type': 'multipart/form-data; boundary=cut' }),
              path: '/form',
            }))
          : ask(
              415,
              () => ({
                ...post(makeForm(900), { 'content-type': 'multipart/form-data; boundary=cut' }),
                path: '/form',
              }),
              fresh,
            ),
      ],
      upload: [
        2,
        ask(200, () => ({
          method: 'POST',
          path: '/bytes',
          headers: { 'content-type': 'application/octet-stream' },
          body: 'u'.repeat(upTo(200_000)),
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
        const received = await exchangeBytes(port, `\x16\x03\x01${upTo(1e9)}\r\n\r\n`);
        expectEqual(received.slice(9, 12), '400');
      },
    },
    {
      name: 'stream, read slowly',
      weight: 1,
      async run() {
        const response = await send(kept, { path: '/stream?pieces=24' });
        expectEqual(await drain(response, 5), 24 * 8_192);
      },
    },
    {
      name: 'stream that fails',
      weight: 1,
      async run() {
        const response = await send(fresh, { path: '/stream-fails' });
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
      run: () => cutOff(kept, '/events', 50 + upTo(400)),
    },
    { name: 'stream, cut off', weight: 1, run: () => cutOff(kept, '/stream?pieces=40', 1 + upTo(200_000)) },
    { name: 'large, cut off', weight: 1, run: () => cutOff(kept, '/big', 1) },
    { name: 'upload, cut off', weight: 1, run: () => cutOffUpload(kept, 1 + upTo(200_000)) },
    {
      name: 'leaves without a byte',
      weight: 1,
      run: () => leave(port, '', 0, random() < 0.5),
    },
    { name: 'leaves in the head', weight: 1, run: () => leave(port, 'GET / HTT', upTo(20), random() < 0.5) },
    {
      name: 'leaves in the body',
      weight: 1,
      run: () =>
        leave(
          port,
          'POST /notes HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 50\r\n\r\n{"ti',
          upTo(20),
          random() < 0.5,
        ),
    },
    {
      name: 'leaves before the response',
      weight: 1,
      run: () => leave(port, 'GET /slow HTTP/1.1\r\nhost: a\r\n\r\n', upTo(90), random() < 0.5),
    },
    {
      name: 'leaves in a form',
      weight: 1,
      run: () =>
        leave(
          port,
          `POST /form HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=cut\r\ncontent-length: 90000\r\n\r\n${makeForm(9_000).slice(0, 4_000)}`,
          upTo(20),
          random() < 0.5,
        ),
    },
  ];
}
