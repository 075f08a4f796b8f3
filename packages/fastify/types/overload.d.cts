/** The options of overload protection. Not in Fastify. */

/** The limit of concurrent requests of a context, and the response to further requests. */
export interface OverloadOptions {
  /** The lowest limit: an integer > 0. Default 10. */
  minLimit?: number;
  /** The highest limit: an integer >= `minLimit`. Default 1,000. */
  maxLimit?: number;
  /** The limit at the start. Default 20, or the nearest allowed value. */
  initialLimit?: number;
  /** The factor by which requests may be slower than usual before the limit decreases: a number >= 1. Default 2. */
  tolerance?: number;
  /** The mean delay of the event loop, in milliseconds, above which the limit decreases. Default 100. */
  maxEventLoopDelayMs?: number;
  /** The field `Retry-After` of refused requests, in seconds. Default 1. */
  retryAfterSeconds?: number;
}
