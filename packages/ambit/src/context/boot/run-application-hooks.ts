/** Runs application hooks (`onReady`, `onListen`, `preClose`): the root's first, then those of its children. */
import { HookTimeout } from '../../contract/errors.ts';
import type { ErrorPlace } from '../../shared/error-place.ts';
import { isThenable } from '../../shared/thenable.ts';
import type { ContextNode } from '../context-node.ts';
import type { AddedHook } from '../hook-table.ts';
import { withinMs } from './time-limit.ts';
import { toError } from './to-error.ts';

type ApplicationHookName = 'onReady' | 'onListen' | 'preClose';
type Settle = (error?: unknown) => void;

export interface ApplicationHookRun {
  readonly root: ContextNode;
  readonly name: ApplicationHookName;
  /** Longest time for one hook in milliseconds; 0 is no limit. */
  readonly timeoutMs: number;
  /** Takes the error of a hook and goes on with the next; without it, the first error ends the run. */
  readonly report?: (error: unknown) => void;
  /** Begins with the hook that was added last, and with the innermost context. */
  readonly isReversed?: boolean;
  /** No hook is waited for when it is over. */
  readonly deadline?: { readonly remainingMs: number } | undefined;
}

/** Runs the hooks one after the other, in this very turn as far as they end in it. */
export function runApplicationHooks(
  { root, name, timeoutMs, report, isReversed = false, deadline }: ApplicationHookRun,
  done: Settle,
): void {
  // A hook that adds another is too late for this run.
  const pending = [...root.descendants()].flatMap((node) =>
    node.hooks.own(name).map((added) => ({ node, added })),
  );
  if (isReversed) pending.reverse();
  let at = 0;
  let isLooping = false;
  const next = (): void => {
    if (isLooping) return;
    isLooping = true;
    for (let before = -1; before !== at && at < pending.length; ) {
      before = at;
      const { node, added } = pending[at]!;
      runApplicationHook(node, added, name, shortest(timeoutMs, deadline), settle);
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

/** 0 is no limit. */
function shortest(timeoutMs: number, deadline: ApplicationHookRun['deadline']): number {
  if (deadline === undefined) return timeoutMs;
  return Math.max(1, Math.min(timeoutMs || Number.POSITIVE_INFINITY, deadline.remainingMs));
}

/** One hook, in callback style when it takes an argument. Settles once. */
function runApplicationHook(
  node: ContextNode,
  { hook, site }: AddedHook,
  name: ApplicationHookName,
  timeoutMs: number,
  settle: Settle,
): void {
  const shown = hook.name === '' ? '' : ` "${hook.name}"`;
  const step = `${name} hook${shown}`;
  const where = (): ErrorPlace => ({ plugin: node.path, file: site?.place, step });
  const settleOnce = withinMs(timeoutMs, settle, () => hookTimeout(name, shown, where()));
  const fail = (given: unknown): void => settleOnce(toError(given, `hook '${name}'${shown}`, where));
  try {
    const done: Settle = (error) => (error === undefined || error === null ? settleOnce() : fail(error));
    const result = hook.call(node.api, done as never);
    if (isThenable(result)) result.then(() => settleOnce(), fail);
    else if (hook.length === 0) settleOnce();
  } catch (error) {
    fail(error);
  }
}

function hookTimeout(name: ApplicationHookName, shown: string, where: ErrorPlace): Error {
  const cause = Object.assign(new Error(`hook '${name}'${shown} did not end in time`), {
    code: 'AVV_ERR_READY_TIMEOUT',
  });
  return HookTimeout.at({ cause, where }, name, shown);
}
