/** Runs the hooks of a context's own life: `onReady`, `onListen`, `preClose`, the root's first, then down the tree. */
import type { Context } from '../contract/context.ts';
import { HookTimeout } from '../contract/errors.ts';
import { isThenable } from '../kit/thenable.ts';
import type { ContextNode } from './context-node.ts';
import type { AnyHook } from './hook-table.ts';

type BootHookName = 'onReady' | 'onListen' | 'preClose';

/** @throws What the first hook fails with, or {HookTimeout} after `timeoutMs` (0: no limit). */
export async function runBootHooks(root: ContextNode, name: BootHookName, timeoutMs: number): Promise<void> {
  for (const node of root.descendants()) {
    for (const hook of node.hooks.own(name)) await runBootHook(node.api, hook, name, timeoutMs);
  }
}

/** Every hook runs; what they fail with goes to `report`. */
export async function runBootHooksReporting(
  root: ContextNode,
  name: BootHookName,
  timeoutMs: number,
  report: (error: unknown) => void,
): Promise<void> {
  for (const node of root.descendants()) {
    for (const hook of node.hooks.own(name)) {
      await runBootHook(node.api, hook, name, timeoutMs).catch(report);
    }
  }
}

/** One hook, in callback style when it takes an argument. */
function runBootHook(context: Context, hook: AnyHook, name: BootHookName, timeoutMs: number): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const timer = timeoutMs > 0 ? setTimeout(() => reject(hookTimeout(name, hook)), timeoutMs) : undefined;
    const settle = (error?: unknown): void => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve();
    };
    try {
      const result = hook.call(context, settle as never);
      if (isThenable(result)) result.then(() => settle(), settle);
      else if (hook.length === 0) settle();
    } catch (error) {
      settle(error);
    }
  });
}

function hookTimeout(name: BootHookName, hook: AnyHook): Error {
  const shown = hook.name === '' ? '' : ` "${hook.name}"`;
  const cause = Object.assign(new Error(`hook '${name}'${shown} did not end in time`), { code: 'AVV_ERR_READY_TIMEOUT' });
  return HookTimeout.at({ cause, where: { step: `${name} hook${shown}` } }, name, shown);
}
