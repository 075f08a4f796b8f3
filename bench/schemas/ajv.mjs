// Validation for peers without a validator: Ajv, configured as in Fastify and Ambit.
import { Ajv } from 'ajv';
import { order, params, querystring } from './json-schema.mjs';

const ajv = new Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true });

/** Each coerces the value in place and returns whether it is valid. */
export const isParams = ajv.compile(params);
export const isQuery = ajv.compile(querystring);
export const isOrder = ajv.compile(order);
