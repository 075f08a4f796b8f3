/** Boot's last step: turns every context and route into plans. What cannot be compiled fails the boot, with its place. */
import type { Context, ErrorHandler, RegisteredRoute, RouteInfo } from '../contract/context.ts';
import { SchemaContentMissing, SerializationBuildFailed, ValidationBuildFailed } from '../contract/errors.ts';
import type { BoundErrorHandler, Plan } from '../contract/exchange.ts';
import { LogController } from '../contract/log-controller.ts';
import type { ChildLoggerFactory } from '../contract/logger.ts';
import type { AppState } from '../context/app-state.ts';
import type { ContextNode, NotFoundRecord } from '../context/context-node.ts';
import { type AnyHook, requestHookNames } from '../context/hook-table.ts';
import { isLogger } from '../context/make-logger.ts';
import { notFoundOf } from '../context/not-found-routes.ts';
import type { RouteRecord } from '../context/route-record.ts';
import type { ErrorPlace } from '../kit/define-error.ts';
import { makeProblemFormatter } from '../validation/format-problems.ts';
import { compileSerializers, compileValidators, coveredTypes } from './compile-schemas.ts';
import { bindHooks, type BoundHooks, type ContextPlan, compileContext } from './context-plan.ts';
import { type NormalizedSchema, normalizeSchema } from './normalize-schema.ts';

/** Fills the targets of all routes and not-found handlers below `root`; returns the root's plan without hooks. */
export function compilePlans(root: ContextNode): Plan {
  const contexts = new Map<ContextNode, ContextPlan>();
  for (const node of root.descendants()) {
    contexts.set(node, compileContext(node, node.parent && contexts.get(node.parent)));
  }
  for (const { notFound } of contexts.keys()) {
    if (notFound !== undefined) notFound.target.plan = compileNotFound(notFound, contexts.get(notFound.node)!);
  }
  for (const context of contexts.values()) {
    for (const record of context.node.routes) record.target.plan = compileRoute(record, context);
  }
  return Object.freeze({ ...root.notFound!.target.plan!, ...bindHooks(root.api, () => []) });
}

function compileRoute(record: RouteRecord, context: ContextPlan): Plan {
  const { options } = record;
  const { node } = context;
  const { app, schemas } = node;
  const schema = options.schema && locating(record, node, () => normalizeSchema(options.schema!));
  const compileValidator = options.validatorCompiler ?? ((request) => schemas.resolveValidator()(request));
  const compileSerializer = options.serializerCompiler ?? ((request) => schemas.resolveSerializer()(request));
  const isForeign = options.validatorCompiler !== undefined || schemas.hasForeignValidator;
  const hooks = routeHooks(options, context);
  const base = sharedPlan(context, options);
  return Object.freeze<Plan>({
    ...base,
    ...hooks,
    info: Object.freeze(routeInfo(record, app, schema)),
    isNotFound: false,
    handler: options.handler.bind(node.api),
    bodyLimitBytes: options.bodyLimit,
    coveredTypes: coveredTypes(schema?.body, app.conventions.bodySchemaCovers),
    validators: schema && buildValidators(record, node, () => compileValidators(schema, options, compileValidator, isForeign)),
    attachValidation: options.attachValidation === true,
    formatProblems: options.schemaErrorFormatter?.bind(node.api) ?? base.formatProblems,
    compileValidator,
    serializers: schema && buildSerializers(record, node, () => compileSerializers(schema.shown.response, options, compileSerializer)),
    compileSerializer,
    errorHandlers: withErrorHandler(options.errorHandler, context),
    notFound: notFoundFor(notFoundOf(node), hooks.onSend),
    handlerTimeoutMs: options.handlerTimeout ?? app.options.handlerTimeout,
    observesEnd: observesEnd(app, hooks) || (options.handlerTimeout ?? app.options.handlerTimeout) > 0,
  });
}

function compileNotFound({ handler, details }: NotFoundRecord, context: ContextPlan): Plan {
  const { node, hooks } = context;
  const own = (name: string): readonly AnyHook[] => [(details[name] as AnyHook | AnyHook[]) ?? []].flat();
  const bound = bindHooks(node.api, own);
  const base = sharedPlan(context, {});
  const config = (details['config'] as RouteInfo['config']) ?? {};
  return Object.freeze<Plan>({
    ...base,
    ...joinHooks(hooks, bound),
    info: Object.freeze({ ...notFoundInfo, bodyLimit: node.app.options.bodyLimit, handler, config }),
    isNotFound: true,
    // What a context serializes its own way is its payloads, not that there is nothing.
    replySerializer: undefined,
    handler: handler.bind(node.api),
    bodyLimitBytes: undefined,
    coveredTypes: undefined,
    validators: undefined,
    attachValidation: false,
    compileValidator: (request) => node.schemas.resolveValidator()(request),
    serializers: undefined,
    compileSerializer: (request) => node.schemas.resolveSerializer()(request),
    errorHandlers: withErrorHandler(details['errorHandler'] as ErrorHandler | undefined, context),
    notFound: undefined,
    handlerTimeoutMs: 0,
    observesEnd: observesEnd(node.app, hooks),
  });
}

/** Whether the end of a response is news to somebody: to a log, to hooks, or to what listens on the socket until then. */
function observesEnd({ hasLogger }: AppState, { onResponse, onTimeout }: BoundHooks): boolean {
  return hasLogger || onResponse.length > 0 || onTimeout.length > 0;
}

function withErrorHandler(own: ErrorHandler | undefined, { errorHandlers, node }: ContextPlan): Plan['errorHandlers'] {
  return own === undefined ? errorHandlers : [own.bind(node.api) as BoundErrorHandler, ...errorHandlers];
}

/** What plans of routes and of not-found handlers take from their context alike. */
function sharedPlan(context: ContextPlan, options: Partial<RegisteredRoute>) {
  const { node } = context;
  const { app, parsers } = node;
  const { conventions } = app;
  return {
    context: node.api,
    Request: context.Request,
    Reply: context.Reply,
    findParser: (mediaType) => parsers.match(mediaType),
    bodylessMethods: app.bodylessMethods,
    bodyMethods: app.bodyMethods,
    formatProblems: node.setting('formatProblems') ?? makeProblemFormatter(conventions.validationVerb),
    partNames: { body: 'body', headers: 'headers', params: 'params', querystring: conventions.queryContext },
    replySerializer: node.setting('replySerializer'),
    makeRequestId: context.makeRequestId,
    makeLogger: loggerMaker(node, options),
    log: app.log,
    logLines: app.logLines,
    // A controller of the application's own may do more than log.
    announces: app.hasLogger || app.logLines.constructor !== LogController,
    server: app.server,
  } satisfies Partial<Plan>;
}

/** Silence needs no loggers; every other request gets a child that carries its id. */
function loggerMaker({ app, api }: ContextNode, options: Partial<RegisteredRoute>): Plan['makeLogger'] {
  const isDefault = (factory: ChildLoggerFactory<Context>): boolean => factory === app.defaultChildLoggerFactory;
  const factory = options.childLoggerFactory ?? api.childLoggerFactory;
  if (!app.hasLogger && isDefault(factory)) return undefined;
  const level = options.logLevel;
  const serializers = options.logSerializers;
  const label = app.logLines.requestIdLogLabel;
  return (rawRequest, id) => {
    // An empty level would make pino build all its methods anew for every child.
    const childOptions = { ...(level && { level }), ...(serializers && { serializers }) };
    const child = factory.call(api, app.log, { [label]: id }, childOptions, rawRequest);
    if (!isDefault(factory)) isLogger(child, true);
    return child;
  };
}

/** The context's hooks, then the route's. Phases to which the route adds nothing share the context's array. */
function routeHooks(options: RegisteredRoute, { hooks, node }: ContextPlan): BoundHooks {
  const own = options as unknown as Record<string, AnyHook | AnyHook[] | undefined>;
  if (requestHookNames.every((name) => own[name] === undefined)) return hooks;
  return joinHooks(hooks, bindHooks(node.api, (name) => [own[name] ?? []].flat()));
}

function joinHooks(outer: BoundHooks, inner: BoundHooks): BoundHooks {
  const joined = requestHookNames.map((name) => [
    name,
    inner[name].length === 0 ? outer[name] : [...outer[name], ...inner[name]],
  ]);
  return Object.fromEntries(joined) as BoundHooks;
}

const variantsByOnSend = new WeakMap<Plan, Map<Plan['onSend'], Plan>>();

/** The not-found plan that `callNotFound` runs from a route: its reply still passes the route's `onSend` hooks. */
function notFoundFor({ target }: NotFoundRecord, onSend: Plan['onSend']): Plan {
  const plan = target.plan!;
  if (plan.onSend === onSend) return plan;
  let variants = variantsByOnSend.get(plan);
  if (variants === undefined) {
    variants = new Map();
    variantsByOnSend.set(plan, variants);
  }
  let variant = variants.get(onSend);
  if (variant === undefined) {
    variant = Object.freeze({ ...plan, onSend });
    variants.set(onSend, variant);
  }
  return variant;
}

const notFoundInfo = {
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

function routeInfo(
  { options, shownUrl, exposesHead }: RouteRecord,
  app: AppState,
  schema: NormalizedSchema | undefined,
): RouteInfo {
  return {
    method: options.method,
    url: shownUrl,
    bodyLimit: options.bodyLimit ?? app.options.bodyLimit,
    handlerTimeout: options.handlerTimeout ?? app.options.handlerTimeout,
    attachValidation: options.attachValidation === true,
    logLevel: options.logLevel ?? '',
    exposeHeadRoute: exposesHead,
    prefixTrailingSlash: options.prefixTrailingSlash ?? 'both',
    handler: options.handler,
    config: { ...options.config, url: shownUrl, method: options.method },
    schema: schema?.shown,
    version: undefined,
  };
}

function placeOf({ options, site }: RouteRecord, node: ContextNode): ErrorPlace {
  return { plugin: node.path, route: `${options.method} ${options.url}`, file: site.place };
}

function locating<T>(record: RouteRecord, node: ContextNode, run: () => T): T {
  try {
    return run();
  } catch (error) {
    throw error instanceof Error ? Object.assign(error, { where: placeOf(record, node) }) : error;
  }
}

function buildValidators<T>(record: RouteRecord, node: ContextNode, build: () => T): T {
  return building(record, node, ValidationBuildFailed, build);
}

function buildSerializers<T>(record: RouteRecord, node: ContextNode, build: () => T): T {
  return building(record, node, SerializationBuildFailed, build);
}

function building<T>(record: RouteRecord, node: ContextNode, Failed: typeof ValidationBuildFailed, build: () => T): T {
  try {
    return build();
  } catch (cause) {
    // A gap in the declaration speaks for itself; what the engines say is wrapped.
    if (cause instanceof SchemaContentMissing) throw Object.assign(cause, { where: placeOf(record, node) });
    const { method, url } = record.options;
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw Failed.at({ cause, where: placeOf(record, node) }, String(method), url, reason);
  }
}
