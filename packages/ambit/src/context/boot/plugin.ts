/** Declares the type of the context that a plugin needs. */
import type { ContextOf } from '../../types/context.ts';
import type { ContextTypes, Needed } from '../../types/context-types.ts';
import type { PluginFunction } from '../../types/plugins.ts';

/**
 * Declares what a plugin needs of the context that it is registered in: `plugin<{ context: { db: Db } }>()((context) => …)`. If the context
 * does not have it, `register` does not compile. It has no effect at run time: to check at run time, use the option `decorators` of
 * `hoist`.
 *
 * @returns A function that takes the plugin and returns it.
 */
export function plugin<Needs extends Partial<ContextTypes>>(): <
  Options = Record<string, unknown>,
  Result = unknown,
>(
  fill: PluginFunction<Options, ContextOf<Needed<Needs>>, Result>,
) => PluginFunction<Options, ContextOf<Needed<Needs>>, Result> {
  return (fill) => fill;
}
