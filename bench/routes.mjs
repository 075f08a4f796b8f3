// Owns the routes of every scenario for peers that speak Fastify's API, so that those peers run the same lines.

const hello = {
  type: 'object',
  properties: { hello: { type: 'string' } },
};

const params = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' } },
};

const querystring = {
  type: 'object',
  required: ['limit'],
  properties: { verbose: { type: 'boolean' }, limit: { type: 'integer', minimum: 1, maximum: 100 } },
};

const customer = {
  type: 'object',
  required: ['name', 'email', 'address'],
  properties: {
    name: { type: 'string', minLength: 1 },
    email: { type: 'string' },
    address: {
      type: 'object',
      required: ['city', 'zip'],
      properties: { city: { type: 'string' }, zip: { type: 'string', maxLength: 10 } },
    },
  },
};

const items = {
  type: 'array',
  minItems: 1,
  items: {
    type: 'object',
    required: ['sku', 'quantity', 'price'],
    properties: {
      sku: { type: 'string', minLength: 8 },
      quantity: { type: 'integer', minimum: 1 },
      price: { type: 'number' },
    },
  },
};

const order = {
  type: 'object',
  required: ['customer', 'items'],
  additionalProperties: false,
  properties: { customer, items, express: { type: 'boolean' }, note: { type: 'string' } },
};

const savedOrder = {
  type: 'object',
  properties: { id: { type: 'integer' }, customer, items },
};

/** A hook that lets everything through, except for the check that asks it to show itself. */
const stoppable = (/** @type {string} */ name) => async (request, reply) => {
  if (request.headers['x-stop'] === name) return reply.send({ stopped: name });
};

/** @type {Record<string, (app: any) => void>} */
export const routes = {
  get(app) {
    app.get('/', async () => ({ hello: 'world' }));
  },
  'get-schema'(app) {
    app.get('/', { schema: { response: { 200: hello } } }, async () => ({
      hello: 'world',
      undeclared: true,
    }));
  },
  'params-query'(app) {
    app.get('/users/:id', { schema: { params, querystring } }, async (request) => ({
      id: request.params.id,
      verbose: request.query.verbose,
      limit: request.query.limit,
    }));
  },
  post(app) {
    app.post('/orders', { schema: { body: order, response: { 200: savedOrder } } }, async (request) => ({
      id: 7,
      ...request.body,
    }));
  },
  hooks(app) {
    app.addHook('onRequest', stoppable('onRequest'));
    app.addHook('preValidation', stoppable('preValidation'));
    app.addHook('preHandler', stoppable('preHandler'));
    app.addHook('onSend', async (request, _reply, payload) =>
      request.headers['x-stop'] === 'onSend' ? '{"stopped":"onSend"}' : payload,
    );
    app.get('/', async () => ({ hello: 'world' }));
  },
};
