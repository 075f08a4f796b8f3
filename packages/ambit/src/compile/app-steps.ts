/** Makes the steps of hooks and error handlers: those of a context, and those that a route adds. */
import type { ContextNode } from '../context/context-node.ts';
import { requestHookNames } from '../context/hook-table.ts';
import type { Context } from '../contract/context.ts';
import type { ErrorHandler } from '../contract/handlers.ts';
import type { RequestHookName } from '../contract/hooks.ts';
import type { AppFunction } from '../contract/step.ts';
import { type AppSteps, makeAppStep } from '../runtime/lifecycle.ts';

type AnyFunction = AppFunction['declared'];

/** No step of any hook. */
export const noHooks = Object.fromEntries(requestHookNames.map((name) => [name, []])) as unknown as Omit<
  AppSteps,
  'errorHandler'
>;

/** A hook that applies to a context, and the context that added it. */
export interface InheritedHook {
  readonly hook: AnyFunction;
  readonly order: number;
  readonly context: Context;
}

/** The hooks that apply to a context, its ancestors' among them, in the order in which they were added. */
export type InheritedHooks = Readonly<Record<RequestHookName, readonly InheritedHook[]>>;

/** From the parent's, and not from the tree: contexts may be nested thousands deep. */
export function inheritHooks({ hooks, api }: ContextNode, outer: InheritedHooks | undefined): InheritedHooks {
  const all = requestHookNames.map((name) => {
    const own = hooks.own(name).map(({ hook, order }) => ({ hook, order, context: api }));
    const inherited = outer?.[name] ?? [];
    return [name, own.length === 0 ? inherited : [...inherited, ...own].sort((a, b) => a.order - b.order)];
  });
  return Object.fromEntries(all) as InheritedHooks;
}

/** The steps of a context. Its hooks are bound to it, whoever added them; its error handlers to the context that set them. */
export function makeContextSteps(
  node: ContextNode,
  hooks: InheritedHooks,
  outer: AppSteps | undefined,
): AppSteps {
  const { api } = node;
  const steps = requestHookNames.map((name) => [
    name,
    hooks[name].map(({ hook, context }) => makeAppStep(name, bind(hook, api, context, false))),
  ]);
  return { ...Object.fromEntries(steps), errorHandler: makeErrorHandlerSteps(node, outer) };
}

/** From the handler set last here outwards; the default one is the last of all. */
function makeErrorHandlerSteps(node: ContextNode, parent: AppSteps | undefined): AppSteps['errorHandler'] {
  const { api, app, errorHandlers } = node;
  const outer = parent?.errorHandler ?? [
    makeAppStep('errorHandler', bind(app.defaultErrorHandler, api, api, false)),
  ];
  if (errorHandlers.length === 0) return outer;
  const own = errorHandlers.map((handler) => makeAppStep('errorHandler', bind(handler, api, api, false)));
  return [...own.reverse(), ...outer];
}

/** The steps of a context with those of a route: its hooks come last, its error handler first. Lists to which it adds nothing are shared. */
export function addRouteSteps(
  steps: AppSteps,
  { api }: ContextNode,
  options: Readonly<Partial<Record<RequestHookName | 'errorHandler', unknown>>>,
): AppSteps {
  const names = requestHookNames.filter((name) => options[name] !== undefined);
  const handler = options.errorHandler as ErrorHandler | undefined;
  if (names.length === 0 && handler === undefined) return steps;
  const added = names.map((name) => {
    const hooks = [options[name] as AnyFunction | AnyFunction[]].flat();
    return [name, [...steps[name], ...hooks.map((hook) => makeAppStep(name, bind(hook, api, api, true)))]];
  });
  const own = handler === undefined ? [] : [makeAppStep('errorHandler', bind(handler, api, api, true))];
  return { ...steps, ...Object.fromEntries(added), errorHandler: [...own, ...steps.errorHandler] };
}

const asyncPrototype: object = Object.getPrototypeOf(async () => {});

function bind(declared: AnyFunction, api: Context, context: Context, isOfRoute: boolean): AppFunction {
  const isAsync = Object.getPrototypeOf(declared) === asyncPrototype;
  return { declared, context, isOfRoute, bound: declared.bind(api), isAsync };
}
