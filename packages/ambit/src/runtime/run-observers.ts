/**
 * Runs the hooks that observe a request (`onResponse`, `onTimeout`, `onRequestAbort`), one after the other. They do not change the reply.
 */

import { isThenable } from '../shared/thenable.ts';
import type { Exchange } from '../types/exchange.ts';
import type { AbortHook } from '../types/hooks.ts';
import type { Observer } from '../types/plan.ts';
import { ensureError } from './prepare-error.ts';

/** Calls an `onRequestAbort` hook. It gets no reply, because the client has left. */
export const callAbortHook: Observer['call'] = (x, app, done) =>
  (app.declared as AbortHook).call(app.self, x.request, done);

/**
 * Runs the hooks, even if the runtime would end the request with its response.
 *
 * @param after Called with `undefined` when all hooks have ended, or with the error of the first hook that fails. No hook runs after that
 *   one.
 */
export function runObservers(
  x: Exchange,
  observers: readonly Observer[],
  after: (error: unknown) => void,
): void {
  const { waitUntil } = x;
  if (waitUntil === undefined) runFrom(0, x, observers, after);
  else
    waitUntil(new Promise<unknown>((resolve) => runFrom(0, x, observers, (error) => resolve(after(error)))));
}

function runFrom(
  at: number,
  x: Exchange,
  observers: readonly Observer[],
  after: (error: unknown) => void,
): void {
  if (at === observers.length) {
    after(undefined);
    return;
  }
  let isSettled = false;
  const settle = (error?: unknown): void => {
    if (isSettled) return;
    isSettled = true;
    if (error !== undefined && error !== null) after(ensureError(error));
    // As with steps, synchronous hooks must not make the stack deeper without a limit.
    else if (((at + 1) & 255) === 0) queueMicrotask(() => runFrom(at + 1, x, observers, after));
    else runFrom(at + 1, x, observers, after);
  };
  try {
    const { call, app } = observers[at]!;
    const result = call(x, app, settle);
    if (isThenable(result))
      result.then(
        () => settle(),
        (error) => settle(ensureError(error)),
      );
  } catch (error) {
    settle(ensureError(error));
  }
}
