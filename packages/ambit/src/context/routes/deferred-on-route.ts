/**
 * Runs the `onRoute` hooks of plugins that were registered before a route, but loaded after it. The route itself is added at once, so that
 * its errors are thrown where it is declared.
 */

import type { BootStep } from '../boot/boot-step.ts';
import type { ContextNode } from '../context-node.ts';
import { type AddedHook, hooksAdded } from '../hook-table.ts';
import { rebuildRouter } from './add-to-router.ts';

/** Runs further `onRoute` hooks on a route. Returns whether they changed its method, URL or constraints. */
export type RunOnRoute = (hooks: readonly AddedHook[]) => boolean;

interface DeferredRoute {
  readonly node: ContextNode;
  /** How many hooks had been added when the route was: those have run. */
  readonly hooksSeen: number;
  readonly run: RunOnRoute;
}

/** Routes with no call of `register` or `after` between them: their hooks run together. */
interface Batch {
  readonly routes: DeferredRoute[];
  /** How many steps were registered when the batch was: a route after a further step needs another batch. */
  readonly end: number;
}

const batches = new WeakMap<BootStep, Batch>();

/** Whether plugins that were registered before a route of this context have yet to load. */
export function mustDeferOnRoute({ app }: ContextNode): boolean {
  return app.compatibility.onRouteFrom === 'register' && app.boot.step.isWaiting;
}

/** Runs the hooks on a route when everything that is registered so far has loaded, and before what is registered later. */
export function deferOnRoute(node: ContextNode, run: RunOnRoute): void {
  const { boot } = node.app;
  const { step } = boot;
  const route = { node, hooksSeen: hooksAdded(), run };
  const last = batches.get(step);
  if (last?.end === step.queued) {
    last.routes.push(route);
    return;
  }
  const routes = [route];
  boot.after(node.app.root, () => {
    if (batches.get(step)?.routes === routes) batches.delete(step);
    runDeferred(step, routes);
  });
  batches.set(step, { routes, end: step.queued });
}

function runDeferred(step: BootStep, routes: readonly DeferredRoute[]): void {
  let hasMoved = false;
  for (const { node, hooksSeen, run } of routes) {
    // Hooks that the step itself added after the route do not run on it.
    const isNew = (added: AddedHook): boolean => added.order >= hooksSeen && added.step !== step;
    if (run(node.addedHooks('onRoute').filter(isNew))) hasMoved = true;
  }
  if (hasMoved) rebuildRouter(routes[0]!.node);
}
