/** Compiles the values that all plans of one context share: classes, steps, parsers, loggers. */
import { createRequire } from 'node:module';
import { types } from 'node:util';
import type { AddedErrorHandler, ContextNode, RouteContextSettings } from '../context/context-node.ts';
import { type Decorator, type DecoratorName, defineMember } from '../context/decorators.ts';
import { type AddedHook, requestHookNames } from '../context/hooks.ts';
import { type AppSteps, compileSteps, makeAppStep, type RouteNeeds } from '../runtime/lifecycle.ts';
import type { AdmissionController } from '../runtime/overload/admission-controller.ts';
import { BaseReply } from '../runtime/reply.ts';
import { BaseRequest } from '../runtime/request.ts';
import { makeErrorFormatter } from '../runtime/validate.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import type { Context } from '../types/context.ts';
import type { Exchange, Params, RequestId } from '../types/exchange.ts';
import type { RequestHookName } from '../types/hooks.ts';
import type { Origin } from '../types/inspection.ts';
import type { Logger } from '../types/logger.ts';
import type { AppFunction, ContextFields, Plan, PlanSteps } from '../types/plan.ts';
import type { Request } from '../types/request.ts';

const require = createRequire(import.meta.url);

const loadController = lazyModule<typeof import('../runtime/overload/admission-controller.ts')>(() =>
  require('../runtime/overload/admission-controller.ts'),
);

export interface ContextPlan {
  readonly node: ContextNode;
  /** What routes of this plan have taken of the settings of the context. */
  readonly settings: RouteContextSettings;
  readonly steps: ContextSteps;
  readonly shared: ContextFields;
  /** Counts the requests of its routes; `undefined` without overload protection. */
  readonly admissionController: AdmissionController | undefined;
}

/** The plans of the contexts that are compiled already. */
export type ContextPlans = ReadonlyMap<ContextNode, ContextPlan>;

/**
 * Compiles one context. Its ancestors must be compiled already.
 *
 * @param settings Other settings than its last ones, which some of its routes have taken.
 * @param own Its plan with the last settings. The plan with others has the same classes and counts in the same controller.
 */
export function compileContext(
  node: ContextNode,
  compiled: ContextPlans,
  settings: RouteContextSettings = node.settingsForRoutes(),
  own?: ContextPlan,
): ContextPlan {
  const parent = node.parent && compiled.get(node.parent);
  return {
    node,
    settings,
    steps: new ContextSteps(node, settings, node.servesProbes ? undefined : parent?.steps),
    shared: makeSharedFields(node, settings, own?.shared ?? buildClasses(node, parent?.shared)),
    admissionController: own === undefined ? admissionControllerOf(node, compiled) : own.admissionController,
  };
}

/**
 * Returns the controller of the context itself, or of the nearest ancestor that had overload protection when the context was opened. Probes
 * are never refused.
 */
function admissionControllerOf(node: ContextNode, compiled: ContextPlans): AdmissionController | undefined {
  const { overload } = node.settings;
  if (node.servesProbes) return undefined;
  if (overload === undefined)
    return node.overloadFrom && compiled.get(node.overloadFrom)!.admissionController;
  if (overload === false) return undefined;
  const controller = new (loadController().AdmissionController)(overload);
  node.app.boot.onClose(node.app.root, () => controller.stop());
  return controller;
}

function makeSharedFields(
  node: ContextNode,
  { formatProblems, replySerializer, errorFormat }: RouteContextSettings,
  { Request, Reply }: InstanceClasses,
): ContextFields {
  const { app, methods, parsers, schemas } = node;
  const { compatibility, logWriter } = app;
  return {
    Request,
    Reply,
    context: node.api,
    parsers,
    methods,
    formatProblems: formatProblems ?? makeErrorFormatter(compatibility.validationVerb),
    partNames: {
      body: 'body',
      headers: 'headers',
      params: 'params',
      querystring: compatibility.queryContext,
    },
    // Resolved when called, so that an engine is loaded only if there is something to compile.
    compileValidator: (request) => schemas.resolve('validator')(request),
    compileSerializer: (request) => schemas.resolve('serializer')(request),
    replySerializer: replySerializer ?? undefined,
    errorFormat: errorFormat ?? 'json',
    makeRequestId: requestIdMaker(node),
    log: app.log,
    logWriter,
    // A log controller of the application may do more than write lines, so it is called without a logger, too.
    logsIncoming: (app.hasLogger || logWriter.isCustom) && !node.servesProbes,
    servesWhileClosing: node.servesProbes,
    server: app.server,
  };
}

function requestIdMaker(node: ContextNode): Plan['makeRequestId'] {
  const { app } = node;
  const generate = node.setting('makeRequestId') as ((rawRequest: unknown) => string) | undefined;
  const make: Plan['makeRequestId'] =
    generate === undefined ? app.nextRequestNumber : (x) => generate(x.rawRequest);
  const header = app.options.requestIdHeader;
  if (header === false) return make;
  return (x) => (x.requestHeaders[header] as string) || make(x);
}

/** Whether the end of a response must be observed: for a log line, for hooks, or to remove listeners from the socket. */
export function tracksCompletion(
  { app, servesProbes }: ContextNode,
  { onResponse, onTimeout }: AppSteps,
): boolean {
  return (app.hasLogger && !servesProbes) || onResponse.length > 0 || onTimeout.length > 0;
}

type AnyFunction = AppFunction['declared'];

/** The functions that a route or a not-found handler may add. Each hook is one function or an array of functions. */
type RouteFunctions = Readonly<Partial<Record<RequestHookName | 'errorHandler', unknown>>>;

/** An empty list for every hook. */
export const noHooks = Object.fromEntries(requestHookNames.map((name) => [name, []])) as unknown as Omit<
  AppSteps,
  'errorHandler'
>;

/** The hooks that apply to a context, including those of its ancestors, in the order in which they were added. */
type InheritedHooks = Readonly<Record<RequestHookName, readonly AddedHook[]>>;

class ContextSteps {
  /** The steps of routes that add no functions. */
  readonly app: AppSteps;
  readonly #api: Context;
  readonly #hooks: InheritedHooks;
  /** The steps with one more hook: they and their lists are shared, because many routes add the same guard. */
  readonly #withOneHook = new Map<AnyFunction, Partial<Record<RequestHookName, AppSteps>>>();
  readonly #compiled = new WeakMap<AppSteps, PlanSteps[]>();

  constructor(node: ContextNode, { errorHandler }: RouteContextSettings, parent: ContextSteps | undefined) {
    this.#api = node.api;
    this.#hooks = inheritHooks(node, parent === undefined ? undefined : parent.#hooks);
    const steps = requestHookNames.map((name) => [
      name,
      this.#hooks[name].map((added) => {
        const { hook, context } = added;
        return makeAppStep(name, appFunction({ declared: hook, self: node.api, context, origin: added }));
      }),
    ]);
    this.app = { ...Object.fromEntries(steps), errorHandler: errorHandlerSteps(node, errorHandler) };
  }

  /**
   * Returns the steps of the context together with those of a route. The hooks of the route come last, and its error handler comes first.
   */
  withRoute(route: RouteFunctions): AppSteps {
    let steps = this.app;
    for (const name of requestHookNames) {
      if (route[name] === undefined) continue;
      const hooks = [route[name]].flat() as AnyFunction[];
      const added =
        hooks.length === 1
          ? this.#withHook(name, hooks[0]!)
          : { ...this.app, [name]: [...this.app[name], ...hooks.map((hook) => this.#makeStep(name, hook))] };
      steps = steps === this.app ? added : { ...steps, [name]: added[name] };
    }
    if (route.errorHandler === undefined) return steps;
    const own = this.#makeStep('errorHandler', route.errorHandler as AnyFunction);
    return { ...steps, errorHandler: [own, ...this.app.errorHandler] };
  }

  /**
   * Returns the steps of a plan. Plans with the same functions and the same needs share them; others share the unchanged paths of the
   * context.
   */
  compile(app: AppSteps, needs: RouteNeeds): PlanSteps {
    let compiled = this.#compiled.get(app);
    if (compiled === undefined) {
      compiled = [];
      this.#compiled.set(app, compiled);
    }
    const key = Number(needs.admit) * 4 + Number(needs.readBody) * 2 + Number(needs.validate);
    compiled[key] ??=
      app === this.app
        ? compileSteps(app, needs)
        : compileSteps(app, needs, { app: this.app, steps: this.compile(this.app, needs) });
    return compiled[key];
  }

  /** The steps of the context with one hook more. */
  #withHook(name: RequestHookName, hook: AnyFunction): AppSteps {
    const known = this.#withOneHook.get(hook) ?? {};
    this.#withOneHook.set(hook, known);
    known[name] ??= { ...this.app, [name]: [...this.app[name], this.#makeStep(name, hook)] };
    return known[name];
  }

  #makeStep<Name extends keyof AppSteps>(name: Name, declared: AnyFunction): AppSteps[Name][number] {
    const api = this.#api;
    return makeAppStep(name, appFunction({ declared, self: api, context: api, origin: undefined }, true));
  }
}

/** Starts from the hooks of the parent instead of reading all ancestors, because contexts may be nested thousands of levels deep. */
function inheritHooks(node: ContextNode, outer: InheritedHooks | undefined): InheritedHooks {
  const all = requestHookNames.map((name) => {
    const own = node.ownHooks(name);
    const inherited = outer?.[name] ?? [];
    return [name, own.length === 0 ? inherited : [...inherited, ...own].sort((a, b) => a.order - b.order)];
  });
  return Object.fromEntries(all) as InheritedHooks;
}

const errorHandlerLists = new WeakMap<AddedErrorHandler, AppSteps['errorHandler']>();

/**
 * Returns an error handler, those that get its errors one after the other, and the default handler. `this` is their context in each of
 * them. Probes have only the default handler.
 */
function errorHandlerSteps(
  { app, servesProbes }: ContextNode,
  first: AddedErrorHandler | undefined,
): AppSteps['errorHandler'] {
  const makeStep = (handler: AnyFunction, context: Context, origin?: Origin) =>
    makeAppStep('errorHandler', appFunction({ declared: handler, self: context, context, origin }));
  if (first === undefined || servesProbes) return [makeStep(app.defaultErrorHandler, app.root)];
  const known = errorHandlerLists.get(first);
  if (known !== undefined) return known;
  const steps: AppSteps['errorHandler'][number][] = [];
  for (let added: AddedErrorHandler | undefined = first; added !== undefined; added = added.outer)
    steps.push(makeStep(added.handler, added.node.api, added.origin));
  steps.push(makeStep(app.defaultErrorHandler, app.root));
  errorHandlerLists.set(first, steps);
  return steps;
}

const asyncPrototype: object = Object.getPrototypeOf(async () => {});

function appFunction(
  app: Omit<AppFunction, 'belongsToRoute' | 'isAsync'>,
  belongsToRoute = false,
): AppFunction {
  // Any object can have this prototype, also a proxy whose result is no promise.
  const isAsync =
    Object.getPrototypeOf(app.declared) === asyncPrototype && types.isAsyncFunction(app.declared);
  return { ...app, belongsToRoute, isAsync };
}

type RequestClass = Plan['Request'];
type ReplyClass = Plan['Reply'];
type OwnDecorators = ReadonlyMap<DecoratorName, Decorator>;

/** The classes of one context. Contexts that decorate nothing share their parent's. */
interface InstanceClasses {
  readonly Request: RequestClass;
  readonly Reply: ReplyClass;
}

const baseClasses: InstanceClasses = { Request: BaseRequest, Reply: BaseReply };

function buildClasses(node: ContextNode, parent: InstanceClasses = baseClasses): InstanceClasses {
  return {
    Request: classOf(node, 'requestDecorators', parent.Request, deriveRequest),
    Reply: classOf(node, 'replyDecorators', parent.Reply, deriveReply),
  };
}

function classOf<Class extends object>(
  node: ContextNode,
  table: 'requestDecorators' | 'replyDecorators',
  Parent: Class,
  derive: (Base: Class, own: OwnDecorators) => Class,
): Class {
  const { own, missed } = node[table];
  let Base = Parent;
  if (node.parent !== undefined && missed.length > 0) {
    // Without what the parent has added after the context was opened: derived from the class that the parent has inherited.
    const early = [...node.parent[table].own].filter(([name]) => !missed.includes(name));
    Base = derive(Object.getPrototypeOf(Parent), new Map(early));
  }
  return own.size === 0 ? Base : derive(Base, own);
}

function deriveRequest(Parent: RequestClass, own: OwnDecorators): RequestClass {
  const setFields = fieldSetter(Parent.prototype, own);
  class ContextRequest extends Parent {
    constructor(x: Exchange, id: RequestId, params: Params | undefined, query: unknown, log: Logger) {
      super(x, id, params, query, log);
      setFields(this);
    }
  }
  defineShared(ContextRequest.prototype, own);
  return ContextRequest;
}

function deriveReply(Parent: ReplyClass, own: OwnDecorators): ReplyClass {
  const setFields = fieldSetter(Parent.prototype, own);
  class ContextReply extends Parent {
    constructor(x: Exchange, request: Request, log: Logger) {
      super(x, request, log);
      setFields(this);
    }
  }
  defineShared(ContextReply.prototype, own);
  return ContextReply;
}

function defineShared(prototype: object, own: OwnDecorators): void {
  for (const [name, { kind, value }] of own) if (kind !== 'value') defineMember(prototype, name, value);
}

/** Sets the value decorators of one context, always in the same order: every instance has the same hidden class. */
function fieldSetter(parentPrototype: object, own: OwnDecorators): (instance: object) => void {
  const fields = [...own].flatMap(([name, { kind, value }]) => (kind === 'value' ? [{ name, value }] : []));
  // HOT: once per request and reply in contexts with decorators.
  const assignable = fields.filter(({ name }) => !(name in parentPrototype));
  // A decorator that hides a member of the base class cannot be assigned: that member may be an accessor.
  const overriding = fields.filter(({ name }) => name in parentPrototype);
  return (instance) => {
    const target = instance as Record<DecoratorName, unknown>;
    for (let i = 0; i < assignable.length; i++) target[assignable[i]!.name] = assignable[i]!.value;
    for (let i = 0; i < overriding.length; i++)
      defineMember(instance, overriding[i]!.name, overriding[i]!.value);
  };
}
