/** The methods of a context for overload protection. */
import type { OverloadOptions } from '../overload.ts';

/** Sets how many requests a context serves at the same time. */
export interface OverloadMethods {
  /**
   * Gives this context and its children an overload protection of their own. Their requests do not count for the context around them.
   *
   * @param options Its options, `true` for every default, or `false` for no protection here.
   * @throws {AMBIT_ERR_OPTION_INVALID} for a value that is not valid.
   * @throws {AMBIT_ERR_UNKNOWN_OPTION} for an option that does not exist, with the nearest name.
   * @throws {FST_ERR_INSTANCE_ALREADY_LISTENING} once the application has booted.
   */
  setOverload(options: OverloadOptions | boolean): this;
}
