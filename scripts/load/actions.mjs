// The actions of clients in the soak test: successful and failing requests, clients that disconnect in each phase, slow
// readers, uploads. An action fails if the server does not behave as expected.
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { send } from './traffic.mjs';

/** No server takes that long to close a connection, even on a slow machine. */
const timeoutMs = 60_000;
const json = { 'content-type': 'application/json' };
const multipart = { 'content-type': 'multipart/form-data; boundary=cut' };
const bytes = { 'content-type': 'application/octet-stream' };

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

/** Writes text to a new connection, and returns all that is received until the server closes it. */
async function exchangeBytes(port, text) {
  const socket = connect(port, '127.0.0.1');
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('the server did not close in time')));
  socket.end(text);
  let received = '';
  for await (const chunk of socket.setEncoding('latin1')) received += chunk;
  return received;
}

/** Writes text, and after some time closes or resets the connection. */
async function disconnect(port, text, afterMs, isReset) {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  const closed = new Promise((resolve) => socket.on('close', resolve));
  socket.write(text);
  await wait(afterMs);
  if (isReset) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}

async function abortDownload(target, path, limitBytes) {
  let received = 0;
  for await (const chunk of await send(target, { path })) {
    received += chunk.length;
    if (received >= limitBytes) break; // destroys the connection
  }
}

function createForm(size) {
  return [
    '--cut\r\ncontent-disposition: form-data; name="title"\r\n\r\nSea\r\n',
    '--cut\r\ncontent-disposition: form-data; name="file"; filename="a.bin"\r\ncontent-type: application/octet-stream\r\n\r\n',
    'f'.repeat(size),
    '\r\n--cut--\r\n',
  ].join('');
}

/** The actions on a server, for `startTraffic`. `agent` keeps connections; some actions need one of their own. */
export function createActions({ port, agent, random, isAmbit }) {
  const kept = { port, agent };
  const own = { port, agent: false };
  const below = (limit) => Math.floor(random() * limit);
  /** A request whose response must have a status. */
  const ask = async (status, options, target = kept) => {
    const response = await send(target, options);
    await drain(response);
    expectEqual(response.statusCode, status);
  };
  const get = (status, path) => () => ask(status, { path });
  const post = (body, headers = json) => ({ method: 'POST', path: '/notes', headers, body });
  const note = (headers) =>
    post(JSON.stringify({ title: 'n'.repeat(below(40)), stars: 1 + below(5) }), headers);
  const upload = (size) => ({ ...post('u'.repeat(size), bytes), path: '/bytes' });
  const form = (size) => ({ ...post(createForm(size), multipart), path: '/form' });
  /** A client that leaves after so much of a request. */
  const leave = (text, limitMs) => () => disconnect(port, text, below(limitMs), random() < 0.5);
  const head = (method, path, type, length) =>
    `${method} ${path} HTTP/1.1\r\nhost: a\r\ncontent-type: ${type}\r\ncontent-length: ${length}\r\n\r\n`;

  const formHead = head('POST', '/form', multipart['content-type'], 90_000);
  const uploadHead = head('POST', '/bytes', bytes['content-type'], 400_000);
  const pipeline = async () => {
    const line = 'GET / HTTP/1.1\r\nhost: a\r\n';
    const received = await exchangeBytes(port, `${line}\r\n${line}\r\n${line}connection: close\r\n\r\n`);
    expectEqual(received.split('HTTP/1.1 200').length, 4);
  };
  const sendGarbage = async () => {
    const received = await exchangeBytes(port, `\x16\x03\x01${below(1e9)}\r\n\r\n`);
    expectEqual(received.slice(9, 12), '400');
  };
  const readSlowly = async () =>
    expectEqual(await drain(await send(kept, { path: '/stream?pieces=24' }), 5), 24 * 8_192);
  const readFailing = async () => {
    const response = await send(own, { path: '/stream-fails' });
    expectEqual(await drain(response).catch((error) => error.code), 'ECONNRESET');
  };

  const actions = [
    ['GET', 14, get(200, '/')],
    ['GET with schemas', 14, () => ask(200, { path: `/notes/${below(1e6)}?page=${below(9)}` })],
    ['GET on a new connection', 6, () => ask(200, {}, own)],
    ['POST, valid', 14, () => ask(201, note())],
    ['POST, invalid', 4, () => ask(400, post(`{"title":"x","stars":${6 + below(1e6)}}`))],
    ['POST, not JSON', 2, () => ask(400, post('{"title":'))],
    ['POST, other type', 2, () => ask(415, post('x', { 'content-type': 'text/unknown' }))],
    ['POST, too large', 2, () => ask(413, post('x'.repeat(5_000 + below(5_000))), own)],
    ['not found', 2, () => ask(404, { path: `/none/${below(1e9)}` })],
    ['bad URL', 1, get(400, '/notes/%zz')],
    ['throws', 2, get(500, '/throw')],
    ['rejects', 2, get(418, '/reject')],
    ['hook rejects', 2, get(500, '/hook')],
    ['error handler', 2, get(409, '/handled')],
    ['payload that does not fit', 1, get(500, '/payload')],
    ['time limit', 1, get(503, '/limited')],
    ['slow', 2, get(200, '/slow')],
    ['large', 1, get(200, '/big')],
    ['expect', 1, () => ask(201, note({ ...json, expect: '100-continue' }), own)],
    // Fastify needs a plugin for forms.
    ['form', 2, () => (isAmbit ? ask(200, form(below(90_000))) : ask(415, form(900), own))],
    ['upload', 2, () => ask(200, upload(below(200_000)))],
    ['pipelined', 1, pipeline],
    ['not HTTP', 1, sendGarbage],
    ['stream, read slowly', 1, readSlowly],
    ['stream that fails', 1, readFailing],
    ['events', 1, () => abortDownload(own, '/events', 50 + below(400))],
    ['stream, cut off', 1, () => abortDownload(own, '/stream?pieces=40', 1 + below(200_000))],
    ['large, cut off', 1, () => abortDownload(own, '/big', 1)],
    ['upload, cut off', 1, () => disconnect(port, uploadHead + 'u'.repeat(1 + below(200_000)), 20, false)],
    ['leaves without a byte', 1, leave('', 1)],
    ['leaves in the head', 1, leave('GET / HTT', 20)],
    ['leaves in the body', 1, leave(`${head('POST', '/notes', 'application/json', 50)}{"ti`, 20)],
    ['leaves before the response', 1, leave('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n', 90)],
    ['leaves in a form', 1, leave(formHead + createForm(9_000).slice(0, 4_000), 20)],
  ];
  return actions.map(([name, weight, run]) => ({ name, weight, run }));
}
