// The application whose cold start is measured: one route, with schemas of the body and of the response.
import { ambit } from 'ambit';
import { order, savedOrder } from '../peers/json-schemas.mjs';

/** @param {object} [compiled] The schemas of the build; without them, they are compiled at first use. */
export function makeApp(compiled) {
  const schema = { body: order, response: { 200: savedOrder } };
  return ambit({ compiled }).post('/orders', { schema }, async (request) => ({ id: 7, ...request.body }));
}
