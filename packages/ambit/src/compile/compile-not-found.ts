/** Compiles not-found handlers into plans, and the variants of these plans that `callNotFound` runs. */

import { childLoggerFactoryOf, type NotFoundRecord } from '../context/context-node.ts';
import { type AppSteps, compileSteps, needsNothing } from '../runtime/lifecycle.ts';
import type { Plan } from '../types/plan.ts';
import type { RouteInfo } from '../types/route-info.ts';
import { type ContextPlan, tracksCompletion } from './context-plan.ts';
import { noHooks } from './context-steps.ts';
import { makePlan } from './make-plan.ts';
import { loggerMaker } from './request-loggers.ts';

/** `request.routeOptions` of a request without a route. */
const noRoute = {
  method: undefined as never,
  url: undefined,
  attachValidation: false,
  logLevel: '',
  exposeHeadRoute: false,
  prefixTrailingSlash: 'both',
  schema: undefined,
  version: undefined,
} as const;

export function compileNotFound({ handler, details }: NotFoundRecord, context: ContextPlan): Plan {
  const { node, shared } = context;
  const { bodyLimit, handlerTimeout } = node.app.options;
  const appSteps = context.steps.withRoute(details);
  const config = (details.config as RouteInfo['config']) ?? {};
  const plan = makePlan(shared, {
    findParser: shared.findParser,
    steps: context.steps.compile(appSteps, { readBody: true, validate: false, admit: false }),
    compileValidator: shared.compileValidator,
    compileSerializer: shared.compileSerializer,
    formatProblems: shared.formatProblems,
    validators: undefined,
    serializers: undefined,
    items: undefined,
    streamSettings: undefined,
    acceptedTypes: undefined,
    info: Object.freeze({ ...noRoute, bodyLimit, handlerTimeout, handler, config }),
    isNotFound: true,
    handler,
    bodyLimitBytes: undefined,
    attachValidation: false,
    // The reply serializer of a context is only for its routes.
    replySerializer: undefined,
    notFound: undefined,
    onUndeclared: undefined,
    handlerTimeoutMs: handlerTimeout,
    admission: undefined,
    tracksCompletion: tracksCompletion(node, appSteps) || handlerTimeout > 0,
    makeLogger: loggerMaker(node, { childLoggerFactory: childLoggerFactoryOf(node) }),
  });
  variants.set(plan, { appSteps, byOnSend: new Map() });
  return plan;
}

/** The variants of a not-found plan that `callNotFound` runs, by the `onSend` steps of the route that calls it. */
interface Variants {
  readonly appSteps: AppSteps;
  readonly byOnSend: Map<AppSteps['onSend'], Plan>;
}

const variants = new WeakMap<Plan, Variants>();

/** The plan that `callNotFound` runs: it begins at the `preHandler` hooks, and its reply passes the `onSend` hooks of the route. */
export function notFoundPlanFor({ target }: NotFoundRecord, { onSend }: AppSteps): Plan {
  const plan = target.plan!;
  const { appSteps, byOnSend } = variants.get(plan)!;
  let variant = byOnSend.get(onSend);
  if (variant === undefined) {
    const steps = compileSteps({ ...appSteps, ...beforeHandler, onSend }, needsNothing);
    variant = makePlan(plan, { ...plan, steps });
    byOnSend.set(onSend, variant);
  }
  return variant;
}

const { onRequest, preParsing, preValidation } = noHooks;
/** Removes the hooks that have already run when a route calls `callNotFound`. */
const beforeHandler = { onRequest, preParsing, preValidation };
