/** The options of overload protection, which Fastify has not. */

/** How many requests a context serves at the same time, and what it answers to the rest. */
export interface OverloadOptions {
  /** The limit is never lower: an integer > 0. Default 10. */
  minLimit?: number;
  /** The limit is never higher: an integer >= `minLimit`. Default 1,000. */
  maxLimit?: number;
  /** The limit at the start. Default 20, or the nearest value that is allowed. */
  initialLimit?: number;
  /** How many times its usual duration a request may take before the limit shrinks: a number >= 1. Default 2. */
  tolerance?: number;
  /** The mean delay of the event loop, in milliseconds, from which on the limit shrinks. Default 100. */
  maxEventLoopDelayMs?: number;
  /** The field `Retry-After` of refused requests, in seconds. Default 1. */
  retryAfterSeconds?: number;
}
