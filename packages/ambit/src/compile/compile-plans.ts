/** The last step of boot: compiles every context, not-found handler and route into plans. */
import type { ContextNode } from '../context/context-node.ts';
import { contextHookNames, requestHookNames } from '../context/hooks.ts';
import type { RouteTarget } from '../routing/router.ts';
import { compileSteps, needsNothing } from '../runtime/lifecycle.ts';
import type { Plan, PlanSteps } from '../types/plan.ts';
import type { PrintRoutesOptions } from '../types/route-info.ts';
import { compileNotFound, compileRoute, makePlan } from './compile-route.ts';
import { type ContextPlan, compileContext, noHooks, withSettings } from './context-plan.ts';

/** Sets the plans of all routes and not-found handlers; returns the fallback plan: the root's, without hooks. */
export function compilePlans(root: ContextNode): Plan {
  const contexts = new Map<ContextNode, ContextPlan>();
  for (const node of root.descendants()) {
    const context = compileContext(node, contexts);
    node.admissionController = context.admissionController;
    contexts.set(node, context);
  }
  // First, because the plan of a route refers to the plan of its not-found handler.
  for (const { notFound } of contexts.keys()) {
    if (notFound === undefined) continue;
    notFound.target.plan = compileNotFound(notFound, contexts.get(notFound.node)!);
  }
  for (const context of contexts.values()) {
    const plans = new Map([[context.settings, context]]);
    for (const record of context.node.routes) {
      const { settings = context.settings } = record;
      let plan = plans.get(settings);
      if (plan === undefined) {
        plan = withSettings(context, settings, contexts);
        plans.set(settings, plan);
      }
      record.target.plan = compileRoute(record, plan);
    }
  }
  const notFound = root.notFound!.target.plan!;
  const { errorHandler } = contexts.get(root)!.steps.app;
  return makePlan(notFound, { ...notFound, steps: compileSteps({ ...noHooks, errorHandler }, needsNothing) });
}

/** The names that `includeHooks` adds. */
const printedHookNames: readonly string[] = [...requestHookNames, ...contextHookNames, 'onClose'];

/** Converts the options to those of the router, which only has `includeMeta` with names. */
export function withHookNames({
  includeHooks,
  includeMeta,
  ...rest
}: PrintRoutesOptions): PrintRoutesOptions {
  const named = Array.isArray(includeMeta) ? includeMeta : [];
  const wanted = includeHooks ? [...printedHookNames, ...named] : includeMeta;
  return { ...rest, ...(wanted !== undefined && { includeMeta: wanted }) };
}

export function printedDetails({ plan }: RouteTarget): Record<string, unknown> {
  if (plan === undefined) return {};
  const { steps, info } = plan;
  const hooks = hooksOf(steps);
  const handler = steps.failure.find(({ name }) => name === 'errorHandler')?.app?.declared;
  const errorHandler = `${handler?.name || 'anonymous'}()`;
  return { errorHandler, ...(info.logLevel && { logLevel: info.logLevel }), ...hooks };
}

/** The hooks of a plan by name, in the order in which the router prints them. */
function hooksOf({ request, reply, failure, onResponse, onTimeout, onRequestAbort }: PlanSteps): object {
  const all = new Set([...onTimeout, ...request, ...reply, ...failure, ...onResponse, ...onRequestAbort]);
  return Object.fromEntries(
    requestHookNames
      .map(
        (name) =>
          [name, [...all].flatMap((step) => (step.name === name ? [step.app!.declared] : []))] as const,
      )
      .filter(([, hooks]) => hooks.length > 0),
  );
}
