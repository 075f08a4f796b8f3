// The scenarios with node:http only, written by hand in the simplest way. They show the cost of a server without a framework.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { rows } from '../rows.mjs';
import { isOrder, isParams, isQuery } from '../schemas/ajv.mjs';

function sendJson(response, status, value) {
  const text = JSON.stringify(value);
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  };
  response.writeHead(status, headers).end(text);
}

const sendNotFound = (response) => sendJson(response, 404, { error: 'nothing here' });

function get(request, response) {
  if (request.method === 'GET' && request.url === '/') sendJson(response, 200, { hello: 'world' });
  else sendNotFound(response);
}

const stoppable = (/** @type {string} */ name) => async (request, response) => {
  if (request.headers['x-stop'] === name) sendJson(response, 200, { stopped: name });
};
const hooks = ['onRequest', 'preValidation', 'preHandler', 'onSend'].map(stoppable);

function readBody(request, onBody) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => onBody(JSON.parse(Buffer.concat(chunks).toString())));
}

/** @type {Record<string, import('node:http').RequestListener>} */
const listeners = {
  get,
  'not-found': get,
  'params-query'(request, response) {
    const [path, search] = request.url.split('?');
    if (request.method !== 'GET' || !path.startsWith('/users/')) return sendNotFound(response);
    const params = { id: decodeURIComponent(path.slice('/users/'.length)) };
    const query = Object.fromEntries(new URLSearchParams(search));
    if (!isParams(params)) return sendJson(response, 400, { errors: isParams.errors });
    if (!isQuery(query)) return sendJson(response, 400, { errors: isQuery.errors });
    sendJson(response, 200, { id: params.id, verbose: query.verbose, limit: query.limit });
  },
  post(request, response) {
    if (request.method !== 'POST' || request.url !== '/orders') return sendNotFound(response);
    readBody(request, (body) => {
      if (!isOrder(body)) return sendJson(response, 400, { errors: isOrder.errors });
      sendJson(response, 200, { id: 7, customer: body.customer, items: body.items });
    });
  },
  async hooks(request, response) {
    for (const hook of hooks) {
      await hook(request, response);
      if (response.headersSent) return;
    }
    get(request, response);
  },
  rows(request, response) {
    if (request.method === 'GET' && request.url === '/rows') sendJson(response, 200, rows);
    else sendNotFound(response);
  },
};

/**
 * @param {string} scenario
 * @param {{ key: string, cert: string } | undefined} https
 */
export async function start(scenario, https) {
  const listener = listeners[scenario];
  const server = https === undefined ? createServer(listener) : createSecureServer(https, listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: server.address().port, close: () => server.close() };
}
