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

export function addHook({ api, app, hooks }: ContextNode, name: string, hook: AnyHook): void {
  if (hook === undefined || hook === null) throw new HookHandlerInvalid(name, String(hook));
  checkHookStyle(name as TableHookName, hook);
  if (name === 'onClose') {
    app.boot.onClose(api, disposalHook(hook));
    return;
  }
  checkHook(name, hook);
  const { step } = app.boot;
  if (deferredHooks.has(name)) app.boot.after(api, () => hooks.add(name as TableHookName, hook, step));
  else hooks.add(name as TableHookName, hook, step, new CallSite());
}
