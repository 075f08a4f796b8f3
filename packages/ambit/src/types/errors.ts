/**
 * The error catalogue. Codes are permanent. `FST_ERR_…` codes and their messages are Fastify's, because published plugins and alerts match
 * on them. Errors without a counterpart in Fastify have codes `AMBIT_ERR_…`.
 */

export * from './errors-of-boot.ts';
export * from './errors-of-requests.ts';
export * from './errors-of-schemas.ts';
