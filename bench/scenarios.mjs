/**
 * The requests of the benchmark: the request of each scenario, and the response that every peer must send.
 *
 * @typedef {{ method?: string, path: string, headers?: Record<string, string>, body?: unknown }} Request
 * @typedef {{ request: Request, status?: number, body?: unknown }} Check The default status is 200. Without `body`, only the status counts.
 * @typedef {{ title: string, load: Check, checks?: Check[], pipelining?: number, isSecure?: boolean, routes?: string, peers?: string[] }} Scenario
 *   `load` is sent in a loop; `checks` are sent once before, and prove that the peer skips no step. `pipelining` is how many requests
 *   a connection sends at once; `routes` names the scenario whose routes are served, if not its own; `peers` is who can run it, if not all.
 */

const roles = ['admin', 'member', 'guest'];
const names = ['Ada Lovelace', 'Grace Hopper', 'Edsger Dijkstra', 'Barbara Liskov', 'Tony Hoare'];

const makeRow = (_, index) => ({
  id: index * 7919,
  name: names[index % names.length],
  email: `reader${index}@example.org`,
  active: index % 3 === 0,
  score: (index * 37) / 8,
  role: roles[index % roles.length],
  createdAt: new Date(1_700_000_000_000 + index * 86_400_000).toISOString(),
  age: 20 + (index % 60),
});

/** Parsed from text, because rows from a database driver also have flat strings and one hidden class. */
export const rows = JSON.parse(JSON.stringify(Array.from({ length: 100 }, makeRow)));

/** The hooks of the scenario `hooks`. Each stops the request whose header `x-stop` names it, which proves that it runs. */
export const hookNames = ['onRequest', 'preValidation', 'preHandler', 'onSend'];

/** A placeholder in a header, for sixteen hexadecimal digits that differ in each request. */
export const idPlaceholder = '<id>';

/** About 300 bytes as JSON. */
const order = {
  customer: { name: 'Ada Lovelace', email: 'ada@example.org', address: { city: 'London', zip: 'W1K 6TD' } },
  items: [
    { sku: 'engine-0001', quantity: 2, price: 19.95 },
    { sku: 'cards-00250', quantity: 250, price: 0.05 },
    { sku: 'mill-000012', quantity: 1, price: 1200 },
  ],
  express: true,
  note: 'Please ring twice, the bell is quiet.',
};
const savedOrder = { id: 7, customer: order.customer, items: order.items };
const postOrder = (body) => ({ method: 'POST', path: '/orders', body });

/** What Fastify does not change, either: there, a first branch `null` would take the empty text, and closed branches remove properties. */
const paidOrder = {
  ...order,
  payment: { kind: 'transfer', iban: 'DE89370400440532013000' },
  gift: 'To Mary',
};

const hello = { request: { path: '/' }, body: { hello: 'world' } };
const helloWith = (headers) => ({ ...hello, request: { path: '/', headers } });
const lost = { request: { path: '/nowhere' }, status: 404 };

/** Twelve fields with Host: those that Chromium sends for a page. */
const browserHeaders = {
  connection: 'keep-alive',
  'cache-control': 'max-age=0',
  'sec-ch-ua': '"Chromium";v="156", "Not.A/Brand";v="99"',
  'sec-ch-ua-mobile': '?0',
  'sec-ch-ua-platform': '"Linux"',
  'upgrade-insecure-requests': '1',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8',
  'sec-fetch-site': 'none',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'en-GB,en;q=0.9',
};

/** Eight fields with Host: a small client's request with the fields that a reverse proxy adds. */
const proxyHeaders = {
  'x-forwarded-for': '203.0.113.7',
  'x-forwarded-proto': 'https',
  'x-forwarded-host': 'api.example.org',
  'x-request-id': `0000000000000000${idPlaceholder}`,
  traceparent: `00-0af7651916cd43dd${idPlaceholder}-${idPlaceholder}-01`,
  accept: 'application/json',
  'user-agent': 'example-client/2.4',
};

/** @type {Record<string, Scenario>} */
export const scenarios = {
  get: { title: 'GET', load: hello, checks: [lost] },
  // The handler returns more than the schema declares, so the response shows that the schema serialized it.
  'get-schema': {
    title: 'GET with a response schema',
    load: hello,
    peers: ['ambit', 'facade', 'fastify', 'bun-ambit', 'bun-elysia', 'deno-ambit'],
  },
  'params-query': {
    title: 'Params and query, validated',
    load: {
      request: { path: '/users/42?verbose=true&limit=10' },
      body: { id: 42, verbose: true, limit: 10 },
    },
    checks: [
      { request: { path: '/users/ada?verbose=true&limit=10' }, status: 400 },
      { request: { path: '/users/42?verbose=true&limit=many' }, status: 400 },
    ],
  },
  post: {
    title: 'POST of 300 bytes, validated',
    load: { request: postOrder(order), body: savedOrder },
    checks: [
      { request: postOrder({ ...order, items: [{ sku: 1 }] }), status: 400 },
      { request: postOrder({ ...order, customer: {} }), status: 400 },
    ],
  },
  'post-union': {
    title: 'POST whose body schema has two unions, validated',
    load: { request: postOrder(paidOrder), body: savedOrder },
    checks: [{ request: postOrder({ ...paidOrder, payment: { kind: 'cash' } }), status: 400 }],
    peers: ['ambit', 'facade', 'fastify'],
  },
  hooks: {
    title: 'Four async hooks or middleware',
    load: hello,
    checks: hookNames.map((name) => ({ ...helloWith({ 'x-stop': name }), body: { stopped: name } })),
  },
  rows: { title: '100 rows, 16 kB', load: { request: { path: '/rows' }, body: rows } },
  'not-found': { title: '404', load: { ...lost, body: { error: 'nothing here' } }, checks: [hello] },
  pipelined: {
    title: 'GET, ten requests at once on a connection',
    load: hello,
    pipelining: 10,
    routes: 'get',
  },
  browser: {
    title: 'GET with the 12 headers of a browser',
    load: helloWith(browserHeaders),
    routes: 'get',
  },
  https: {
    title: 'GET over TLS',
    load: hello,
    checks: [lost],
    isSecure: true,
    routes: 'get',
    peers: ['ambit', 'facade', 'fastify', 'node-http'],
  },
  proxy: {
    title: 'GET with the 8 headers of a proxy, two of them new in each request',
    load: helloWith(proxyHeaders),
    routes: 'get',
  },
};

/** @param {Request} request The bytes of it have the placeholder as it is. */
export function writeRequest({ method = 'GET', path, headers, body }) {
  const content = body === undefined ? '' : JSON.stringify(body);
  const contentHeaders = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) };
  const fields = { host: '127.0.0.1', ...headers, ...(body === undefined ? {} : contentHeaders) };
  const head = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n${content}`;
}
