/** The arguments that the hooks of each kind of phase are called with. */

import type { Exchange } from '../contract/exchange.ts';
import type { AbortHook, ErrorHook, PayloadHook, PreParsingHook, RequestHook } from '../contract/hooks.ts';
import type { BodyStream } from '../contract/parsers.ts';
import { isThenable } from '../shared/thenable.ts';
import { failureOf } from './failure-of.ts';
import type { CallHook } from './run-phase.ts';

// Hooks are bound to their context when the plan is compiled, so `this` is never passed here.
type Bound<Hook extends (this: never, ...args: never[]) => unknown> = (...args: Parameters<Hook>) => unknown;

export const callRequestHook: CallHook<RequestHook> = (hook, x, _payload, done) =>
  (hook as Bound<RequestHook>)(x.request, x.reply, done);

export const callPayloadHook: CallHook<PayloadHook> = (hook, x, payload, done) =>
  (hook as Bound<PayloadHook>)(x.request, x.reply, payload, done);

export const callPreParsingHook: CallHook<PreParsingHook> = (hook, x, payload, done) =>
  (hook as Bound<PreParsingHook>)(x.request, x.reply, payload as BodyStream, done);

/** The exchange whose error hook runs at this moment. */
let reporting: Exchange | undefined;

/** Whether an error hook of the exchange is on the stack: what it calls may throw at it. */
export function isReportingNow(x: Exchange): boolean {
  return reporting === x;
}

/** What an error hook gives back counts for nothing: the next one sees the same error. */
export const callErrorHook: CallHook<ErrorHook> = (hook, x, error, done) => {
  const outer = reporting;
  reporting = x;
  try {
    const result = (hook as Bound<ErrorHook>)(x.request, x.reply, error as Error, () => done());
    return isThenable(result) ? result.then(() => {}) : undefined;
  } finally {
    reporting = outer;
  }
};

/** Runs hooks that only watch (`onResponse`, `onTimeout`, `onRequestAbort`): one after the other, whatever became of the reply. */
export function runWatchers<Hook extends RequestHook | AbortHook>(
  hooks: readonly Hook[],
  call: (hook: Hook, done: (error?: unknown) => void) => unknown,
  after: (error: unknown) => void,
  at = 0,
): void {
  if (at === hooks.length) {
    after(undefined);
    return;
  }
  let isSettled = false;
  const settle = (error?: unknown): void => {
    if (isSettled) return;
    isSettled = true;
    if (error !== undefined && error !== null) after(failureOf(error));
    // As in a phase: hooks that end at once must not deepen the stack without end.
    else if (((at + 1) & 255) === 0) queueMicrotask(() => runWatchers(hooks, call, after, at + 1));
    else runWatchers(hooks, call, after, at + 1);
  };
  try {
    const result = call(hooks[at]!, settle);
    if (isThenable(result))
      result.then(
        () => settle(),
        (error) => settle(failureOf(error)),
      );
  } catch (error) {
    settle(failureOf(error));
  }
}

export const callWatcher =
  (x: Exchange) =>
  (hook: RequestHook, done: (error?: unknown) => void): unknown =>
    (hook as Bound<RequestHook>)(x.request, x.reply, done);

export const callAbortWatcher =
  (x: Exchange) =>
  (hook: AbortHook, done: (error?: unknown) => void): unknown =>
    (hook as Bound<AbortHook>)(x.request, done);
