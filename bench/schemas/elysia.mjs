// The inputs and outputs of the scenarios in Elysia's own types (TypeBox).
import { t } from 'elysia';

export const hello = t.Object({ hello: t.String() });

export const params = t.Object({ id: t.Integer() });

export const query = t.Object({
  verbose: t.Optional(t.Boolean()),
  limit: t.Integer({ minimum: 1, maximum: 100 }),
});

const customer = t.Object({
  name: t.String({ minLength: 1 }),
  email: t.String(),
  address: t.Object({ city: t.String(), zip: t.String({ maxLength: 10 }) }),
});

const items = t.Array(
  t.Object({ sku: t.String({ minLength: 8 }), quantity: t.Integer({ minimum: 1 }), price: t.Number() }),
  { minItems: 1 },
);

export const order = t.Object({
  customer,
  items,
  express: t.Optional(t.Boolean()),
  note: t.Optional(t.String()),
});

export const savedOrder = t.Object({ id: t.Integer(), customer, items });

export const rows = t.Array(
  t.Object({
    id: t.Integer(),
    name: t.String(),
    email: t.String(),
    active: t.Boolean(),
    score: t.Number(),
    role: t.String(),
    createdAt: t.String(),
    age: t.Integer(),
  }),
);
