// Owns validation for peers that bring none: Ajv, configured as Fastify and Ambit configure it.
import { Ajv } from 'ajv';
import { order, params, querystring } from './json-schema.mjs';

const ajv = new Ajv({ coerceTypes: 'array', useDefaults: true, removeAdditional: true });

/** Each coerces in place and tells whether the value fits. */
export const isParams = ajv.compile(params);
export const isQuery = ajv.compile(querystring);
export const isOrder = ajv.compile(order);
