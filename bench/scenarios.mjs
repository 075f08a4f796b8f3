/**
 * Owns the questions of the benchmark: what each scenario asks, and what every peer must answer.
 * `load` is asked in a loop while measuring; `checks` are asked once before, and prove that no step was skipped.
 *
 * @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: unknown }} Question
 * @typedef {{ question: Question, status: number, body?: unknown }} Check `body` is left out where only the status counts.
 * @typedef {{
 *   title: string,
 *   load: Check,
 *   checks: Check[],
 *   pipelining: number,
 *   share: number,
 *   needsResponseSchema: boolean,
 * }} Scenario `pipelining` is how many requests a connection sends at once; `share` the part of the usual number of
 *   requests, for answers that are long.
 */
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

/** Stops at one hook: the checks use it to see that each of the four really runs. */
const stopAt = (/** @type {string} */ hook) => ({
  question: { method: 'GET', path: '/', headers: { 'x-stop': hook } },
  status: 200,
  body: { stopped: hook },
});

/** What a scenario is when it does not say otherwise. */
const plain = { checks: [], pipelining: 1, share: 1, needsResponseSchema: false };

const helloQuestion = { method: 'GET', path: '/' };
const hello = { question: helloQuestion, status: 200, body: { hello: 'world' } };
const lost = { question: { method: 'GET', path: '/nowhere' }, status: 404 };
const user = (/** @type {string} */ path) => ({ method: 'GET', path: `/users/${path}` });
const postOrder = (/** @type {unknown} */ body) => ({ method: 'POST', path: '/orders', body });

/** @type {Record<string, Scenario>} */
export const scenarios = {
  get: { ...plain, title: 'GET', load: hello, checks: [lost] },
  // The handler returns more than the schema declares: the answer shows that the schema serialized it.
  'get-schema': { ...plain, title: 'GET with a response schema', load: hello, needsResponseSchema: true },
  'params-query': {
    ...plain,
    title: 'Params and query, validated',
    load: {
      question: user('42?verbose=true&limit=10'),
      status: 200,
      body: { id: 42, verbose: true, limit: 10 },
    },
    checks: [
      { question: user('ada?verbose=true&limit=10'), status: 400 },
      { question: user('42?verbose=true&limit=many'), status: 400 },
    ],
  },
  post: {
    ...plain,
    title: 'POST of 300 bytes, validated',
    load: {
      question: postOrder(order),
      status: 200,
      body: { id: 7, customer: order.customer, items: order.items },
    },
    checks: [
      { question: postOrder({ ...order, items: [{ sku: 1 }] }), status: 400 },
      { question: postOrder({ ...order, customer: {} }), status: 400 },
    ],
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
    load: { question: { method: 'GET', path: '/rows' }, status: 200, body: rows },
    share: 0.25,
  },
  'not-found': {
    ...plain,
    title: '404',
    load: { ...lost, body: { error: 'nothing here' } },
    checks: [hello],
  },
  pipelined: { ...plain, title: 'GET, ten requests at once on a connection', load: hello, pipelining: 10 },
};
