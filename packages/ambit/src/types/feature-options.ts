/** The options of health checks and of overload protection, and what applications see of these while they run. */

/** The paths of the routes for probes. */
export interface HealthOptions {
  /** The path of liveness: 200 as long as the process serves requests; no dependency is checked. `false` for none. Default `/livez`. */
  live?: string | false;
  /** The path of readiness: 200, or 503 if the application stops or a check fails. `false` for none. Default `/readyz`. */
  ready?: string | false;
}

/** How a readiness check runs. */
export interface ReadinessCheckOptions {
  /** The longest time that the check may take, in milliseconds, before it counts as failed: an integer > 0. Default 800. */
  timeoutMs?: number;
  /** How long a result is cached, in milliseconds: an integer >= 0. Default 1,000. */
  cacheMs?: number;
}

/** Checks a dependency: fails if it throws, rejects or returns `false`. @param signal Aborts when the time limit is over. */
export type ReadinessCheckFunction<This = unknown> = (this: This, signal: AbortSignal) => unknown;

/** How many requests a context serves at the same time, and how it refuses the others. */
export interface OverloadOptions {
  /** The lowest limit: an integer > 0. Default 10. */
  minLimit?: number;
  /** The highest limit: an integer >= `minLimit`. Default 1,000. */
  maxLimit?: number;
  /** The limit at the start: an integer from `minLimit` to `maxLimit`. Default 20, or the nearest value that is allowed. */
  initialLimit?: number;
  /** How many times its usual duration a request may take before the limit shrinks: a number >= 1. Default 2. */
  tolerance?: number;
  /** The limit shrinks whenever the mean delay of the event loop, in milliseconds, is longer than this: an integer > 0. Default 100. */
  maxEventLoopDelayMs?: number;
  /** The field `Retry-After` of refused requests, in seconds: an integer >= 0. Default 1. */
  retryAfterSeconds?: number;
}

/** The options with their defaults. */
export type OverloadSettings = Readonly<Required<OverloadOptions>>;

/** Which requests are refused first: `low` may use half of the limit, `high` one and a half; `critical` is never refused. */
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

/** The overload protection of a context, as its plans use it. */
export interface Admission<Exchange = unknown> {
  /** Admits a request, or refuses it with an error reply. Returns whether it was admitted. */
  admit(x: Exchange): boolean;
  /** Called before the body is received: a request that waits for a slow client does not count, because it must not block others. */
  pause(x: Exchange): boolean;
  /** Called when the body of the request has been received. */
  resume(x: Exchange): boolean;
  /** Called when the request has its reply, because the time that the client takes to read it is not load. */
  leave(x: Exchange): boolean;
}

/** A request that was admitted. */
export interface AdmissionTicket {
  /** When its duration began, on the clock of `performance.now()`, plus the time that it waited for its body. */
  sinceMs: number;
  /** When the wait for its body began; 0 while it does not wait. */
  pausedAtMs: number;
  /** The turn of the event loop that admitted it; 0 if that does not matter. */
  turn: number;
  hasLeft: boolean;
}
