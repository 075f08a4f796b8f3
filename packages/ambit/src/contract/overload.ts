/** The options of overload protection, and what a running application tells about it. */

/** How many requests a context serves at the same time, and what it answers to the rest. */
export interface OverloadOptions {
  /** The limit is never lower: an integer > 0. Default 10. */
  minLimit?: number;
  /** The limit is never higher: an integer >= `minLimit`. Default 1,000. */
  maxLimit?: number;
  /** The limit at the start: an integer from `minLimit` to `maxLimit`. Default 20, or the nearest value that is allowed. */
  initialLimit?: number;
  /** How many times its usual duration a request may take before the limit shrinks: a number >= 1. Default 2. */
  tolerance?: number;
  /** The mean delay of the event loop, in milliseconds, from which on the limit shrinks whatever requests take: an integer > 0. Default 100. */
  maxEventLoopDelayMs?: number;
  /** The field `Retry-After` of refused requests, in seconds: an integer >= 0. Default 1. */
  retryAfterSeconds?: number;
}

/** The options with their defaults. */
export type OverloadSettings = Readonly<Required<OverloadOptions>>;

/**
 * Which requests are refused first. `low` may use half of the limit, `normal` the limit, `high` half as much again; `critical` is never
 * refused, but counts.
 */
export type Priority = 'low' | 'normal' | 'high' | 'critical';

/** How a route takes part in the overload protection of its context. */
export interface RouteOverloadOptions {
  /** Default `normal`. */
  priority?: Priority;
}

/** What the overload protection of a context does at the moment. */
export interface OverloadState {
  /** How many requests of priority `normal` may run at the same time. */
  readonly limit: number;
  /** How many requests run: admitted, and not answered. Those whose body is being received do not count. */
  readonly inFlight: number;
  /** How many requests were admitted since the start. */
  readonly admitted: number;
  /** How many requests were refused since the start. */
  readonly refused: number;
}

/** What a plan knows of the overload protection of its context. */
export interface Admission<Exchange = unknown> {
  /** Takes in a request, or answers it. Returns whether it may go on. */
  admit(x: Exchange): boolean;
  /** The body of the request is going to be received: until then, it waits for its client. */
  pause(x: Exchange): void;
  /** The body of the request has been received. */
  resume(x: Exchange): void;
  /** The request has its reply. */
  leave(x: Exchange): void;
}

/** A request that was admitted. */
export interface AdmissionTicket {
  /** From when on it counts, on the clock of `performance.now()`; moved on by what it waited for its body. */
  sinceMs: number;
  /** When the wait for its body began; 0 while it does not wait. */
  pausedAtMs: number;
  /** The turn of the event loop that admitted it; 0 where that does not matter. */
  turn: number;
  hasLeft: boolean;
}
