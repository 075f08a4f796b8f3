/** Everything with which tools look at an application. It is loaded late, as one module, by the first of these calls. */
export { listCompiledSchemas } from './list-compiled-schemas.ts';
export { listContexts } from './list-contexts.ts';
export { listAfterListeners, listPlugins } from './list-plugins.ts';
export { listRoutes } from './list-routes.ts';
export { listSteps } from './list-steps.ts';
