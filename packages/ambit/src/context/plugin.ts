/** Gives a plugin a type for the context that it needs. */
import type { ContextOf } from '../contract/context.ts';
import type { ContextTypes, Needed } from '../contract/context-types.ts';
import type { PluginFunction } from '../contract/registration.ts';

/**
 * States what a plugin needs of the context that it is registered in: `plugin<{ context: { db: Db } }>()((context) => …)`. Where
 * the need is not met, registering it does not compile. At run time it is the plugin as it was given; what has to be there when it
 * starts, `hoist` and the ecosystem's metadata can demand.
 */
export function plugin<Needs extends Partial<ContextTypes>>(): <
  Options = Record<string, unknown>,
  Result = unknown,
>(
  fill: PluginFunction<Options, ContextOf<Needed<Needs>>, Result>,
) => PluginFunction<Options, ContextOf<Needed<Needs>>, Result> {
  return (fill) => fill;
}
