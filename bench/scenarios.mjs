/**
 * The requests of the benchmark: the request of each scenario, and the response that every peer must send.
 * `load` is sent in a loop while measuring. `checks` are sent once before, and prove that the peer skips no step.
 *
 * @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: unknown }} ExampleRequest
 * @typedef {{ request: ExampleRequest, status: number, body?: unknown }} Check `body` is left out if only the status
 *   counts.
 * @typedef {{
 *   title: string,
 *   load: Check,
 *   checks: Check[],
 *   pipelining: number,
 *   needsResponseSchema: boolean,
 *   isSecure: boolean,
 *   peers: string[] | undefined,
 *   routes: string | undefined,
 * }} Scenario `pipelining` is how many requests a connection sends at once; `isSecure` is whether connections use TLS; `peers` is who
 *   can run it, if not all can; `routes` names another scenario, if the peers serve the routes of that one.
 */
import { idPlaceholder } from './load.mjs';
import { rows } from './rows.mjs';

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

/** What Fastify does not change, either: there, a first branch `null` would take the empty text, and closed branches remove properties. */
const paidOrder = {
  ...order,
  payment: { kind: 'transfer', iban: 'DE89370400440532013000' },
  gift: 'To Mary',
};

/** Makes one hook reject the request. The checks use this to prove that each of the four hooks runs. */
const stopAt = (/** @type {string} */ hook) => ({
  request: { method: 'GET', path: '/', headers: { 'x-stop': hook } },
  status: 200,
  body: { stopped: hook },
});

/** The defaults of a scenario. */
const plain = {
  checks: [],
  pipelining: 1,
  needsResponseSchema: false,
  isSecure: false,
  peers: undefined,
  routes: undefined,
};

const helloRequest = { method: 'GET', path: '/' };
const hello = { request: helloRequest, status: 200, body: { hello: 'world' } };
const lost = { request: { method: 'GET', path: '/nowhere' }, status: 404 };
const user = (/** @type {string} */ path) => ({ method: 'GET', path: `/users/${path}` });
const postOrder = (/** @type {unknown} */ body) => ({ method: 'POST', path: '/orders', body });

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
  get: { ...plain, title: 'GET', load: hello, checks: [lost] },
  // The handler returns more than the schema declares, so the response shows that the schema serialized it.
  'get-schema': { ...plain, title: 'GET with a response schema', load: hello, needsResponseSchema: true },
  'params-query': {
    ...plain,
    title: 'Params and query, validated',
    load: {
      request: user('42?verbose=true&limit=10'),
      status: 200,
      body: { id: 42, verbose: true, limit: 10 },
    },
    checks: [
      { request: user('ada?verbose=true&limit=10'), status: 400 },
      { request: user('42?verbose=true&limit=many'), status: 400 },
    ],
  },
  post: {
    ...plain,
    title: 'POST of 300 bytes, validated',
    load: {
      request: postOrder(order),
      status: 200,
      body: { id: 7, customer: order.customer, items: order.items },
    },
    checks: [
      { request: postOrder({ ...order, items: [{ sku: 1 }] }), status: 400 },
      { request: postOrder({ ...order, customer: {} }), status: 400 },
    ],
  },
  'post-union': {
    ...plain,
    title: 'POST whose body schema has two unions, validated',
    load: {
      request: postOrder(paidOrder),
      status: 200,
      body: { id: 7, customer: order.customer, items: order.items },
    },
    checks: [{ request: postOrder({ ...paidOrder, payment: { kind: 'cash' } }), status: 400 }],
    peers: ['ambit', 'facade', 'fastify'],
  },
  hooks: {
    ...plain,
    title: 'Four async hooks or middleware',
    load: hello,
    checks: ['onRequest', 'preValidation', 'preHandler', 'onSend'].map(stopAt),
  },
  rows: {
    ...plain,
    title: '100 rows, 16 kB',
    load: { request: { method: 'GET', path: '/rows' }, status: 200, body: rows },
  },
  'not-found': {
    ...plain,
    title: '404',
    load: { ...lost, body: { error: 'nothing here' } },
    checks: [hello],
  },
  pipelined: {
    ...plain,
    title: 'GET, ten requests at once on a connection',
    load: hello,
    pipelining: 10,
    routes: 'get',
  },
  browser: {
    ...plain,
    title: 'GET with the 12 headers of a browser',
    load: { ...hello, request: { ...helloRequest, headers: browserHeaders } },
    routes: 'get',
  },
  https: {
    ...plain,
    title: 'GET over TLS',
    load: hello,
    checks: [lost],
    isSecure: true,
    peers: ['ambit', 'facade', 'fastify', 'node-http'],
    routes: 'get',
  },
  proxy: {
    ...plain,
    title: 'GET with the 8 headers of a proxy, two of them new in each request',
    load: { ...hello, request: { ...helloRequest, headers: proxyHeaders } },
    routes: 'get',
  },
};
