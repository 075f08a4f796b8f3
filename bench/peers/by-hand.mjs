// What a handler does for peers that recommend no validator: Ajv, configured as in Fastify and Ambit, coerces and checks the input.
import { Ajv } from 'ajv';
import { order, params, querystring } from './json-schemas.mjs';

const ajv = new Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true });
const isParams = ajv.compile(params);
const isQuery = ajv.compile(querystring);
const isOrder = ajv.compile(order);

const refuse = ({ errors }) => ({ status: 400, body: { errors } });

/** @param {any} params @param {any} query Both are changed. */
export function findUser(params, query) {
  if (!isParams(params)) return refuse(isParams);
  if (!isQuery(query)) return refuse(isQuery);
  return { status: 200, body: { id: params.id, verbose: query.verbose, limit: query.limit } };
}

export function saveOrder(/** @type {any} */ body) {
  if (!isOrder(body)) return refuse(isOrder);
  return { status: 200, body: { id: 7, customer: body.customer, items: body.items } };
}
