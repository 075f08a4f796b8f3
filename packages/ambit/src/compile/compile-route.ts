/** The last step of boot: compiles every context, not-found handler and route into a plan. */
import { createRequire } from 'node:module';
import type { AppState } from '../context/app-state.ts';
import { type ContextNode, childLoggerFactoryOf, type NotFoundRecord } from '../context/context-node.ts';
import { hookNames, requestHookNames } from '../context/hooks.ts';
import { defaultChildLoggerFactory, isLogger } from '../context/loggers.ts';
import { rejectGenerator } from '../context/options/check-options.ts';
import { type RouteRecord, withRoutePlace } from '../context/routes/add-route.ts';
import { ambitOption } from '../context/routes/route-options.ts';
import type { RouteTarget } from '../routing/router.ts';
import type { Dispatcher } from '../runtime/dispatcher.ts';
import { type AppSteps, compileSteps, needsNothing, stepsBeforePreHandler } from '../runtime/lifecycle.ts';
import type { CodedError } from '../shared/define-error.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { describeError } from '../shared/readable.ts';
import { isAsyncGeneratorFunction } from '../shared/values.ts';
import type { Context } from '../types/context.ts';
import { ResponseUndeclared } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import type { ChildLoggerFactory } from '../types/logger.ts';
import type { ContextFields, Plan, PlanSteps, StepName, StreamSettings } from '../types/plan.ts';
import type { PrintRoutesOptions, RegisteredRoute, RouteInfo } from '../types/route-info.ts';
import { warnResponseUndeclared } from '../types/warnings.ts';
import { type ContextPlan, compileContext, noHooks, tracksCompletion } from './context-plan.ts';
import type { CompiledParts } from './route-schemas.ts';

const require = createRequire(import.meta.url);

const loadSchemas = lazyModule<typeof import('./route-schemas.ts')>(() => require('./route-schemas.ts'));

/** Sets the plans of all routes and not-found handlers, and opens the dispatcher with its fallback plan: the root's, without hooks. */
export function compilePlans(root: ContextNode, dispatcher: Dispatcher, compilesRouter: boolean): void {
  // Sets the default one, if the application has none.
  const { notFoundHandler } = root;
  const contexts = new Map<ContextNode, ContextPlan>();
  for (const node of root.descendants()) {
    const context = compileContext(node, contexts);
    node.admissionController = context.admissionController;
    contexts.set(node, context);
  }
  // First, because the plan of a route refers to the plan of its not-found handler.
  for (const { notFound, prefix } of contexts.keys()) {
    if (notFound === undefined) continue;
    dispatcher.addNotFound(prefix, notFound.target);
    notFound.target.plan = compileNotFound(notFound, contexts.get(notFound.node)!);
  }
  const mistakes = new Mistakes();
  for (const context of contexts.values()) {
    const plans = new Map([[context.settings, context]]);
    for (const record of context.node.routes) {
      const { settings = context.settings } = record;
      let plan = plans.get(settings);
      if (plan === undefined) {
        plan = compileContext(context.node, contexts, settings, context);
        plans.set(settings, plan);
      }
      mistakes.collect(() => {
        record.target.plan = compileRoute(record, plan);
      });
    }
  }
  mistakes.throwFirst();
  const notFound = notFoundHandler.target.plan!;
  const { errorHandler } = contexts.get(root)!.steps.app;
  const steps = compileSteps({ ...noHooks, errorHandler }, needsNothing);
  dispatcher.open(makePlan(notFound, { ...notFound, steps }), compilesRouter);
}

/** The errors of several routes, so that one boot shows all of them. */
class Mistakes {
  readonly #errors = new Map<string, Error>();

  collect(compile: () => void): void {
    try {
      compile();
    } catch (error) {
      // A mistake in a schema that many routes share is one mistake.
      const { message, where } = Object(error) as CodedError;
      const key = where?.schemaPath ? `${where.file} ${where.part} ${where.schemaPath}` : message;
      if (!this.#errors.has(key)) this.#errors.set(key, error as Error);
    }
  }

  /** Throws the first error, which shows the others. */
  throwFirst(): void {
    const [first, ...others] = this.#errors.values();
    if (first === undefined) return;
    throw others.length === 0 ? first : describeError(first, { others: others.slice(0, mostMistakes - 1) });
  }
}

/** How many mistakes one boot shows. */
const mostMistakes = 10;

const defaultStreamSettings: StreamSettings = { heartbeatMs: 15_000, closeMs: 5_000 };

function compileRoute(record: RouteRecord, context: ContextPlan): Plan {
  const { options } = record;
  const { node, shared } = context;
  const appSteps = context.steps.withRoute(options);
  const handlerTimeoutMs = options.handlerTimeout ?? node.app.options.handlerTimeout;
  const admission = admissionOf(context, options);
  const schemas = options.schema ? loadSchemas().compileParts(record, context, options.schema) : noSchemas;
  // This is checked here and not in the declaration, because `onRoute` hooks may replace the handler.
  withRoutePlace(record, () => {
    if (schemas.items === undefined || !isAsyncGeneratorFunction(options.handler))
      rejectGenerator(node.app.compatibility, options.handler, 'the handler');
    rejectGenerator(node.app.compatibility, options.errorHandler, 'the error handler');
  });
  return makePlan(shared, {
    validators: schemas.validators,
    serializers: schemas.serializers,
    items: schemas.items,
    acceptedTypes: schemas.acceptedTypes,
    formParser: schemas.formParser,
    steps: context.steps.compile(appSteps, {
      readBody: [options.method].flat().some((method) => shared.methods.get(method)),
      validate: schemas.validators !== undefined,
      admit: admission !== undefined,
    }),
    // After the schemas were compiled, because that sets the schema that plugins see.
    info: Object.freeze(routeInfo(record, node.app)),
    compileValidator: options.validatorCompiler || undefined,
    compileSerializer: options.serializerCompiler || undefined,
    onUndeclared: schemas.serializers && undeclaredListener(node),
    streamSettings: schemas.items && { ...defaultStreamSettings, ...ambitOption(options, 'stream') },
    handler: options.handler,
    bodyLimitBytes: options.bodyLimit,
    attachValidation: options.attachValidation === true,
    formatProblems: (options.schemaErrorFormatter || undefined)?.bind(node.api),
    notFound: notFoundPlanFor(node.notFoundHandler, appSteps),
    handlerTimeoutMs,
    admission,
    tracksCompletion: tracksCompletion(node, appSteps) || handlerTimeoutMs > 0 || admission !== undefined,
    makeLogger: loggerMaker(node, {
      logLevel: options.logLevel,
      logSerializers: options.logSerializers,
      childLoggerFactory: options.childLoggerFactory || context.settings.childLoggerFactory,
    }),
  });
}

const noSchemas: Partial<CompiledParts> = {};

/** Refuses each response that the schemas of the route do not declare, or warns of each once. */
function undeclaredListener(node: ContextNode): Plan['onUndeclared'] {
  if (node.setting('responses') === 'declared') return refuseUndeclared;
  const { isProduction, sendsErrorsAsFastify } = node.app.server;
  if (isProduction || sendsErrorsAsFastify) return undefined;
  let reported: Set<number> | undefined;
  return ({ status }, route, response) => {
    reported ??= new Set();
    if (reported.has(status)) return;
    reported.add(status);
    warnResponseUndeclared(route, response);
  };
}

const refuseUndeclared: Plan['onUndeclared'] = (_x, route, response) => {
  throw new ResponseUndeclared(route, response);
};

function admissionOf({ admissionController }: ContextPlan, options: RegisteredRoute): Plan['admission'] {
  if (admissionController === undefined || options.overload === false) return undefined;
  return admissionController.forRoute((ambitOption(options, 'overload') || undefined)?.priority ?? 'normal');
}

function routeInfo({ options, url, exposesHead }: RouteRecord, app: AppState): RouteInfo {
  return {
    method: options.method,
    url,
    bodyLimit: options.bodyLimit ?? app.options.bodyLimit,
    handlerTimeout: options.handlerTimeout ?? app.options.handlerTimeout,
    attachValidation: options.attachValidation === true,
    logLevel: options.logLevel ?? '',
    exposeHeadRoute: exposesHead,
    prefixTrailingSlash: options.prefixTrailingSlash ?? 'both',
    handler: options.handler,
    config: { ...options.config, url, method: options.method },
    schema: options.schema || undefined,
    version: undefined,
  };
}

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

function compileNotFound({ target, details }: NotFoundRecord, context: ContextPlan): Plan {
  const { node, shared } = context;
  const { handler } = target;
  const { bodyLimit, handlerTimeout } = node.app.options;
  const appSteps = context.steps.withRoute(details);
  const config = (details.config as RouteInfo['config']) ?? {};
  const plan = makePlan(
    // The reply serializer of a context is only for its routes.
    { ...shared, replySerializer: undefined },
    {
      steps: context.steps.compile(appSteps, { readBody: true, validate: false, admit: false }),
      info: Object.freeze({ ...noRoute, bodyLimit, handlerTimeout, handler, config }),
      isNotFound: true,
      handler,
      handlerTimeoutMs: handlerTimeout,
      tracksCompletion: tracksCompletion(node, appSteps) || handlerTimeout > 0,
      makeLogger: loggerMaker(node, { childLoggerFactory: childLoggerFactoryOf(node) }),
    },
  );
  variants.set(plan, { appSteps, byOnSend: new Map() });
  return plan;
}

/** The steps of a not-found plan, and its variants that `callNotFound` runs, by the `onSend` steps of the route that calls it. */
const variants = new WeakMap<Plan, { appSteps: AppSteps; byOnSend: Map<AppSteps['onSend'], Plan> }>();

/**
 * The plan that `callNotFound` runs: it begins at the `preHandler` hooks of the context that has the not-found handler. Its reply passes the
 * `preSerialization` hooks of that context, too, but the `onSend` hooks of the route, whose headers the client expects.
 */
function notFoundPlanFor({ target }: NotFoundRecord, { onSend }: AppSteps): Plan {
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

/** Removes the hooks that have already run when a route calls `callNotFound`. */
const beforeHandler: Partial<AppSteps> = Object.fromEntries(
  Object.entries(noHooks).filter(([name]) => stepsBeforePreHandler.includes(name as StepName)),
);

const loadTracing = lazyModule<typeof import('../runtime/tracing.ts')>(() =>
  require('../runtime/tracing.ts'),
);

/** The fields of a plan that come from its route. */
type OwnFields = Pick<
  Plan,
  'info' | 'handler' | 'steps' | 'handlerTimeoutMs' | 'tracksCompletion' | 'makeLogger'
> & { readonly [Name in keyof Plan]?: Plan[Name] | undefined };

/**
 * Every field is written out, because object spread is slow and makes larger objects. Boot creates thousands of plans (benchmark
 * `startup`).
 */
function makePlan(shared: ContextFields, own: OwnFields): Plan {
  const { server } = shared;
  return Object.freeze<Plan>({
    context: shared.context,
    info: own.info,
    isNotFound: own.isNotFound === true,
    handler: own.handler,
    Request: shared.Request,
    Reply: shared.Reply,
    steps: server.watchers.length === 0 ? own.steps : loadTracing().watchSteps(own.steps, server.watchers),
    parsers: shared.parsers,
    formParser: own.formParser,
    methods: shared.methods,
    bodyLimitBytes: own.bodyLimitBytes,
    acceptedTypes: own.acceptedTypes,
    validators: own.validators,
    attachValidation: own.attachValidation === true,
    formatProblems: own.formatProblems ?? shared.formatProblems,
    partNames: shared.partNames,
    compileValidator: own.compileValidator ?? shared.compileValidator,
    serializers: own.serializers,
    items: own.items,
    streamSettings: own.streamSettings,
    replySerializer: own.replySerializer ?? shared.replySerializer,
    compileSerializer: own.compileSerializer ?? shared.compileSerializer,
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

type LogDetails = {
  [Name in 'logLevel' | 'logSerializers' | 'childLoggerFactory']?: RegisteredRoute[Name] | undefined;
};

/** Returns `undefined` if the application has no logger. Otherwise, each request gets a child logger with its id. */
function loggerMaker(node: ContextNode, details: LogDetails): Plan['makeLogger'] {
  const { app, api } = node;
  if (node.servesProbes) return undefined;
  const isDefault = (factory: ChildLoggerFactory<Context>): boolean => factory === defaultChildLoggerFactory;
  const factory = details.childLoggerFactory || defaultChildLoggerFactory;
  if (!app.hasLogger && isDefault(factory)) return undefined;
  const { logLevel: level, logSerializers: serializers } = details;
  const label = app.logWriter.requestIdLogLabel;
  const { logTraceContext } = app.options.userOptions;
  return (x, id) => {
    // With an empty level, pino would create all its methods again for every child.
    const options = { ...(level && { level }), ...(serializers && { serializers }) };
    const bindings = { [label]: id, ...(logTraceContext && traceBindings(x)) };
    // The default factory does not read the request, so node's request object need not be created.
    if (isDefault(factory)) return factory.call(api, app.log, bindings, options, undefined as never);
    const child = factory.call(api, app.log, bindings, options, x.rawRequest);
    isLogger(child, true);
    return child;
  };
}

/** Returns the trace of the request from its header; `undefined` if the header is missing or invalid. */
function traceBindings(x: Exchange): { traceparent: string; trace_id: string } | undefined {
  const parent = parseTraceParent(x.requestHeader('traceparent'));
  return parent && { traceparent: parent.text, trace_id: parent.traceId };
}

/** Lower case only. The version ff, and ids that consist of zeros only, are invalid. */
const traceParent = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})[\da-f]{16}-[\da-f]{2}/;
const lengthOfVersion00 = 55;

/**
 * Parses the header `traceparent` (W3C Trace Context, 3.2).
 *
 * @returns The part of it that every version has. `undefined` if it is missing or invalid: an invalid trace must not appear in logs.
 */
export function parseTraceParent(
  header: string | string[] | undefined,
): { readonly text: string; readonly traceId: string } | undefined {
  if (typeof header !== 'string') return undefined;
  const match = traceParent.exec(header);
  if (match === null) return undefined;
  // Later versions may append fields after another dash (4.1, versioning of traceparent).
  const isLonger = header.length > lengthOfVersion00;
  if (isLonger && (header.startsWith('00') || header[lengthOfVersion00] !== '-')) return undefined;
  return { text: match[0], traceId: match[1]! };
}

/** Converts the options to those of the router, which only has `includeMeta` with names. */
export function withHookNames({
  includeHooks,
  includeMeta,
  ...rest
}: PrintRoutesOptions): PrintRoutesOptions {
  const named = Array.isArray(includeMeta) ? includeMeta : [];
  const wanted = includeHooks ? [...hookNames, ...named] : includeMeta;
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
