/** The functions with which tools inspect an application. The code behind them is loaded only when a tool calls one of them. */

import { lazyModule, require } from '../../shared/lazy-module.ts';
import type { Context } from '../../types/context.ts';
import type {
  CompiledSchemaInfo,
  InspectedContext,
  RanAfterListener,
  RegisteredPlugin,
  RouteStep,
} from '../../types/inspection.ts';
import type { DeclaredRoute } from '../../types/route-info.ts';

const loadInspection = lazyModule<typeof import('./inspection.ts')>(() => require('./inspection.ts'));

/**
 * Lists the listeners that the application passed to `after`, in the order in which they ran.
 *
 * @param app Any context of the application.
 * @returns One entry for each call of `after` with a listener that has run. The list is complete once the application is ready.
 */
export function listAfterListeners(app: Context): RanAfterListener[] {
  return loadInspection().listAfterListeners(app);
}

/**
 * Lists the compiled schemas of a route, those of the request first. Code that the first request would generate is generated now.
 *
 * @param route A route that `listRoutes` returned.
 * @returns One entry for each schema; none before the application is ready.
 */
export function listCompiledSchemas(route: DeclaredRoute): CompiledSchemaInfo[] {
  return loadInspection().listCompiledSchemas(route);
}

/**
 * Lists a context and everything below it, with what each context defines itself.
 *
 * @param context Any context; the root for all.
 * @returns The contexts, parents first, siblings in order. The list is complete once the application is ready.
 */
export function listContexts(context: Context): InspectedContext[] {
  return loadInspection().listContexts(context);
}

/**
 * Lists the plugins of an application, in the order in which they were called.
 *
 * @param app Any context of the application.
 * @returns One entry for each call of `register`. The list is complete once the application is ready.
 */
export function listPlugins(app: Context): RegisteredPlugin[] {
  return loadInspection().listPlugins(app);
}

/**
 * Lists the routes of a context and of its children.
 *
 * @param context Any context; the root for all routes.
 * @returns The routes, parents first, in the order of declaration. The list is complete once the application is ready.
 */
export function listRoutes(context: Context): DeclaredRoute[] {
  return loadInspection().listRoutes(context);
}

/**
 * Lists the steps that requests of a route may run, path by path, in the order in which they run.
 *
 * @param route A route that `listRoutes` returned.
 * @returns The steps; none before the application is ready.
 */
export function listSteps(route: DeclaredRoute): RouteStep[] {
  return loadInspection().listSteps(route);
}
