/** Watches over a running exchange: its time limit, the client going away, the end of the response. */
import { HandlerTimedOut } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import { fail } from './fail.ts';
import { callAbortWatcher, callWatcher, runWatchers } from './phases.ts';

/** Sets up only what the plan asks for. */
export function watch(x: Exchange): void {
  const { plan } = x;
  if (plan.handlerTimeoutMs > 0) limitTime(x, plan.handlerTimeoutMs);
  if (plan.observesEnd) {
    x.startedAtMs = performance.now();
    x.onceFinished((error) => finish(x, error));
  }
  if (plan.onTimeout.length > 0) {
    addRelease(x, x.onSocketTimeout(() => runWatchers(plan.onTimeout, callWatcher(x), () => {})));
  }
  if (plan.onRequestAbort.length > 0) {
    x.onRequestClose(() => {
      if (!x.isAborted) return;
      runWatchers(plan.onRequestAbort, callAbortWatcher(x), (error) => {
        if (error) x.log.error({ err: error }, 'onRequestAborted hook failed');
      });
    });
  }
}

/** The signal of a request: aborts with the client, or with the time limit that `watch` set before. */
export function signalOf(x: Exchange): AbortSignal {
  if (x.aborter === undefined) {
    const aborter = new AbortController();
    x.aborter = aborter;
    x.onRequestClose(() => {
      if (!aborter.signal.aborted) aborter.abort();
    });
  }
  return x.aborter.signal;
}

function limitTime(x: Exchange, timeoutMs: number): void {
  const aborter = new AbortController();
  x.aborter = aborter;
  const timer = setTimeout(() => {
    if (x.isEnded || x.isHijacked) return;
    const error = new HandlerTimedOut(timeoutMs, x.plan.info.url);
    aborter.abort(error);
    // A listener of the signal may have answered meanwhile.
    if (!x.isEnded && !x.isHijacked) fail(x, error);
  }, timeoutMs);
  const stopListening = x.onRequestClose(() => {
    clearTimeout(timer);
    if (!aborter.signal.aborted) aborter.abort();
  });
  addRelease(x, () => {
    clearTimeout(timer);
    stopListening();
  });
}

/** What holds on to timers, listeners or the socket is let go with the response, or when it is hijacked. */
function addRelease(x: Exchange, undo: () => void): void {
  const earlier = x.release;
  x.release = earlier === undefined ? undo : () => (earlier(), undo());
}

function finish(x: Exchange, error: Error | undefined): void {
  const { plan } = x;
  x.endedAtMs = performance.now();
  x.release?.();
  x.release = undefined;
  if (plan.onResponse.length === 0) {
    plan.logLines.requestCompleted(error, x.request, x.reply);
    return;
  }
  runWatchers(plan.onResponse, callWatcher(x), (failure) =>
    plan.logLines.requestCompleted(failure as Error | undefined, x.request, x.reply),
  );
}
