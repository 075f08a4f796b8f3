/** An application whose routes the compiler knows: what its client is typed by has to be what its document says. */
import { ambit } from 'ambit';

const user = {
  $id: 'User',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    name: { type: 'string' },
    nick: { type: ['string', 'null'] },
    role: { enum: ['admin', 'guest'] },
  },
  required: ['id', 'name'],
  additionalProperties: false,
} as const;

export const typedApp = () =>
  ambit()
    .addSchema(user)
    .get(
      '/users/:id',
      {
        schema: {
          params: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] },
          response: {
            200: { $ref: 'User#' },
            404: {
              type: 'object',
              properties: { problem: { type: 'string' } },
              required: ['problem'],
              additionalProperties: false,
            },
          },
        },
      },
      () => ({ id: 1, name: 'ada' }),
    )
    .get(
      '/users',
      {
        schema: {
          querystring: {
            type: 'object',
            properties: { page: { type: 'integer' }, tags: { type: 'array', items: { type: 'string' } } },
            required: ['page'],
          },
          response: { 200: { type: 'array', items: { $ref: 'User#' } } },
        },
      },
      () => [],
    )
    .post(
      '/users',
      {
        schema: {
          body: {
            type: 'object',
            properties: {
              name: { type: 'string' },
              age: { type: 'integer' },
              pair: {
                type: 'array',
                items: [{ type: 'string' }, { type: 'integer' }],
                minItems: 2,
                additionalItems: false,
              },
            },
            required: ['name'],
            additionalProperties: false,
          },
          response: { 201: { $ref: 'User#' } },
        },
      },
      (_request, reply) => reply.code(201).send({ id: 1, name: 'ada' }),
    );
