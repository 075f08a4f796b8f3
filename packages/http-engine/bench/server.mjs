// One server of the benchmark, in a process of its own: `node server.mjs node|engine|engine-raw|fastify`. Tells its port, and on request
// its figures.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { attach } from '@ambit/http-engine';

const text = JSON.stringify({ id: 7, title: 'a note', done: false });
const rows = Array.from({ length: 100 }, (_, id) => ({
  id,
  name: `user ${id}`,
  email: `user-${id}@example.com`,
  active: id % 2 === 0,
}));
const fields = { 'content-type': 'application/json; charset=utf-8' };
let requests = 0;

function serveAsNode(request, response) {
  requests++;
  const answer = (payload) => {
    response.writeHead(200, { ...fields, 'content-length': Buffer.byteLength(payload) });
    response.end(payload);
  };
  if (request.url === '/rows') return answer(JSON.stringify(rows));
  if (request.method !== 'POST') return answer(text);
  const pieces = [];
  request.on('data', (piece) => pieces.push(piece));
  request.on('end', () => answer(JSON.stringify(JSON.parse(Buffer.concat(pieces).toString()))));
}

function serve(exchange) {
  requests++;
  if (exchange.target === '/rows') return exchange.respond(200, fields, JSON.stringify(rows));
  if (exchange.method !== 'POST') return exchange.respond(200, fields, text);
  exchange.readBody(
    (body) => exchange.respond(200, fields, JSON.stringify(JSON.parse(body.toString()))),
    () => {},
  );
}

/** The one of the tests. */
function readCertificate() {
  const text = readFileSync(new URL('../test/fixtures/certificate.ts', import.meta.url), 'utf8');
  const [key, cert] = text.match(/-----BEGIN [^`]*-----END [A-Z ]*-----/g);
  return { key, cert };
}

/** Fastify's own server, for the memory of its connections. */
async function createFastify() {
  const { default: fastify } = await import('fastify');
  const app = fastify();
  app.get('*', () => ({ id: 7, title: 'a note', done: false }));
  await app.ready();
  return app.server;
}

const ways = {
  fastify: createFastify,
  node: () => createServer(serveAsNode),
  engine: () => {
    const server = createServer();
    attach(server, serve);
    return server;
  },
  'node-tls': () => createSecureServer(readCertificate(), serveAsNode),
  'engine-tls': () => {
    const server = createSecureServer(readCertificate());
    attach(server, serve);
    return server;
  },
  'engine-raw': () => {
    const server = createServer();
    attach(server, (exchange) => serveAsNode(exchange.rawRequest, exchange.rawResponse));
    return server;
  },
};

const server = await ways[process.argv[2]]();
server.listen(0, '127.0.0.1', () => process.send({ port: server.address().port }));
function readMemory() {
  for (let i = 0; i < 4; i++) globalThis.gc();
  const { rss } = process.memoryUsage();
  return rss;
}

process.on('message', (what) => {
  if (what === 'exit') process.exit();
  if (what === 'memory') return process.send({ memoryBytes: readMemory() });
  const { user, system } = process.cpuUsage();
  process.send({ cpuUs: user + system, requests });
});
