/** The methods of a context for health checks. */
import type { ReadinessCheckFunction, ReadinessCheckOptions } from '../health.ts';

/** Adds checks of dependencies. */
export interface HealthMethods {
  /**
   * Adds a check of something that the routes of this context need: a database, a queue. Readiness answers 503 while it fails. Without the
   * option `health` of the application, the check never runs.
   *
   * @param name Names the check in the response of readiness, and in the log. A context and its children must not use a name twice.
   * @param check Throws, rejects or returns `false` if the dependency is not there. `this` is the context.
   * @param options Default: every default of `ReadinessCheckOptions`.
   * @throws {AMBIT_ERR_OPTION_INVALID} for a name, a function or an option that is not valid, or for a name that is in use.
   * @throws {AMBIT_ERR_UNKNOWN_OPTION} for an option that does not exist, with the nearest name.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  addReadinessCheck(name: string, check: ReadinessCheckFunction<this>, options?: ReadinessCheckOptions): this;
}
