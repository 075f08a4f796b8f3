/**
 * Runs the `onRoute` hooks of plugins that were registered before a route, but loaded after it. The route itself is added at once, so that
 * its errors are thrown where it is declared.
 */

import type { Step } from '../boot/loader.ts';
import type { ContextNode } from '../context-node.ts';
import { type AddedHook, countAddedHooks } from '../hook-table.ts';
import { rebuildRouter } from './add-to-router.ts';

/** Runs further `onRoute` hooks on a route. Returns whether they changed its method, URL or constraints. */
export type RunOnRoute = (hooks: readonly AddedHook[]) => boolean;

interface DeferredRoute {
  readonly node: ContextNode;
  /** How many hooks had been added when the route was added: those have run. */
  readonly hooksSeen: number;
  readonly run: RunOnRoute;
}

/** Routes that were declared without a call of `register` or `after` between them: their hooks run together. */
interface Batch {
  readonly routes: DeferredRoute[];
  /** How many steps were registered when the batch was created. A route that is declared after a further step needs another batch. */
  readonly end: number;
}

const batches = new WeakMap<Step, Batch>();

/** Whether plugins that were registered before a route of this context have not loaded yet. */
export function mustDeferOnRoute({ app }: ContextNode): boolean {
  return app.compatibility.onRouteFrom === 'register' && app.boot.step.unloaded > 0;
}

/** Runs the hooks on a route after everything that was registered so far has loaded, and before anything that is registered later loads. */
export function deferOnRoute(node: ContextNode, run: RunOnRoute): void {
  const { boot } = node.app;
  const { step } = boot;
  const route = { node, hooksSeen: countAddedHooks(), run };
  const last = batches.get(step);
  if (last?.end === step.added) {
    last.routes.push(route);
    return;
  }
  const routes = [route];
  boot.after(node.app.root, () => {
    if (batches.get(step)?.routes === routes) batches.delete(step);
    runDeferred(step, routes);
  });
  batches.set(step, { routes, end: step.added });
}

function runDeferred(step: Step, routes: readonly DeferredRoute[]): void {
  let hasMoved = false;
  for (const { node, hooksSeen, run } of routes) {
    // Hooks that the step itself added after the route do not run on it.
    const isNew = (added: AddedHook): boolean => added.order >= hooksSeen && added.step !== step;
    if (run(node.addedHooks('onRoute').filter(isNew))) hasMoved = true;
  }
  if (hasMoved) rebuildRouter(routes[0]!.node);
}
