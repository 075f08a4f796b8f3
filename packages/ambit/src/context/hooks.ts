/** The hooks of contexts: their names, how they are added, and the rules that every hook must keep. */

import { CallSite } from '../shared/call-site.ts';
import { didYouMean } from '../shared/nearest-name.ts';
import { isAsyncFunction, isGeneratorFunction } from '../shared/values.ts';
import type { Context } from '../types/context.ts';
import { HookHandlerInvalid, HookMixesStyles, HookNameInvalid, HookUnknown } from '../types/errors.ts';
import type { Compatibility } from '../types/flavor.ts';
import type { ContextHooks, HookName, RequestHookName } from '../types/hooks.ts';
import type { BootStep } from './boot/loader.ts';
import type { ContextNode } from './context-node.ts';
import {
  type ContextMethods,
  changeContext,
  type Definition,
  define,
  nodeOf,
  withContextPlace,
} from './definitions.ts';
import { checkFunction, reportMistake } from './options/check-options.ts';

export type AnyHook = (this: unknown, ...args: never[]) => unknown;

/**
 * How many parameters a hook of a request has that takes `done`. The order is that in which Fastify prints hooks; `runtime/lifecycle.ts`
 * has the order in which they run.
 */
const parametersWithDone = {
  onTimeout: 3,
  onRequest: 3,
  preParsing: 4,
  preValidation: 3,
  preSerialization: 4,
  preHandler: 3,
  onSend: 4,
  onResponse: 3,
  onError: 4,
  onRequestAbort: 2,
} as const satisfies Record<RequestHookName, number>;
export const requestHookNames = Object.keys(parametersWithDone) as readonly RequestHookName[];

/** The same for the other hooks. `onRoute` and `onRegister` hooks do not take `done`; Fastify refuses an async one with three parameters. */
const parametersOfContextHooks = {
  onRoute: 3,
  onRegister: 3,
  onReady: 1,
  onListen: 1,
  preClose: 1,
  onClose: 2,
} as const satisfies Record<keyof ContextHooks, number>;
const parametersOf = { ...parametersWithDone, ...parametersOfContextHooks } satisfies Record<
  HookName,
  number
>;
export const hookNames = Object.keys(parametersOf) as readonly HookName[];

/** The hooks that are stored in the node of their context. `onClose` hooks go to the loader, which runs them. */
export type StoredHookName = Exclude<HookName, 'onClose'>;

/** A hook, the context that added it, and when it was added, counted over the whole process. */
export interface AddedHook {
  readonly hook: AnyHook;
  readonly context: Context;
  readonly order: number;
  /** The step of boot that added it. */
  readonly step: BootStep;
  /** The line that added it. A hook of requests has one only if a tool has asked for it. */
  readonly site: CallSite | undefined;
}

let addedCount = 0;

/** How many hooks were added so far. Later hooks have this `order` or a higher one. */
export function countAddedHooks(): number {
  return addedCount;
}

const knownHooks: ReadonlySet<string> = new Set(hookNames);

/**
 * Hooks that are added only after the plugins registered before them have loaded, so that the hooks of those plugins run first. Other
 * hooks are added at once.
 */
const deferredHooks: ReadonlySet<string> = new Set([...requestHookNames, 'onRegister']);

export const hookMethods: ContextMethods = {
  addHook(name: string, hook: unknown) {
    return changeContext(this, 'addHook', (node) => addHook(node, name, hook as AnyHook));
  },

  onClose(hook: unknown) {
    const node = nodeOf(this);
    const { compatibility } = node.app;
    withContextPlace(node, () => {
      checkFunction(hook, 'onClose');
      if (compatibility.checksDeclarations) checkHookStyle(compatibility, 'onClose', hook as AnyHook);
    });
    node.app.boot.onClose(this, hook as AnyHook);
    return this;
  },
};

function addHook(node: ContextNode, name: string, userHook: AnyHook): void {
  const { api, app } = node;
  const { boot, compatibility, flavor } = app;
  if (userHook === undefined || userHook === null) throw new HookHandlerInvalid(name, String(userHook));
  checkHookStyle(compatibility, name as HookName, userHook);
  if (name === 'onClose') {
    boot.onClose(api, toCloseHook(userHook));
    define(node, 'hook', name, userHook);
    return;
  }
  if (typeof name !== 'string') throw new HookNameInvalid();
  if (!knownHooks.has(name)) throw HookUnknown.at({ hint: didYouMean(name, hookNames) }, name);
  if (typeof userHook !== 'function') throw invalidHook(name, userHook);
  const hook = flavor.interceptors?.addHook(name, userHook) ?? userHook;
  const { step } = boot;
  let definition: Definition;
  const add = (site: CallSite | undefined): void =>
    node.addHook(name as StoredHookName, { hook, context: api, order: addedCount++, step, site });
  // Refused first, if it is too late.
  if (deferredHooks.has(name)) boot.addInternalStep(() => add(definition.site));
  definition = define(node, 'hook', name, userHook);
  // Errors of these hooks show the line.
  if (!deferredHooks.has(name)) add(definition.site ?? new CallSite());
}

/** Returns an `onClose` hook as it is. For a disposable resource, returns a hook that disposes of it. */
function toCloseHook(hookOrResource: unknown): AnyHook {
  if (typeof hookOrResource === 'function') return hookOrResource as AnyHook;
  const resource = Object(hookOrResource) as Partial<AsyncDisposable & Disposable>;
  if (typeof resource[Symbol.asyncDispose] === 'function')
    return async () => resource[Symbol.asyncDispose]!();
  if (typeof resource[Symbol.dispose] === 'function') return async () => resource[Symbol.dispose]!();
  throw invalidHook('onClose', hookOrResource);
}

/** Checks the hooks in a route's options: each must be a function or an array of functions. */
export function checkRouteHooks(options: object, compatibility: Compatibility): void {
  for (const name of requestHookNames) {
    const value = (options as Readonly<Record<string, unknown>>)[name];
    if (value === undefined) continue;
    for (const hook of Array.isArray(value) ? value : [value]) {
      if (typeof hook !== 'function') throw invalidHook(name, hook);
      checkHookStyle(compatibility, name, hook, !Array.isArray(value));
    }
  }
}

/**
 * Refuses an async hook that takes `done` as well, because it would end twice, and a generator function, because a call does not run its body.
 *
 * @param isOnly Whether it is the only hook of a route, not in a list: Fastify lets it be async and declare `done`, too.
 */
function checkHookStyle(
  { checksDeclarations }: Compatibility,
  name: HookName,
  hook: AnyHook,
  isOnly = false,
): void {
  if (isGeneratorFunction(hook)) reportMistake({ checksDeclarations }, invalidHook(name, hook));
  if (isOnly && !checksDeclarations) return;
  // An unknown name is rejected later.
  if (!knownHooks.has(name) || !isAsyncFunction(hook)) return;
  if (takesDone(name, hook.length, checksDeclarations)) throw new HookMixesStyles();
}

/** Whether a hook with this number of parameters takes the callback `done`. */
export function takesDone(name: HookName, parameters: number, checksDeclarations: boolean): boolean {
  // Fastify waits for both, the promise and the callback of these hooks.
  if (!checksDeclarations && (name === 'preClose' || name === 'onClose')) return parameters === 3;
  const countsMore = name === 'onRequestAbort' || Object.hasOwn(parametersOfContextHooks, name);
  return countsMore ? parameters >= parametersOf[name] : parameters === parametersOf[name];
}

function invalidHook(name: string, hook: unknown): Error {
  return new HookHandlerInvalid(name, Object.prototype.toString.call(hook));
}
