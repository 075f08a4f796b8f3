/** Finds the routes whose requests nothing can see, so that their responses need no exchange. */
import type { ContextNode } from '../context/context-node.ts';
import type { Plan } from '../contract/plan.ts';
import type { ContextPlan } from './context-plan.ts';

type ObservedPlan = Pick<Plan, 'steps' | 'items' | 'makeLogger' | 'tracksCompletion'>;

/**
 * An arrow function without parameters has neither `arguments` nor a `this` of its own. Defaults and rest parameters are parameters too.
 */
const arrowWithoutParameters = /^(async\s*)?\(\s*\)\s*=>/;

/** Whether a handler, or anything else that runs for a request of its route, can see the request or the reply. */
export function needsExchange(
  handler: (...args: never[]) => unknown,
  { node: { app }, shared }: ContextPlan,
  { steps, items, makeLogger, tracksCompletion }: ObservedPlan,
): boolean {
  return (
    // The handler, then the serializer and the wire: no hooks, body, validation or overload protection.
    steps.request.length > 1 ||
    steps.reply.length > 2 ||
    steps.onRequestAbort.length > 0 ||
    tracksCompletion ||
    makeLogger !== undefined ||
    items !== undefined ||
    shared.logsIncoming ||
    shared.replySerializer !== undefined ||
    shared.makeRequestId !== app.nextRequestNumber ||
    app.server.watchers.length > 0 ||
    handler.length > 0 ||
    !arrowWithoutParameters.test(Function.prototype.toString.call(handler))
  );
}

/** A path that no router reads as a pattern, and that has only one spelling. */
const plainPath = /^[\w/.~-]+$/;

/** The plans for GET that need no exchange, by path. There are none if routing depends on more than the path. */
export function listDirectPlans(root: ContextNode): Map<string, Plan> {
  const { router } = root.app;
  const plans = new Map<string, Plan>();
  for (const { routes } of router.hasConstraints ? [] : root.descendants()) {
    for (const { target, url, options } of routes) {
      const { plan } = target;
      if (plan === undefined || plan.needsExchange || !plainPath.test(url)) continue;
      if ([options.method].flat().includes('GET') && router.findMatch('GET', url)?.store === target)
        plans.set(url, plan);
    }
  }
  return plans;
}
