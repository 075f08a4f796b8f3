/**
 * The error catalogue. Codes are permanent. `FST_ERR_…` codes, with their texts, are the ecosystem's: published plugins
 * and alerts match on them. What has no counterpart there is `AMBIT_…`.
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
