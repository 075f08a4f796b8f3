/** Compiles not-found handlers into plans, and the variants of them that `callNotFound` runs. */

import type { NotFoundRecord } from '../context/context-node.ts';
import type { ErrorHandler } from '../contract/handlers.ts';
import type { Plan } from '../contract/plan.ts';
import type { RouteInfo } from '../contract/route-info.ts';
import { addErrorHandler, addHooks, type ContextPlan, tracksCompletion } from './context-plan.ts';
import { makePlan } from './make-plan.ts';
import { loggerMaker } from './request-loggers.ts';

/** What there is to tell of a route that is none. */
const noRoute = {
  method: undefined as never,
  url: undefined,
  handlerTimeout: 0,
  attachValidation: false,
  logLevel: '',
  exposeHeadRoute: false,
  prefixTrailingSlash: 'both',
  schema: undefined,
  version: undefined,
} as const;

export function compileNotFound({ handler, details }: NotFoundRecord, context: ContextPlan): Plan {
  const { node, shared } = context;
  const { bodyLimit } = node.app.options;
  const hooks = addHooks(context, details);
  const config = (details.config as RouteInfo['config']) ?? {};
  return makePlan(shared, hooks, {
    compileValidator: shared.compileValidator,
    compileSerializer: shared.compileSerializer,
    formatProblems: shared.formatProblems,
    validators: undefined,
    serializers: undefined,
    acceptedTypes: undefined,
    info: Object.freeze({ ...noRoute, bodyLimit, handler, config }),
    isNotFound: true,
    handler: handler.bind(node.api),
    bodyLimitBytes: undefined,
    attachValidation: false,
    // What a context serializes its own way is its payloads, not that there is nothing.
    replySerializer: undefined,
    errorHandlers: addErrorHandler(context, details.errorHandler as ErrorHandler | undefined),
    notFound: undefined,
    handlerTimeoutMs: 0,
    tracksCompletion: tracksCompletion(node, hooks),
    makeLogger: loggerMaker(node, {}),
  });
}

const variantsByPlan = new WeakMap<Plan, Map<Plan['onSend'], Plan>>();

/** The not-found plan that `callNotFound` runs from a route: its reply still passes the route's `onSend` hooks. */
export function notFoundPlanFor({ target }: NotFoundRecord, onSend: Plan['onSend']): Plan {
  const plan = target.plan!;
  if (plan.onSend === onSend) return plan;
  const variants = variantsByPlan.get(plan) ?? new Map<Plan['onSend'], Plan>();
  variantsByPlan.set(plan, variants);
  const variant = variants.get(onSend) ?? makePlan(plan, { ...plan, onSend }, plan);
  variants.set(onSend, variant);
  return variant;
}
