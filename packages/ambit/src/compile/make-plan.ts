/** Owns the making of plans: all are of one hidden class, with every field inside the object. */
import type { RequestHookName } from '../contract/hooks.ts';
import type { Plan } from '../contract/plan.ts';
import type { SharedFields } from './context-plan.ts';

/** Fields that a route or a not-found handler may have otherwise than its context. */
type OverridableFields = 'compileValidator' | 'compileSerializer' | 'formatProblems' | 'replySerializer';

/** The fields of a plan that are not simply its context's. */
export type OwnFields = Omit<Plan, RequestHookName | Exclude<keyof SharedFields, OverridableFields>>;

/** Written out, since spreading makes an object slowly, and a large one: a boot makes thousands. Bench: bench/artifact.mjs. */
export function makePlan(
  shared: Omit<SharedFields, OverridableFields>,
  hooks: Pick<Plan, RequestHookName>,
  own: OwnFields,
): Plan {
  return Object.freeze<Plan>({
    context: shared.context,
    info: own.info,
    isNotFound: own.isNotFound,
    handler: own.handler,
    Request: shared.Request,
    Reply: shared.Reply,
    onRequest: hooks.onRequest,
    preParsing: hooks.preParsing,
    preValidation: hooks.preValidation,
    preHandler: hooks.preHandler,
    preSerialization: hooks.preSerialization,
    onSend: hooks.onSend,
    onResponse: hooks.onResponse,
    onError: hooks.onError,
    onTimeout: hooks.onTimeout,
    onRequestAbort: hooks.onRequestAbort,
    findParser: shared.findParser,
    bodyMethods: shared.bodyMethods,
    bodyLimitBytes: own.bodyLimitBytes,
    acceptedTypes: own.acceptedTypes,
    validators: own.validators,
    attachValidation: own.attachValidation,
    formatProblems: own.formatProblems,
    partNames: shared.partNames,
    compileValidator: own.compileValidator,
    serializers: own.serializers,
    replySerializer: own.replySerializer,
    compileSerializer: own.compileSerializer,
    errorHandlers: own.errorHandlers,
    notFound: own.notFound,
    handlerTimeoutMs: own.handlerTimeoutMs,
    tracksCompletion: own.tracksCompletion,
    makeRequestId: shared.makeRequestId,
    makeLogger: own.makeLogger,
    log: shared.log,
    logLines: shared.logLines,
    logsIncoming: shared.logsIncoming,
    server: shared.server,
  });
}
