/** Creates all plans in one place, so that they have the same hidden class, with every field inside the object. */

import { lazyModule, require } from '../shared/lazy-module.ts';
import type { Plan } from '../types/plan.ts';
import type { SharedFields } from './context-plan.ts';

const loadTracing = lazyModule<typeof import('../runtime/trace-steps.ts')>(() =>
  require('../runtime/trace-steps.ts'),
);

/** Fields that may differ between a route, or a not-found handler, and its context. */
type OverridableFields =
  | 'findParser'
  | 'compileValidator'
  | 'compileSerializer'
  | 'formatProblems'
  | 'replySerializer';

/** The fields of a plan that do not come from its context, or not always. */
export type OwnFields = Omit<Plan, Exclude<keyof SharedFields, OverridableFields>>;

/**
 * Every field is written out, because object spread is slow and makes larger objects. Boot creates thousands of plans. Bench:
 * bench/artifact.mjs.
 */
export function makePlan(shared: Omit<SharedFields, OverridableFields>, own: OwnFields): Plan {
  const { server } = shared;
  return Object.freeze<Plan>({
    context: shared.context,
    info: own.info,
    isNotFound: own.isNotFound,
    handler: own.handler,
    Request: shared.Request,
    Reply: shared.Reply,
    steps: server.watchers.length === 0 ? own.steps : loadTracing().traceSteps(own.steps, server.watchers),
    findParser: own.findParser,
    bodyMethods: shared.bodyMethods,
    bodyLimitBytes: own.bodyLimitBytes,
    acceptedTypes: own.acceptedTypes,
    validators: own.validators,
    attachValidation: own.attachValidation,
    formatProblems: own.formatProblems,
    partNames: shared.partNames,
    compileValidator: own.compileValidator,
    serializers: own.serializers,
    items: own.items,
    streamSettings: own.streamSettings,
    replySerializer: own.replySerializer,
    compileSerializer: own.compileSerializer,
    onUndeclared: own.onUndeclared,
    errorFormat: shared.errorFormat,
    notFound: own.notFound,
    handlerTimeoutMs: own.handlerTimeoutMs,
    admission: own.admission,
    tracksCompletion: own.tracksCompletion,
    makeRequestId: shared.makeRequestId,
    makeLogger: own.makeLogger,
    log: shared.log,
    logWriter: shared.logWriter,
    logsIncoming: shared.logsIncoming,
    servesWhileClosing: shared.servesWhileClosing,
    server,
  });
}
