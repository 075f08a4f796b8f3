/** The clocks, timers and listeners of one request. */
import type { AdmissionTicket } from './overload.ts';
import type { RequestTrace } from './tracing.ts';

/** A request that is published on diagnostics channels. */
export interface PublishedTrace extends RequestTrace {
  /** Publishes an error that the request has failed with. */
  fail(error: unknown): void;
}

/** The clocks, timers and listeners of one exchange. */
export interface RequestMonitor {
  startedAtMs: number;
  endedAtMs: number;
  /** When the time limit ends, on the clock of `performance.now()`; `Infinity` without a limit. */
  deadlineMs: number;
  /** Why the signal aborted. It is set even if nothing has read the signal. */
  abortReason: Error | undefined;
  /** Created when the signal is first read. */
  aborter: AbortController | undefined;
  /** What is published about the request; `undefined` while nobody has subscribed. */
  trace: PublishedTrace | undefined;
  /** Set if the request counts for overload protection. */
  ticket: AdmissionTicket | undefined;
  /** Undoes timers and listeners once the response has ended. */
  release: (() => void) | undefined;
}
