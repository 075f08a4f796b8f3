/** Owns the hooks that one context adds, and the rules that every hook must keep. */
import { CallSite } from '../shared/call-site.ts';
import { isAsyncFunction, isGeneratorFunction } from '../shared/values.ts';
import { HookHandlerInvalid, HookMixesStyles, HookNameInvalid, HookUnknown } from '../types/errors.ts';
import type { Compatibility } from '../types/flavor.ts';
import type { HookName, RequestHookName } from '../types/hooks.ts';
import type { Step } from './boot/loader.ts';
import type { ContextNode } from './context-node.ts';
import { define } from './definitions.ts';
import { reportMistake } from './options/check-options.ts';

export type AnyHook = (this: unknown, ...args: never[]) => unknown;

/** The hooks of a request, in the order in which they are listed and printed. */
export const requestHookNames: readonly RequestHookName[] = [
  'onTimeout',
  'onRequest',
  'preParsing',
  'preValidation',
  'preSerialization',
  'preHandler',
  'onSend',
  'onResponse',
  'onError',
  'onRequestAbort',
];
export const contextHookNames = ['onRoute', 'onRegister', 'onReady', 'onListen', 'preClose'] as const;
export type TableHookName = RequestHookName | (typeof contextHookNames)[number];

/** A hook and when it was added, counted over the whole process. */
export interface AddedHook {
  readonly hook: AnyHook;
  readonly order: number;
  /** The step of boot that added it. */
  readonly step: Step;
  /** The line that added it. A hook of requests has one only if a tool has asked for it. */
  readonly site: CallSite | undefined;
}

let addedCount = 0;

/** How many hooks were added so far. Later hooks have this `order` or a higher one. */
export function countAddedHooks(): number {
  return addedCount;
}

export class HookTable {
  readonly #own = new Map<string, AddedHook[]>();

  add(name: TableHookName, hook: AnyHook, step: Step, site: CallSite | undefined): void {
    const entry = { hook, order: addedCount++, step, site };
    const list = this.#own.get(name);
    if (list === undefined) this.#own.set(name, [entry]);
    else list.push(entry);
  }

  own(name: TableHookName): readonly AddedHook[] {
    return this.#own.get(name) ?? [];
  }
}

const tableHookNames: ReadonlySet<string> = new Set([...requestHookNames, ...contextHookNames]);

/**
 * Hooks that are added only after the plugins registered before them have loaded, so that the hooks of those plugins run first. Other
 * hooks are added at once.
 */
const deferredHooks: ReadonlySet<string> = new Set([...requestHookNames, 'onRegister']);

export function addHook(node: ContextNode, name: string, userHook: AnyHook): void {
  const { api, app, hooks } = node;
  if (userHook === undefined || userHook === null) throw new HookHandlerInvalid(name, String(userHook));
  checkHookStyle(app.compatibility, name as TableHookName, userHook);
  if (name === 'onClose') {
    app.boot.onClose(api, toCloseHook(userHook));
    define(node, 'hook', name, userHook);
    return;
  }
  if (typeof name !== 'string') throw new HookNameInvalid();
  if (!tableHookNames.has(name)) throw new HookUnknown(name);
  if (typeof userHook !== 'function') throw invalidHook(name, userHook);
  const hook = app.flavor.interceptors?.addHook(name, userHook) ?? userHook;
  const { step } = app.boot;
  const { site } = define(node, 'hook', name, userHook);
  if (deferredHooks.has(name)) {
    app.boot.after(api, () => hooks.add(name as TableHookName, hook, step, site));
  } else {
    // Errors of these hooks show the line.
    hooks.add(name as TableHookName, hook, step, site ?? new CallSite());
  }
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
  // An unknown name is rejected later. It may be a name that every object has, such as `toString`.
  if (isAsyncFunction(hook) && Object.hasOwn(takesDone, name) && takesDone[name](hook.length))
    throw new HookMixesStyles();
}

/** Whether a hook with this number of parameters takes the callback `done`. */
const takesDone: Readonly<Record<HookName, (parameters: number) => boolean>> = {
  onRequest: (n) => n === 3,
  preParsing: (n) => n === 4,
  preValidation: (n) => n === 3,
  preHandler: (n) => n === 3,
  preSerialization: (n) => n === 4,
  onSend: (n) => n === 4,
  onResponse: (n) => n === 3,
  onError: (n) => n === 4,
  onTimeout: (n) => n === 3,
  onRequestAbort: (n) => n >= 2,
  onRoute: (n) => n === 3,
  onRegister: (n) => n === 3,
  onReady: (n) => n !== 0,
  onListen: (n) => n !== 0,
  preClose: (n) => n === 3,
  onClose: (n) => n === 3,
};

function invalidHook(name: string, hook: unknown): Error {
  return new HookHandlerInvalid(name, Object.prototype.toString.call(hook));
}
