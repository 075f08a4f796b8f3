/** Creates the monitor of a request, if the request needs one. */
import type { Exchange, RequestMonitor } from '../types/exchange.ts';

/** Returns the monitor of a request. The first call creates it. */
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
