// The inputs and outputs of the scenarios as JSON Schema, for Ambit, Fastify and peers that validate with Ajv.

const text = { type: 'string' };
const integer = { type: 'integer' };
const number = { type: 'number' };
const object = (properties, rest) => ({ type: 'object', properties, ...rest });
const closed = (properties) => object(properties, { required: Object.keys(properties) });

export const hello = object({ hello: text });
export const params = closed({ id: integer });
export const querystring = object(
  { verbose: { type: 'boolean' }, limit: { ...integer, minimum: 1, maximum: 100 } },
  { required: ['limit'] },
);

const customer = closed({
  name: { ...text, minLength: 1 },
  email: text,
  address: closed({ city: text, zip: { ...text, maxLength: 10 } }),
});
const item = closed({ sku: { ...text, minLength: 8 }, quantity: { ...integer, minimum: 1 }, price: number });
const items = { type: 'array', minItems: 1, items: item };

export const order = object(
  { customer, items, express: { type: 'boolean' }, note: text },
  { required: ['customer', 'items'], additionalProperties: false },
);

/** The same with two unions: one of objects, told apart by a constant, and one of types. */
export const paidOrder = {
  ...order,
  required: [...order.required, 'payment'],
  properties: {
    ...order.properties,
    payment: {
      anyOf: [
        closed({ kind: { const: 'card' }, number: text }),
        closed({ kind: { const: 'transfer' }, iban: text }),
      ],
    },
    gift: { anyOf: [{ type: 'null' }, text] },
  },
};

export const savedOrder = object({ id: integer, customer, items });

const row = {
  id: integer,
  name: text,
  email: text,
  active: { type: 'boolean' },
  score: number,
  role: text,
  createdAt: text,
  age: integer,
};
export const rows = { type: 'array', items: object(row) };
