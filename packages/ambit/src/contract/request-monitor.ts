/** The clocks, timers and listeners of one request. */
import type { AdmissionTicket } from './overload.ts';
import type { RequestTrace } from './tracing.ts';

/** A request that is published on diagnostics channels. */
export interface PublishedTrace extends RequestTrace {
  /** Publishes an error that the request has failed with. */
  fail(error: unknown): void;
}

/** What watches over one exchange. */
export interface RequestMonitor {
  startedAtMs: number;
  endedAtMs: number;
  /** When the time limit is over, on the clock of `performance.now()`; `Infinity` without a limit. */
  deadlineMs: number;
  /** Why the signal aborts, also while nobody has read the signal. */
  abortReason: Error | undefined;
  /** Made when the signal is first read. */
  aborter: AbortController | undefined;
  /** What is published about the request; `undefined` while nobody has subscribed. */
  trace: PublishedTrace | undefined;
  /** Where the request counts for overload protection; `undefined` elsewhere. */
  ticket: AdmissionTicket | undefined;
  /** Undoes timers and listeners once the response has ended. */
  release: (() => void) | undefined;
}
