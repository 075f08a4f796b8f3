/**
 * The error catalogue. Codes are permanent. `FST_ERR_…` codes and their messages are Fastify's, because published plugins and alerts match
 * on them. Errors without a counterpart in Fastify have codes `AMBIT_ERR_…`.
 */
export * from './errors/application.ts';
export * from './errors/decorators.ts';
export * from './errors/hooks.ts';
export * from './errors/logs.ts';
export * from './errors/plugins.ts';
export * from './errors/replies.ts';
export * from './errors/requests.ts';
export * from './errors/routes.ts';
export * from './errors/schemas.ts';
export * from './errors/server.ts';
export * from './errors/uploads.ts';
