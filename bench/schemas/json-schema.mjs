// The inputs and outputs of the scenarios as JSON Schema, for Ambit, Fastify and peers that validate with Ajv.

export const hello = {
  type: 'object',
  properties: { hello: { type: 'string' } },
};

export const params = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' } },
};

export const querystring = {
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

export const order = {
  type: 'object',
  required: ['customer', 'items'],
  additionalProperties: false,
  properties: { customer, items, express: { type: 'boolean' }, note: { type: 'string' } },
};

const text = { type: 'string' };

/** The same with two unions: one of objects, told apart by a constant, and one of types. */
export const paidOrder = {
  ...order,
  required: [...order.required, 'payment'],
  properties: {
    ...order.properties,
    payment: {
      anyOf: [
        {
          type: 'object',
          required: ['kind', 'number'],
          properties: { kind: { const: 'card' }, number: text },
        },
        {
          type: 'object',
          required: ['kind', 'iban'],
          properties: { kind: { const: 'transfer' }, iban: text },
        },
      ],
    },
    gift: { anyOf: [{ type: 'null' }, text] },
  },
};

export const savedOrder = {
  type: 'object',
  properties: { id: { type: 'integer' }, customer, items },
};

export const rows = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      id: { type: 'integer' },
      name: { type: 'string' },
      email: { type: 'string' },
      active: { type: 'boolean' },
      score: { type: 'number' },
      role: { type: 'string' },
      createdAt: { type: 'string' },
      age: { type: 'integer' },
    },
  },
};
