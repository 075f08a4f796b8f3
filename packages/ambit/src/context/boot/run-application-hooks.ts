/** Runs application hooks (`onReady`, `onListen`, `preClose`): the root's first, then those of its children. */

import type { ErrorPlace } from '../../shared/error-place.ts';
import { isThenable } from '../../shared/thenable.ts';
import { HookTimeout } from '../../types/errors.ts';
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
  /** If set, it is called with the error of each hook that fails, and the next hook runs. Without it, the first error ends the run. */
  readonly report?: (error: unknown) => void;
  /** Runs the hooks in reverse order: the last one of the last context first. */
  readonly isReversed?: boolean;
  /** After it, no hook is waited for. */
  readonly deadline?: { readonly remainingMs: number } | undefined;
}

/** Runs the hooks one after the other. As long as hooks end synchronously, the next one runs in the same turn. */
export function runApplicationHooks(
  { root, name, timeoutMs, report, isReversed = false, deadline }: ApplicationHookRun,
  done: Settle,
): void {
  // Hooks that are added during this run do not run in it.
  const pending = [...root.descendants()].flatMap((node) =>
    node.hooks.own(name).map((added) => ({ node, added })),
  );
  if (isReversed) pending.reverse();
  let index = 0;
  let isLooping = false;
  const next = (): void => {
    if (isLooping) return;
    isLooping = true;
    for (let previousIndex = -1; previousIndex !== index && index < pending.length; ) {
      previousIndex = index;
      const { node, added } = pending[index]!;
      runApplicationHook(node, added, name, limitOf(timeoutMs, deadline), settle);
    }
    isLooping = false;
    if (index === pending.length) {
      index++;
      done();
    }
  };
  const settle: Settle = (error) => {
    if (error !== undefined && report === undefined) {
      index = Number.POSITIVE_INFINITY;
      done(error);
      return;
    }
    if (error !== undefined) report!(error);
    index++;
    next();
  };
  next();
}

/** The time limit of the next hook; 0 is no limit. */
function limitOf(timeoutMs: number, deadline: ApplicationHookRun['deadline']): number {
  if (deadline === undefined) return timeoutMs;
  return Math.max(1, Math.min(timeoutMs || Number.POSITIVE_INFINITY, deadline.remainingMs));
}

/** Runs one hook. A hook that takes a parameter gets a callback; on the facade, one that takes exactly one, as in Fastify. Settles once. */
function runApplicationHook(
  node: ContextNode,
  { hook, site }: AddedHook,
  name: ApplicationHookName,
  timeoutMs: number,
  settle: Settle,
): void {
  const quotedName = hook.name === '' ? '' : ` "${hook.name}"`;
  const step = `${name} hook${quotedName}`;
  const where = (): ErrorPlace => ({ plugin: node.path, file: site?.location, step });
  const settleOnce = withinMs(timeoutMs, settle, () => hookTimeout(name, quotedName, where()));
  const fail = (thrown: unknown): void => settleOnce(toError(thrown, `hook '${name}'${quotedName}`, where));
  try {
    const done: Settle = (error) => (error === undefined || error === null ? settleOnce() : fail(error));
    const { checksDeclarations } = node.app.compatibility;
    const getsDone = checksDeclarations || hook.length === 1;
    const result = getsDone ? hook.call(node.api, done as never) : hook.call(node.api);
    // Fastify waits for the callback even if the hook returns a promise.
    if (isThenable(result) && (checksDeclarations || !getsDone)) result.then(() => settleOnce(), fail);
    else if (!getsDone || hook.length === 0) settleOnce();
  } catch (error) {
    fail(error);
  }
}

function hookTimeout(name: ApplicationHookName, quotedName: string, where: ErrorPlace): Error {
  const cause = Object.assign(new Error(`hook '${name}'${quotedName} did not end in time`), {
    code: 'AVV_ERR_READY_TIMEOUT',
  });
  return HookTimeout.at({ cause, where }, name, quotedName);
}
