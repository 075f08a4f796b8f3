/** Adds a hook of the user to the table of its context; an `onClose` hook is added to the steps of closing. */

import { CallSite } from '../shared/call-site.ts';
import { HookHandlerInvalid } from '../types/errors.ts';
import type { ContextNode } from './context-node.ts';
import {
  type AnyHook,
  checkHook,
  checkHookStyle,
  requestHookNames,
  type TableHookName,
} from './hook-table.ts';
import { define } from './recorded-definitions.ts';

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
  checkHook(name, userHook);
  const hook = app.interceptors?.addHook(name, userHook) ?? userHook;
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
  throw new HookHandlerInvalid('onClose', Object.prototype.toString.call(hookOrResource));
}
