/** Adds a hook: to the context's table, at once or when it is its turn, or to what runs when the server closes. */
import { HookHandlerInvalid } from '../contract/errors.ts';
import { CallSite } from '../shared/call-site.ts';
import type { ContextNode } from './context-node.ts';
import { define } from './definitions.ts';
import {
  type AnyHook,
  checkHook,
  checkHookStyle,
  requestHookNames,
  type TableHookName,
} from './hook-table.ts';

/** Hooks that are added when the plugins registered before them have loaded and added their own. The others are added at once. */
const deferredHooks: ReadonlySet<string> = new Set([...requestHookNames, 'onRegister']);

export function addHook(node: ContextNode, name: string, given: AnyHook): void {
  const { api, app, hooks } = node;
  if (given === undefined || given === null) throw new HookHandlerInvalid(name, String(given));
  checkHookStyle(name as TableHookName, given);
  if (name === 'onClose') {
    app.boot.onClose(api, closeHookOf(given));
    define(node, 'hook', name, given);
    return;
  }
  checkHook(name, given);
  const hook = app.interceptors?.addHook(name, given) ?? given;
  const { step } = app.boot;
  const { site } = define(node, 'hook', name, given);
  if (deferredHooks.has(name)) {
    app.boot.after(api, () => hooks.add(name as TableHookName, hook, step, site));
  } else {
    // Errors of these hooks show the line.
    hooks.add(name as TableHookName, hook, step, site ?? new CallSite());
  }
}

/** An `onClose` hook as it is, or a hook that disposes of the resource. */
function closeHookOf(hookOrResource: unknown): AnyHook {
  if (typeof hookOrResource === 'function') return hookOrResource as AnyHook;
  const resource = Object(hookOrResource) as Partial<AsyncDisposable & Disposable>;
  if (typeof resource[Symbol.asyncDispose] === 'function')
    return async () => resource[Symbol.asyncDispose]!();
  if (typeof resource[Symbol.dispose] === 'function') return async () => resource[Symbol.dispose]!();
  throw new HookHandlerInvalid('onClose', Object.prototype.toString.call(hookOrResource));
}
