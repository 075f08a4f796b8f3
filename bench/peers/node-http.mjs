// The scenarios with node:http only, written by hand in the simplest way. They show the cost of a server without a framework.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { hookNames, rows } from '../scenarios.mjs';
import { findUser, saveOrder } from './by-hand.mjs';

function sendJson(response, { status = 200, body }) {
  const text = JSON.stringify(body);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  };
  response.writeHead(status, headers).end(text);
}

const sendNotFound = (response) => sendJson(response, { status: 404, body: { error: 'nothing here' } });

function get(request, response) {
  if (request.method === 'GET' && request.url === '/') sendJson(response, { body: { hello: 'world' } });
  else sendNotFound(response);
}

const hooks = hookNames.map((name) => async (request, response) => {
  if (request.headers['x-stop'] === name) sendJson(response, { body: { stopped: name } });
});

/** @type {Record<string, import('node:http').RequestListener>} */
const listeners = {
  get,
  'not-found': get,
  'params-query'(request, response) {
    const [path, search] = request.url.split('?');
    if (request.method !== 'GET' || !path.startsWith('/users/')) return sendNotFound(response);
    const params = { id: decodeURIComponent(path.slice('/users/'.length)) };
    sendJson(response, findUser(params, Object.fromEntries(new URLSearchParams(search))));
  },
  post(request, response) {
    if (request.method !== 'POST' || request.url !== '/orders') return sendNotFound(response);
    const chunks = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => sendJson(response, saveOrder(JSON.parse(Buffer.concat(chunks).toString()))));
  },
  async hooks(request, response) {
    for (const hook of hooks) {
      await hook(request, response);
      if (response.headersSent) return;
    }
    get(request, response);
  },
  rows(request, response) {
    if (request.method === 'GET' && request.url === '/rows') sendJson(response, { body: rows });
    else sendNotFound(response);
  },
};

/** @param {string} scenario @param {string} _peer @param {{ key: string, cert: string } | undefined} https */
export async function start(scenario, _peer, https) {
  const listener = listeners[scenario];
  const server = https === undefined ? createServer(listener) : createSecureServer(https, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}
