/** The functions with which tools inspect and watch an application. The code that lists is loaded only when a tool calls it. */
import { createRequire } from 'node:module';
import { lazyModule } from '../../shared/lazy-module.ts';
import type { Context } from '../../types/context.ts';
import { AlreadyStarted } from '../../types/errors.ts';
import type { OverloadState } from '../../types/feature-options.ts';
import type {
  CompiledSchemaInfo,
  InspectedContext,
  RanAfterListener,
  RegisteredPlugin,
  RequestWatcher,
  RouteStep,
  SerializationChange,
} from '../../types/inspection.ts';
import type { DeclaredRoute } from '../../types/route-info.ts';
import type { ContextNode } from '../context-node.ts';
import { changeContext, nodeOf } from '../definitions.ts';

const require = createRequire(import.meta.url);

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

/**
 * Watches each step of each request of an application. Without a watcher, plans contain no code for it.
 *
 * @param app Any context of the application.
 * @param watcher Called with each step when it begins, and with the end of each response.
 * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application is ready: its plans are compiled by then.
 */
export function watchRequests(app: Context, watcher: RequestWatcher): void {
  beforeBoot(app, 'watchRequests', (node) => node.app.server.watchers.push(watcher));
}

/**
 * Reports what the default serializers change in values: properties that they drop, values that they write as another type, defaults
 * that they write. Each change is reported once per response schema. With a listener, each value is read twice.
 *
 * @param app Any context of the application.
 * @param listener Called with each change.
 * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application is ready: its serializers are compiled by then.
 */
export function watchSerialization(app: Context, listener: (change: SerializationChange) => void): void {
  beforeBoot(app, 'watchSerialization', (node) => node.app.serializationListeners.push(listener));
}

function beforeBoot(app: Context, call: string, change: (node: ContextNode) => void): void {
  changeContext(app, call, (node) => {
    if (node.app.boot.isLoaded) throw new AlreadyStarted(`Cannot call "${call}"!`);
    change(node);
  });
}

/**
 * Returns the current state of the overload protection of a context, for metrics.
 *
 * @param context Any context of an application that has booted.
 * @returns A copy of the state; `undefined` if the context has no protection.
 */
export function overloadState(context: Context): OverloadState | undefined {
  return nodeOf(context).admissionController?.state;
}
