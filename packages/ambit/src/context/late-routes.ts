/**
 * Shows routes to the `onRoute` hooks of plugins that were registered before them, and had yet to load when the routes were
 * declared. A route is declared at once all the same: what is wrong with it is thrown where it was written.
 */
import type { BootStep } from './boot-step.ts';
import type { ContextNode } from './context-node.ts';
import { type AddedHook, type AnyHook, hooksAdded } from './hook-table.ts';
import { replaceRoutes } from './place-route.ts';

/** Shows a route to further hooks; true when they changed where it belongs in the router. */
export type ShowRoute = (hooks: readonly AnyHook[]) => boolean;

interface LateRoute {
  readonly node: ContextNode;
  /** How many hooks there were when it was declared: those have seen it. */
  readonly hooksSeen: number;
  readonly show: ShowRoute;
}

/** Routes that were declared with nothing registered in between: they have their turn together. */
interface Batch {
  readonly routes: LateRoute[];
  /** What was registered when their turn was: if that has grown, their turn is not the last. */
  readonly end: number;
}

const batches = new WeakMap<BootStep, Batch>();

/** Whether a route that is declared now has yet to be shown to hooks of plugins that were registered before it. */
export function isLate({ app }: ContextNode): boolean {
  return app.conventions.onRouteFrom === 'register' && app.boot.step.isWaiting;
}

/** Shows a route once everything registered so far has loaded, and before what is registered later. */
export function showLater(node: ContextNode, show: ShowRoute): void {
  const { boot } = node.app;
  const { step } = boot;
  const route = { node, hooksSeen: hooksAdded(), show };
  const last = batches.get(step);
  if (last?.end === step.queued) {
    last.routes.push(route);
    return;
  }
  const routes = [route];
  boot.after(node.app.root, () => {
    if (batches.get(step)?.routes === routes) batches.delete(step);
    showAll(step, routes);
  });
  batches.set(step, { routes, end: step.queued });
}

function showAll(step: BootStep, routes: readonly LateRoute[]): void {
  let hasMoved = false;
  for (const { node, hooksSeen, show } of routes) {
    // A hook that the step itself added after the route does not see it, as ever.
    const isNew = (added: AddedHook): boolean => added.order >= hooksSeen && added.step !== step;
    const hooks = node.addedHooks('onRoute').filter(isNew);
    if (show(hooks.map(({ hook }) => hook))) hasMoved = true;
  }
  if (hasMoved) replaceRoutes(routes[0]!.node);
}
