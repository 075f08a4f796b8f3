/** The steps of one context: those of its hooks and error handlers, alone and together with those of its routes. */
import { types } from 'node:util';
import type { AddedErrorHandler, ContextNode } from '../context/context-node.ts';
import { requestHookNames } from '../context/hook-table.ts';
import type { RouteContextSettings } from '../context/routes/route-record.ts';
import { type AppSteps, compileSteps, makeAppStep, type RouteNeeds } from '../runtime/lifecycle.ts';
import type { Context } from '../types/context.ts';
import type { RequestHookName } from '../types/hooks.ts';
import type { Origin } from '../types/inspection.ts';
import type { AppFunction, PlanSteps } from '../types/plan.ts';

type AnyFunction = AppFunction['declared'];

type HookList = AppSteps[RequestHookName];

/** The functions that a route or a not-found handler may add. Each hook is one function or an array of functions. */
export type RouteFunctions = Readonly<Partial<Record<RequestHookName | 'errorHandler', unknown>>>;

/** An empty list for every hook. */
export const noHooks = Object.fromEntries(requestHookNames.map((name) => [name, []])) as unknown as Omit<
  AppSteps,
  'errorHandler'
>;

/** A hook that applies to a context, and the context that added it. */
interface InheritedHook {
  readonly hook: AnyFunction;
  readonly order: number;
  readonly context: Context;
  readonly origin: Origin;
}

/** The hooks that apply to a context, including those of its ancestors, in the order in which they were added. */
type InheritedHooks = Readonly<Record<RequestHookName, readonly InheritedHook[]>>;

export class ContextSteps {
  /** The steps of routes that add no functions. */
  readonly app: AppSteps;
  readonly #api: Context;
  readonly #hooks: InheritedHooks;
  /** Shared lists, because many routes add the same single hook: all automatic HEAD routes, or all routes with the same guard. */
  readonly #lists = new Map<RequestHookName, Map<AnyFunction, HookList>>();
  readonly #withOneHook = new Map<HookList, AppSteps>();
  readonly #compiled = new WeakMap<AppSteps, PlanSteps[]>();

  constructor(node: ContextNode, { errorHandler }: RouteContextSettings, parent: ContextSteps | undefined) {
    this.#api = node.api;
    this.#hooks = inheritHooks(node, parent === undefined ? undefined : parent.#hooks);
    const steps = requestHookNames.map((name) => [
      name,
      this.#hooks[name].map(({ hook, context, origin }) =>
        makeAppStep(name, appFunction({ declared: hook, self: node.api, context, origin })),
      ),
    ]);
    this.app = { ...Object.fromEntries(steps), errorHandler: errorHandlerSteps(node, errorHandler) };
  }

  /**
   * Returns the steps of the context together with those of a route. The hooks of the route come last, and its error handler comes first.
   */
  withRoute(route: RouteFunctions): AppSteps {
    const names = requestHookNames.filter((name) => route[name] !== undefined);
    if (route.errorHandler !== undefined) return this.#addToRoute(route, names);
    if (names.length === 0) return this.app;
    const hooks = [route[names[0]!]].flat() as AnyFunction[];
    return names.length === 1 && hooks.length === 1
      ? this.#addOneHook(names[0]!, hooks[0]!)
      : this.#addToRoute(route, names);
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

  #addOneHook(name: RequestHookName, hook: AnyFunction): AppSteps {
    const list = this.#listWith(name, hook);
    let steps = this.#withOneHook.get(list);
    if (steps === undefined) {
      steps = { ...this.app, [name]: list };
      this.#withOneHook.set(list, steps);
    }
    return steps;
  }

  #addToRoute(route: RouteFunctions, names: readonly RequestHookName[]): AppSteps {
    const added = names.map((name) => {
      const hooks = [route[name]].flat() as AnyFunction[];
      if (hooks.length === 1) return [name, this.#listWith(name, hooks[0]!)];
      return [name, [...this.app[name], ...hooks.map((hook) => this.#makeStep(name, hook))]];
    });
    const steps = { ...this.app, ...Object.fromEntries(added) };
    if (route.errorHandler === undefined) return steps;
    const own = this.#makeStep('errorHandler', route.errorHandler as AnyFunction);
    return { ...steps, errorHandler: [own, ...this.app.errorHandler] };
  }

  /** Returns the hooks of a name, with one hook of a route at the end. */
  #listWith(name: RequestHookName, hook: AnyFunction): HookList {
    let lists = this.#lists.get(name);
    if (lists === undefined) {
      lists = new Map();
      this.#lists.set(name, lists);
    }
    let list = lists.get(hook);
    if (list === undefined) {
      list = [...this.app[name], this.#makeStep(name, hook)] as HookList;
      lists.set(hook, list);
    }
    return list;
  }

  #makeStep<Name extends keyof AppSteps>(name: Name, declared: AnyFunction): AppSteps[Name][number] {
    const api = this.#api;
    return makeAppStep(name, appFunction({ declared, self: api, context: api, origin: undefined }, true));
  }
}

/** Starts from the hooks of the parent instead of reading all ancestors, because contexts may be nested thousands of levels deep. */
function inheritHooks({ hooks, api }: ContextNode, outer: InheritedHooks | undefined): InheritedHooks {
  const all = requestHookNames.map((name) => {
    const own = hooks
      .own(name)
      .map((origin) => ({ hook: origin.hook, order: origin.order, context: api, origin }));
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
