/** Owns `request.signal`, and the time that a request has left: made when they are first read, so that others pay nothing for them. */
import { ClientGone } from '../contract/errors.ts';
import type { Exchange } from '../contract/exchange.ts';
import { monitorOf } from './monitor-of.ts';
import { translateError } from './prepare-error.ts';

/** The signal of a request. It aborts when the client leaves before the response has ended, or when the time limit is over. */
export function signalOf(x: Exchange): AbortSignal {
  const monitor = monitorOf(x);
  if (monitor.aborter === undefined) {
    monitor.aborter = new AbortController();
    if (monitor.abortReason !== undefined) monitor.aborter.abort(monitor.abortReason);
    // No event will come any more. A client may leave after its response: that is a normal end.
    else if (x.isClientGone) abortUnlessEnded(x);
    else if (!x.isEnded) x.onClientGone(() => abortForClient(x));
  }
  return monitor.aborter.signal;
}

function abortUnlessEnded(x: Exchange): void {
  if (!x.isEnded) abortForClient(x);
}

/** The client has left. */
export function abortForClient(x: Exchange): void {
  const monitor = monitorOf(x);
  if (monitor.abortReason !== undefined) return;
  const reason = translateError(x, new ClientGone());
  // What `fetch`, node and libraries look for to tell that work was stopped, and has not failed.
  reason.name = 'AbortError';
  abort(x, reason);
}

/** Aborts the signal. A second call changes neither the signal nor its reason. */
export function abort(x: Exchange, reason: Error): void {
  const monitor = monitorOf(x);
  monitor.abortReason ??= reason;
  monitor.aborter?.abort(monitor.abortReason);
}

/** The milliseconds until the time limit of the request is over: at least 0, or `Infinity` without a limit. */
export function remainingMsOf(x: Exchange): number {
  const { monitor } = x;
  if (monitor === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(0, monitor.deadlineMs - performance.now());
}
