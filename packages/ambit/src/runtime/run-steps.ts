/**
 * Runs the steps of a plan. The exchange holds its position: `steps` is its path, and `nextStep` is the index of the next step. `failure`
 * is a path like the others; `fail` starts it, at any time.
 */

import { createRequire } from 'node:module';
import { types } from 'node:util';
import { bun } from '../shared/js-runtime.ts';
import { lazyModule } from '../shared/lazy-module.ts';
import { isError } from '../shared/thrown-values.ts';
import { isThenable } from '../shared/values.ts';
import { ReplyAlreadySent } from '../types/errors.ts';
import type { Exchange, ReplyState } from '../types/exchange.ts';
import type { AbortHook, ErrorHook, PayloadHook, PreParsingHook, RequestHook } from '../types/hooks.ts';
import type { AppFunction, Observer, RunStep, Step } from '../types/plan.ts';
import type { BodyStream } from '../types/request.ts';
import { ensureError, log, publishFailure, translateError } from './exchange.ts';

const require = createRequire(import.meta.url);

/** What only development needs. */
export const loadMistakes: () => typeof import('./mistakes.ts') = lazyModule(() => require('./mistakes.ts'));

export function startPath(x: Exchange, steps: readonly Step[], at = 0): void {
  x.steps = steps;
  x.nextStep = at;
  walk(x);
}

/** @param at The step of the path `reply` with which the payload begins. */
export function startReply(x: Exchange, payload: unknown, at: number): void {
  x.payload = payload;
  startPath(x, x.plan.steps.reply, at);
}

// HOT: once per path and once per hook.
/** Runs the next steps until one waits or is the last of its path. Never throws: if a step throws, the exchange fails. */
export function walk(x: Exchange): void {
  try {
    let step: Step;
    do step = x.steps[x.nextStep++]!;
    while (step.run(x, step));
  } catch (error) {
    fail(x, ensureError(error));
  }
}

/** Whether the exchange still has this epoch, so that no other code has replied in the meantime. */
export function isCurrent(x: Exchange, responseEpoch: number): boolean {
  return x.responseEpoch === responseEpoch && !x.isEnded;
}

/**
 * Fails the exchange: starts the path `failure`, after the error handlers that have already run. A reply that was being prepared is
 * dropped. Never throws. The failure can be any value, so only `readField` and functions like it read from it.
 */
export function fail(x: Exchange, failure: unknown): void {
  const error = translateError(x, failure);
  if (x.plan.server.isDevelopment && error instanceof TypeError) loadMistakes().addHint(x, error);
  if (x.replyState === 'hijacked' || x.isEnded) {
    log(x, 'warn', { err: translateError(x, ReplyAlreadySent.at({ cause: error }, x.url, x.method)) });
    return;
  }
  publishFailure(x, error);
  if (x.isHeadWritten) {
    // The connection is closed, so that the client does not take an incomplete response for a complete one.
    log(x, 'error', { err: error }, 'a request failed while its reply was being sent');
    cutOff(x, error);
    return;
  }
  x.responseEpoch++;
  x.replyState = 'replying';
  x.error = error;
  startPath(x, x.plan.steps.failure, x.nextFailureStep);
}

/** Destroys the exchange. Node reads fields of the error; an error that throws when it is read is left out. */
export function cutOff(x: Exchange, error: unknown): void {
  if (error !== undefined) publishFailure(x, error);
  try {
    x.destroy(isError(error) ? error : undefined);
  } catch {
    x.destroy();
  }
}

export type HookDone = (error?: unknown, value?: unknown) => void;

/** How hooks of one kind are called, and what their results mean. */
export interface HookKind {
  readonly call: (x: Exchange, app: AppFunction, done: HookDone) => unknown;
  /** The state of the reply while such a hook runs, if the hook changes it. */
  readonly replyState?: ReplyState;
  /** Called with the value that a hook has returned or passed to `done`. */
  readonly accept?: (x: Exchange, value: unknown) => void;
  readonly fail: (x: Exchange, error: unknown) => void;
}

/** The hooks that get the request and the reply, and have no result. */
export const requestHook: HookKind = {
  call: (x, app, done) => (app.declared as RequestHook).call(app.self, x.request, x.reply, done),
  fail,
};

/** `preParsing`: a hook may replace the stream of the body. */
export const preParsingHook: HookKind = {
  call: (x, app, done) => {
    x.bodyStream ??= x.streamBody();
    return (app.declared as PreParsingHook).call(app.self, x.request, x.reply, x.bodyStream, done as never);
  },
  accept: (x, stream) => {
    x.bodyStream = stream as BodyStream;
  },
  fail,
};

/** `preSerialization` and `onSend`: a hook may replace the payload, or send another one, which starts the path `reply` again. */
export const payloadHook: HookKind = {
  call: (x, app, done) => (app.declared as PayloadHook).call(app.self, x.request, x.reply, x.payload, done),
  replyState: 'preparing',
  accept: (x, payload) => {
    x.payload = payload;
  },
  fail,
};

/** The exchange whose `onError` hook is on the stack. */
let reportingExchange: Exchange | undefined;

/** Whether an `onError` hook of the exchange is on the stack. If so, a function that it calls may throw. */
export function isReportingNow(x: Exchange): boolean {
  return reportingExchange === x;
}

/** `onError`: a hook sees the error and changes nothing. If it fails, the other `onError` hooks do not run. */
export const errorHook: HookKind = {
  call: (x, app, done) => {
    const outer = reportingExchange;
    reportingExchange = x;
    try {
      return (app.declared as ErrorHook).call(app.self, x.request, x.reply, x.error as Error, () => done());
    } finally {
      reportingExchange = outer;
    }
  },
  replyState: 'reporting',
  fail: (x) => {
    while (x.steps[x.nextStep]!.name === 'onError') x.nextStep++;
    walk(x);
  },
};

/** The parameter `done` of `async` hooks. */
const ignoreDone: HookDone = () => {};

// HOT: once per hook. Each call creates two closures: for `done`, or for the promise.
/** Creates the function `run` of the steps of this kind of hook. */
export function hookRunner(kind: HookKind): RunStep {
  const { call, replyState } = kind;
  return (x, step) => {
    const { app } = step;
    const { responseEpoch, nextStep } = x;
    if (replyState !== undefined) x.replyState = replyState;
    if (app!.isAsync) {
      const promise = call(x, app!, ignoreDone) as Promise<unknown>;
      const value = peek(promise);
      if (value !== pending) settle(x, kind, responseEpoch, undefined, value);
      else
        promise.then(
          (value) => settle(x, kind, responseEpoch, undefined, value),
          (error) => settle(x, kind, responseEpoch, ensureError(error), undefined),
        );
      return false;
    }
    const done = doneOf(x, kind, responseEpoch);
    try {
      const result = call(x, app!, done);
      if (isThenable(result)) {
        if (x.plan.server.isDevelopment) loadMistakes().checkHookStyle(x, step);
        const value = peek(result);
        if (value !== pending) done(undefined, value);
        else
          result.then(
            (value) => done(undefined, value),
            (error) => done(ensureError(error)),
          );
      } else if (x.nextStep === nextStep) x.plan.server.unanswered?.add(x, responseEpoch);
    } catch (error) {
      done(ensureError(error));
    }
    // The next step runs inside `done`, so that an AsyncLocalStorage that was entered around it stays entered.
    return false;
  };
}

/** Creates `done`. A hook ends once; later calls have no effect. */
function doneOf(x: Exchange, kind: HookKind, responseEpoch: number): HookDone {
  let isSettled = false;
  return (error, value) => {
    if (!isSettled) {
      isSettled = true;
      settle(x, kind, responseEpoch, error, value);
    } else if (error !== undefined && error !== null) {
      log(x, 'warn', { err: error }, 'a hook failed after it had ended');
    }
  };
}

/** Ends a hook, and runs the next steps. */
function settle(x: Exchange, kind: HookKind, responseEpoch: number, error: unknown, value: unknown): void {
  const hasFailed = error !== undefined && error !== null;
  if (!isCurrent(x, responseEpoch)) {
    if (hasFailed) log(x, 'debug', { err: error }, 'a hook failed after the reply was sent');
    return;
  }
  if (kind.replyState !== undefined) x.replyState = 'replying';
  if (hasFailed) {
    kind.fail(x, ensureError(error));
    return;
  }
  if (value !== undefined) kind.accept?.(x, value);
  // Synchronous hooks make the stack deeper, so some of them continue in a microtask, which keeps the AsyncLocalStorage.
  if ((x.nextStep & 255) === 0) queueMicrotask(() => isCurrent(x, responseEpoch) && walk(x));
  else walk(x);
}

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

/** The class and the method of promises of async functions. An application may have replaced the global `Promise`. */
const { constructor: NativePromise, then } = (async () => {})();

/** What `peek` returns for a promise that it cannot read. */
export const pending: unique symbol = Symbol('pending');

// HOT: once per result of a handler or a hook (benchmarks `get` and `hooks` on Bun).
/**
 * Returns the value of a promise that is fulfilled; always `pending` on other runtimes than Bun, and for promises of another class. Their
 * `then` must be called, as `await` does, because a lazy promise begins its work there.
 */
export function peek(promise: PromiseLike<unknown>): unknown {
  // A proxy of a promise is an instance of the class, too. Of an object that is no promise, Bun would say that it is fulfilled.
  return bun !== undefined &&
    types.isPromise(promise) &&
    promise.constructor === NativePromise &&
    promise.then === then &&
    bun.peek.status(promise) === 'fulfilled'
    ? bun.peek(promise)
    : pending;
}
