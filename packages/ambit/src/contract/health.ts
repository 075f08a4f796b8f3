/** The options of health checks: the routes for probes, and the checks of dependencies that readiness runs. */

/** The paths of the routes for probes. */
export interface HealthOptions {
  /**
   * The path of liveness: it answers 200 as long as the process serves requests, and checks no dependency. `false` for none. Default
   * `/livez`.
   */
  live?: string | false;
  /**
   * The path of readiness: it answers 200 if the application should get requests, and 503 if it stops or if a check fails. `false` for
   * none. Default `/readyz`.
   */
  ready?: string | false;
}

/** How a readiness check runs. */
export interface ReadinessCheckOptions {
  /** The longest time that the check may take, in milliseconds, before it counts as failed: an integer > 0. Default 800. */
  timeoutMs?: number;
  /** How long a result is cached, in milliseconds: an integer >= 0. Default 1,000. */
  cacheMs?: number;
}

/**
 * Checks a dependency. The check fails if the function throws, if its promise rejects, or if the result is `false`.
 *
 * @param signal Aborts when the time limit is over.
 */
export type ReadinessCheckFunction<This = unknown> = (this: This, signal: AbortSignal) => unknown;
