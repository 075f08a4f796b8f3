/** Computes `request.signal`, and the time that is left for a request. They cost nothing before they are first read. */
import { ClientGone } from '../types/errors.ts';
import type { Exchange } from '../types/exchange.ts';
import { monitorOf } from './monitor-of.ts';
import { translateError } from './prepare-error.ts';

/** Returns the signal of a request. It aborts when the client leaves before the response has ended, or when the time limit is over. */
export function signalOf(x: Exchange): AbortSignal {
  const monitor = monitorOf(x);
  if (monitor.aborter === undefined) {
    monitor.aborter = new AbortController();
    if (monitor.abortReason !== undefined) monitor.aborter.abort(monitor.abortReason);
    // The client has already left, so there is no further event. A client that leaves after its response is a normal end.
    else if (x.isClientGone) abortUnlessEnded(x);
    else if (!x.isEnded) x.onClientGone(() => abortForClient(x));
  }
  return monitor.aborter.signal;
}

function abortUnlessEnded(x: Exchange): void {
  if (!x.isEnded) abortForClient(x);
}

/** Aborts the signal because the client has left. */
export function abortForClient(x: Exchange): void {
  const monitor = monitorOf(x);
  if (monitor.abortReason !== undefined) return;
  const reason = translateError(x, new ClientGone());
  // `fetch`, node and libraries recognize by this name that work was stopped and has not failed.
  reason.name = 'AbortError';
  abort(x, reason);
}

/** Aborts the signal. A second call changes neither the signal nor its reason. */
export function abort(x: Exchange, reason: Error): void {
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
