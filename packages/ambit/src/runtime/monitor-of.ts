/** Where a request keeps its clocks, timers and listeners. They are made for requests that need one of them. */
import type { Exchange } from '../contract/exchange.ts';
import type { RequestMonitor } from '../contract/request-monitor.ts';

/** What watches over a request. The first call creates it. */
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
