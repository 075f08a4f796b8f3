/** Owns the hooks that one context adds, and the rules that every hook must keep. */

import { HookHandlerInvalid, HookMixesStyles, HookNameInvalid, HookUnknown } from '../contract/errors.ts';
import type { HookName, RequestHookName } from '../contract/hooks.ts';
import type { CallSite } from '../shared/call-site.ts';
import { isAsyncFunction, isGeneratorFunction } from '../shared/thenable.ts';
import type { BootStep } from './boot/boot-step.ts';

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

const tableHookNames: ReadonlySet<string> = new Set([...requestHookNames, ...contextHookNames]);

/** A hook and when it was added, counted over the whole process. */
export interface AddedHook {
  readonly hook: AnyHook;
  readonly order: number;
  /** The step of boot that added it. */
  readonly step: BootStep;
  /** The line that added it. A hook of requests has one only if a tool has asked for it. */
  readonly site: CallSite | undefined;
}

let added = 0;

/** How many hooks were added so far: those that follow have this order, or a higher one. */
export function hooksAdded(): number {
  return added;
}

export class HookTable {
  readonly #own = new Map<string, AddedHook[]>();

  add(name: TableHookName, hook: AnyHook, step: BootStep, site: CallSite | undefined): void {
    const entry = { hook, order: added++, step, site };
    const list = this.#own.get(name);
    if (list === undefined) this.#own.set(name, [entry]);
    else list.push(entry);
  }

  own(name: TableHookName): readonly AddedHook[] {
    return this.#own.get(name) ?? [];
  }
}

/** How many parameters an async hook may name before one of them must be `done`; `undefined` where any number goes. */
const callbackArity: Readonly<Record<HookName, (parameters: number) => boolean>> = {
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

/**
 * @throws {HookMixesStyles} when an async hook takes `done` as well: it would end twice.
 * @throws {HookHandlerInvalid} for a generator function: called, it does nothing.
 */
export function checkHookStyle(name: HookName, hook: AnyHook): void {
  if (isGeneratorFunction(hook)) throw new HookHandlerInvalid(name, Object.prototype.toString.call(hook));
  // A name that is no hook's is refused later; it may be one that every object has.
  if (isAsyncFunction(hook) && Object.hasOwn(callbackArity, name) && callbackArity[name](hook.length))
    throw new HookMixesStyles();
}

/** @throws When the name is not a hook's, or the value not a function. */
export function checkHook(name: unknown, hook: unknown): void {
  if (typeof name !== 'string') throw new HookNameInvalid();
  if (!tableHookNames.has(name)) throw new HookUnknown(name);
  if (typeof hook !== 'function') throw new HookHandlerInvalid(name, Object.prototype.toString.call(hook));
}

/** Checks the hooks among a route's options: each one function, or an array of them. */
export function checkRouteHooks(options: Readonly<Record<string, unknown>>): void {
  for (const name of requestHookNames) {
    const value = options[name];
    if (value === undefined) continue;
    for (const hook of Array.isArray(value) ? value : [value]) {
      if (typeof hook !== 'function')
        throw new HookHandlerInvalid(name, Object.prototype.toString.call(hook));
      checkHookStyle(name, hook);
    }
  }
}
