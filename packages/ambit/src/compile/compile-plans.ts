/** The last step of boot: compiles every context, not-found handler and route into plans. */

import type { ContextNode } from '../context/context-node.ts';
import { compileSteps, needsNothing } from '../runtime/lifecycle.ts';
import type { Plan } from '../types/plan.ts';
import { compileNotFound } from './compile-not-found.ts';
import { compileRoute } from './compile-route.ts';
import { type ContextPlan, compileContext, withSettings } from './context-plan.ts';
import { noHooks } from './context-steps.ts';
import { makePlan } from './make-plan.ts';

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
