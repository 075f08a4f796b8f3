/** Wraps plugins so that one that throws fails the boot, where avvio would let the exception escape into the process. */
import type { Done, PluginFunction } from '../contract/context.ts';
import { displayNameMarker, type MarkedPlugin } from '../contract/plugin.ts';
import { isThenable } from '../kit/thenable.ts';

type AnyPlugin = PluginFunction & MarkedPlugin;

const originals = new WeakMap<object, AnyPlugin>();

/** The plugin inside a function, an ES module or a promise, guarded. Anything else is left for avvio to refuse. */
export function guardPlugin(plugin: unknown): unknown {
  if (typeof plugin === 'function') return guardFunction(plugin as AnyPlugin);
  if (isThenable(plugin)) return plugin.then(guardPlugin);
  const { default: inner } = Object(plugin) as { default?: unknown };
  return typeof inner === 'function' ? guardFunction(inner as AnyPlugin) : plugin;
}

/** The plugin behind a guard. */
export function originalPlugin(guarded: object): AnyPlugin {
  return originals.get(guarded) ?? (guarded as AnyPlugin);
}

function guardFunction(plugin: AnyPlugin): AnyPlugin {
  const guarded = function (this: unknown, context: never, options: never, done: Done): unknown {
    try {
      return plugin.call(this as never, context, options, done);
    } catch (error) {
      done((error ?? new Error('the plugin threw nothing')) as Error);
      return undefined;
    }
  } as AnyPlugin;
  // Avvio counts parameters to tell the styles apart, and shows the name or the text.
  Object.defineProperties(guarded, {
    length: { value: plugin.length },
    name: { value: plugin.name },
    toString: { value: () => plugin.toString() },
  });
  const shown = plugin[displayNameMarker];
  if (shown !== undefined) guarded[displayNameMarker] = shown;
  originals.set(guarded, plugin);
  return guarded;
}
