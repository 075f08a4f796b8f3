/** Finds the routes for GET that a server can find by their path, and those of them whose requests nothing can see. */
import type { AppState } from '../context/app-state.ts';
import type { ContextNode } from '../context/context-node.ts';
import { PlannedDirectRoute } from '../runtime/direct-route.ts';
import { BaseReply } from '../runtime/reply.ts';
import type { Exchange, PathRoute, PathRoutes } from '../types/exchange.ts';
import type { Plan } from '../types/plan.ts';
import type { RegisteredRoute } from '../types/route-info.ts';

/** A path that no router takes for a pattern, and that has one spelling only: a URL has no segments `.` and `..`. */
const plainPath = /^(?!.*\/\.\.?(?:\/|$))[\w/.~-]+$/;

/**
 * @param dispatch Runs an exchange that was routed to the plan.
 * @returns No routes where routing looks at more than the path.
 */
export function listPathRoutes(root: ContextNode, dispatch: (plan: Plan, x: Exchange) => void): PathRoutes {
  const { app } = root;
  const routes = new Map<string, PathRoute>();
  for (const node of app.router.hasConstraints ? [] : root.descendants()) {
    for (const { target, url, options } of node.routes) {
      const { plan } = target;
      if (plan === undefined || !plainPath.test(url) || ![options.method].flat().includes('GET')) continue;
      if (app.router.findMatch('GET', url)?.store !== target) continue;
      const direct = isSeen(plan, options, app) ? undefined : new PlannedDirectRoute(plan, url, app.router);
      routes.set(url, { direct, dispatch: (x) => dispatch(plan, x) });
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
    plan.onUndeclared !== undefined ||
    // A decorator may replace it.
    plan.Reply.prototype.send !== BaseReply.prototype.send ||
    plan.makeRequestId !== nextRequestNumber ||
    server.watchers.length > 0 ||
    handler.length > 0 ||
    !arrowWithoutParameters.test(Function.prototype.toString.call(handler))
  );
}
