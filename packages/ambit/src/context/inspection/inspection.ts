/** The code behind `inspect.ts`, which loads it as one module on the first call. */

export { listAfterListeners, listContexts, listPlugins } from './list-plugins.ts';
export { listCompiledSchemas, listRoutes, listSteps } from './list-routes.ts';
