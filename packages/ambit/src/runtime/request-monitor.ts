/** Monitors a running request: its time limit, whether the client leaves, and the end of the response. */
import type { CodedError } from '../shared/define-error.ts';
import { ClientGone, HandlerTimedOut } from '../types/errors.ts';
import type { Exchange, RequestMonitor } from '../types/exchange.ts';
import { log, translateError } from './exchange.ts';
import { fail, runObservers } from './run-steps.ts';

/** Starts the timers and listeners that the plan needs. */
export function monitorRequest(x: Exchange): void {
  const { plan } = x;
  const { steps } = plan;
  if (plan.handlerTimeoutMs > 0) limitTime(x, plan.handlerTimeoutMs);
  if (steps.onResponse.length > 0) x.cacheRequestHead();
  if (plan.tracksCompletion) {
    monitorOf(x).startedAtMs = performance.now();
    x.onceFinished((error) => finish(x, error));
  }
  if (steps.onTimeout.length > 0) {
    addRelease(
      x,
      x.onSocketTimeout(() => runObservers(x, steps.onTimeout, () => {})),
    );
  }
  if (steps.onRequestAbort.length > 0) {
    x.onClientGone(() => {
      // The signal aborts first, so that hooks see that it is aborted.
      abortForClient(x);
      runObservers(x, steps.onRequestAbort, (error) => {
        if (error) log(x, 'error', { err: error }, 'onRequestAborted hook failed');
      });
    });
  }
}

/**
 * Fails the request when its time limit is over. Error handlers and hooks of the application then run, which may never end either. So the
 * last reply is sent after the same time again.
 */
function limitTime(x: Exchange, timeoutMs: number): void {
  monitorOf(x).deadlineMs = performance.now() + timeoutMs;
  const hasEnded = (): boolean => x.isEnded || x.isDestroyed || x.replyState === 'hijacked';
  const onTimeLimit = (): void => {
    if (hasEnded()) return;
    const error = translateError(x, new HandlerTimedOut(timeoutMs, x.plan.info.url));
    timer = setTimeout(() => {
      if (hasEnded()) return;
      log(x, 'error', { err: error }, 'no reply in time');
      x.nextFailureStep = x.plan.steps.failure.length - 1;
      failTimedOut(x, error);
    }, timeoutMs);
    abort(x, error);
    // A listener of the signal may have replied in the meantime.
    if (!hasEnded()) failTimedOut(x, error);
  };
  let timer = setTimeout(onTimeLimit, timeoutMs);
  const stopListening = x.onClientGone(() => {
    clearTimeout(timer);
    abortForClient(x);
  });
  addRelease(x, () => {
    clearTimeout(timer);
    stopListening();
  });
}

function failTimedOut(x: Exchange, error: CodedError): void {
  // The last reply keeps the status of an earlier error.
  if (x.nextFailureStep > x.plan.steps.defaultReplyAt && !x.isHeadWritten) x.status = error.statusCode;
  fail(x, error);
}

/** Removes timers and listeners when the response has ended or is hijacked. */
export function releaseMonitor(x: Exchange): void {
  const { monitor } = x;
  if (monitor === undefined) return;
  monitor.release?.();
  monitor.release = undefined;
}

/** Adds a function that `releaseMonitor` calls. */
export function addRelease(x: Exchange, undo: () => void): void {
  const monitor = monitorOf(x);
  const earlier = monitor.release;
  monitor.release = () => {
    earlier?.();
    undo();
  };
}

function finish(x: Exchange, error: Error | undefined): void {
  const { plan } = x;
  monitorOf(x).endedAtMs = performance.now();
  releaseMonitor(x);
  // Probes may have a time limit, but no hooks run for them, and they are not logged.
  if (plan.servesWhileClosing) return;
  if (plan.steps.onResponse.length === 0) {
    plan.logWriter.requestCompleted(error, x.request, x.reply);
    return;
  }
  runObservers(x, plan.steps.onResponse, (failure) =>
    plan.logWriter.requestCompleted(failure as Error | undefined, x.request, x.reply),
  );
}

/** The first call creates it. */
export function monitorOf(x: Exchange): RequestMonitor {
  x.monitor ??= {
    startedAtMs: 0,
    endedAtMs: 0,
    deadlineMs: Number.POSITIVE_INFINITY,
    abortReason: undefined,
    aborter: undefined,
    trace: undefined,
    ticket: undefined,
    release: undefined,
  };
  return x.monitor;
}

/** Returns the signal of a request. It aborts when the client leaves before the response has ended, or when the time limit is over. */
export function signalOf(x: Exchange): AbortSignal {
  const monitor = monitorOf(x);
  if (monitor.aborter === undefined) {
    monitor.aborter = new AbortController();
    if (monitor.abortReason !== undefined) monitor.aborter.abort(monitor.abortReason);
    // A client that leaves after its response is a normal end. If it has already left, there is no further event.
    else if (!x.isEnded) {
      if (x.isClientGone) abortForClient(x);
      else x.onClientGone(() => abortForClient(x));
    }
  }
  return monitor.aborter.signal;
}

/** Aborts the signal because the client has left. */
export function abortForClient(x: Exchange): void {
  if (monitorOf(x).abortReason === undefined) stopWork(x, new ClientGone());
}

/** Aborts the signal with a reason that is no failure: `fetch`, node and libraries recognize by its name that work was stopped. */
export function stopWork(x: Exchange, error: Error): void {
  const reason = translateError(x, error);
  reason.name = 'AbortError';
  abort(x, reason);
}

/** Aborts the signal. A second call changes neither the signal nor its reason. */
function abort(x: Exchange, reason: Error): void {
  const monitor = monitorOf(x);
  monitor.abortReason ??= reason;
  monitor.aborter?.abort(monitor.abortReason);
}

/** Returns the milliseconds until the time limit of the request is over: at least 0, or `Infinity` without a limit. */
export function remainingMsOf(x: Exchange): number {
  const { monitor } = x;
  if (monitor === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, monitor.deadlineMs - performance.now());
}
