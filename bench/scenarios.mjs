/**
 * Owns the questions of the benchmark: what each scenario asks, and what every peer must answer.
 * `load` is asked in a loop while measuring; `checks` are asked once before, and prove that no step was skipped.
 *
 * @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: unknown }} Question
 * @typedef {{ question: Question, status: number, body?: unknown }} Check `body` is left out where only the status counts.
 * @typedef {{ load: { question: Question, body: unknown }, checks: Check[] }} Scenario
 */

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

/** @type {Record<string, Scenario>} */
export const scenarios = {
  get: {
    load: { question: { method: 'GET', path: '/' }, body: { hello: 'world' } },
    checks: [{ question: { method: 'GET', path: '/nowhere' }, status: 404 }],
  },
  // The handler returns more than the schema declares: the answer shows that the schema serialized it.
  'get-schema': {
    load: { question: { method: 'GET', path: '/' }, body: { hello: 'world' } },
    checks: [],
  },
  'params-query': {
    load: {
      question: { method: 'GET', path: '/users/42?verbose=true&limit=10' },
      body: { id: 42, verbose: true, limit: 10 },
    },
    checks: [
      { question: { method: 'GET', path: '/users/ada?verbose=true&limit=10' }, status: 400 },
      { question: { method: 'GET', path: '/users/42?verbose=true&limit=many' }, status: 400 },
    ],
  },
  post: {
    load: {
      question: { method: 'POST', path: '/orders', body: order },
      body: { id: 7, customer: order.customer, items: order.items },
    },
    checks: [
      { question: { method: 'POST', path: '/orders', body: { ...order, items: [{ sku: 1 }] } }, status: 400 },
      { question: { method: 'POST', path: '/orders', body: { ...order, customer: {} } }, status: 400 },
    ],
  },
  hooks: {
    load: { question: { method: 'GET', path: '/' }, body: { hello: 'world' } },
    checks: ['onRequest', 'preValidation', 'preHandler', 'onSend'].map(stopAt),
  },
};
