/** The code behind `inspect.ts`, which loads it as one module on the first call. */
export { listCompiledSchemas } from './list-compiled-schemas.ts';
export { listContexts } from './list-contexts.ts';
export { listAfterListeners, listPlugins } from './list-plugins.ts';
export { listRoutes } from './list-routes.ts';
export { listSteps } from './list-steps.ts';
