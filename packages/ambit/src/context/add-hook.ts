/** Puts a hook where it belongs: into the context's table, at once or in its turn, or among what runs when the server closes. */
import { HookHandlerInvalid } from '../contract/errors.ts';
import { CallSite } from '../shared/call-site.ts';
import type { ContextNode } from './context-node.ts';
import { disposalHook } from './disposal-hook.ts';
import {
  type AnyHook,
  checkHook,
  checkHookStyle,
  requestHookNames,
  type TableHookName,
} from './hook-table.ts';

/** Hooks that wait their turn, so that a plugin registered before them adds its own first. The rest apply at once. */
const deferredHooks: ReadonlySet<string> = new Set([...requestHookNames, 'onRegister']);

export function addHook({ api, app, hooks }: ContextNode, name: string, given: AnyHook): void {
  if (given === undefined || given === null) throw new HookHandlerInvalid(name, String(given));
  checkHookStyle(name as TableHookName, given);
  if (name === 'onClose') {
    app.boot.onClose(api, disposalHook(given));
    return;
  }
  checkHook(name, given);
  const hook = app.interceptors?.addHook(name, given) ?? given;
  const { step } = app.boot;
  if (deferredHooks.has(name)) app.boot.after(api, () => hooks.add(name as TableHookName, hook, step));
  else hooks.add(name as TableHookName, hook, step, new CallSite());
}
