/** Finds the routes for GET whose requests nothing can see, so that most of their responses need no exchange. */
import type { AppState } from '../context/app-state.ts';
import type { ContextNode } from '../context/context-node.ts';
import type { DirectRoute, DirectRoutes } from '../contract/direct-routes.ts';
import type { Plan } from '../contract/plan.ts';
import type { RegisteredRoute } from '../contract/route-info.ts';
import { PlannedDirectRoute } from '../runtime/direct-route.ts';

/** A path that no router takes for a pattern, and that has one spelling only: a URL has no segments `.` and `..`. */
const plainPath = /^(?!.*\/\.\.?(?:\/|$))[\w/.~-]+$/;

/** @returns No routes where routing looks at more than the path. */
export function listDirectRoutes(root: ContextNode): DirectRoutes {
  const { app } = root;
  const routes = new Map<string, DirectRoute>();
  for (const node of app.router.hasConstraints ? [] : root.descendants()) {
    for (const { target, url, options } of node.routes) {
      const { plan } = target;
      if (plan === undefined || !plainPath.test(url) || isSeen(plan, options, app)) continue;
      if ([options.method].flat().includes('GET') && app.router.findMatch('GET', url)?.store === target)
        routes.set(url, new PlannedDirectRoute(plan, url, app.router));
    }
  }
  return routes;
}

/** An arrow function without parameters has neither `arguments` nor a `this` of its own. Defaults and rest parameters are parameters too. */
const arrowWithoutParameters = /^(async\s*)?\(\s*\)\s*=>/;

/** Whether the handler, or anything else that runs for a request of the route, can see the request or the reply. */
function isSeen(plan: Plan, { handler }: RegisteredRoute, { server, nextRequestNumber }: AppState): boolean {
  const { steps } = plan;
  return (
    // The handler, then the serializer and the wire: no hooks, body, validation or overload protection.
    steps.request.length > 1 ||
    steps.reply.length > 2 ||
    steps.onRequestAbort.length > 0 ||
    plan.tracksCompletion ||
    plan.makeLogger !== undefined ||
    plan.items !== undefined ||
    plan.logsIncoming ||
    plan.replySerializer !== undefined ||
    plan.makeRequestId !== nextRequestNumber ||
    server.watchers.length > 0 ||
    handler.length > 0 ||
    !arrowWithoutParameters.test(Function.prototype.toString.call(handler))
  );
}
