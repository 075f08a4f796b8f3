/** Runs the hooks of a context's own life: `onReady`, `onListen`, `preClose`, the root's first, then down the tree. */
import { HookTimeout } from '../contract/errors.ts';
import { isThenable } from '../kit/thenable.ts';
import type { ContextNode } from './context-node.ts';
import { errorOf } from './error-of.ts';
import type { AnyHook } from './hook-table.ts';

type BootHookName = 'onReady' | 'onListen' | 'preClose';
type Settle = (error?: unknown) => void;

export interface BootHookRun {
  readonly root: ContextNode;
  readonly name: BootHookName;
  /** Longest time for one hook in milliseconds; 0 is no limit. */
  readonly timeoutMs: number;
  /** Takes the error of a hook and goes on with the next; without it, the first error ends the run. */
  readonly report?: (error: unknown) => void;
}

/** Runs the hooks one after the other, in this very turn as far as they end in it. */
export function runBootHooks({ root, name, timeoutMs, report }: BootHookRun, done: Settle): void {
  // A hook that adds another is too late for this run.
  const pending = [...root.descendants()].flatMap((node) =>
    node.hooks.own(name).map(({ hook }) => ({ node, hook })),
  );
  let at = 0;
  let isLooping = false;
  const next = (): void => {
    if (isLooping) return;
    isLooping = true;
    for (let before = -1; before !== at && at < pending.length; ) {
      before = at;
      const { node, hook } = pending[at]!;
      runBootHook(node, hook, name, timeoutMs, settle);
    }
    isLooping = false;
    if (at === pending.length) {
      at++;
      done();
    }
  };
  const settle: Settle = (error) => {
    if (error !== undefined && report === undefined) {
      at = Number.POSITIVE_INFINITY;
      done(error);
      return;
    }
    if (error !== undefined) report!(error);
    at++;
    next();
  };
  next();
}

/** One hook, in callback style when it takes an argument. Settles once. */
function runBootHook(
  node: ContextNode,
  hook: AnyHook,
  name: BootHookName,
  timeoutMs: number,
  settle: Settle,
): void {
  let timer: NodeJS.Timeout | undefined;
  let isSettled = false;
  const settleOnce: Settle = (error) => {
    if (isSettled) return;
    isSettled = true;
    clearTimeout(timer);
    settle(error);
  };
  const refuse: Settle = (error) => settleOnce(errorOf(error, `hook '${name}'${nameOf(hook)}`));
  const done: Settle = (error) => (error === undefined || error === null ? settleOnce() : refuse(error));
  if (timeoutMs > 0) timer = setTimeout(() => settleOnce(hookTimeout(node, name, hook)), timeoutMs);
  try {
    const result = hook.call(node.api, done as never);
    if (isThenable(result)) result.then(() => settleOnce(), refuse);
    else if (hook.length === 0) settleOnce();
  } catch (error) {
    refuse(error);
  }
}

function nameOf(hook: AnyHook): string {
  return hook.name === '' ? '' : ` "${hook.name}"`;
}

function hookTimeout(node: ContextNode, name: BootHookName, hook: AnyHook): Error {
  const shown = nameOf(hook);
  const cause = Object.assign(new Error(`hook '${name}'${shown} did not end in time`), {
    code: 'AVV_ERR_READY_TIMEOUT',
  });
  const where = { plugin: node.path, step: `${name} hook${shown}` };
  return HookTimeout.at({ cause, where }, name, shown);
}
