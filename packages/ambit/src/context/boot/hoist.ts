/**
 * Marks plugins as hoisted (specification 1.7), and reads the mark (1.9). `open-plugin-context.ts` then gives them the context of their
 * parent.
 */
import type { Context, MinimalContext } from '../../types/context.ts';
import { PluginMetadataInvalid } from '../../types/errors.ts';
import {
  displayNameMarker,
  type HoistedPlugin,
  hoistMarker,
  type MarkedPlugin,
  metadataMarker,
  type PluginFunction,
  type PluginMetadata,
  type PluginResultTypes,
} from '../../types/plugins.ts';
import { checkSpelling, type KnownNames } from '../options/check-spelling.ts';

/** What a hoisted plugin may declare about itself. */
export interface HoistOptions extends PluginMetadata {
  /** The name under which others depend on it. */
  name?: string;
}

const spelling: KnownNames = { known: ['name', 'fastify', 'dependencies', 'decorators'] };

/**
 * Makes a plugin fill the context that it is registered in, instead of a child context of its own: its decorators, hooks, routes and
 * schemas belong to that context.
 *
 * TypeScript knows what the plugin adds if the plugin returns the context that its last chained call returned.
 *
 * @param plugin A function, or an ES module whose default export is one. It is marked in place.
 * @param details A name, or the name, the dependencies and the decorators that must exist when the plugin is registered.
 * @returns The plugin.
 * @throws {AMBIT_ERR_PLUGIN_METADATA} if the plugin is not a function, or the details are neither an object nor a name.
 * @throws {AMBIT_ERR_UNKNOWN_OPTION} for a detail that looks misspelled.
 */
export function hoist<Options = Record<string, unknown>, In = Context, Result = unknown>(
  plugin: PluginFunction<Options, In, Result> | { default: PluginFunction<Options, In, Result> },
  details: HoistOptions | string = {},
): HoistedPlugin<Options, MinimalContext<In>, PluginResultTypes<Result>> {
  type Marked = HoistedPlugin<Options, MinimalContext<In>, PluginResultTypes<Result>>;
  const marked = (typeof plugin === 'function' ? plugin : plugin?.default) as unknown as Marked;
  if (typeof marked !== 'function') {
    throw new PluginMetadataInvalid(
      `hoist expects a function, instead got ${plugin === null ? 'null' : typeof plugin}`,
    );
  }
  const metadata: PluginMetadata = typeof details === 'string' ? { name: details } : { ...details };
  if (
    typeof details !== 'string' &&
    (typeof details !== 'object' || details === null || Array.isArray(details))
  ) {
    throw new PluginMetadataInvalid('hoist expects an object or a name as its second argument');
  }
  checkSpelling(metadata, spelling, 'hoist', { checksDeclarations: true });
  metadata.name ??= marked.name || 'anonymous';
  marked[hoistMarker] = true;
  marked[displayNameMarker] = metadata.name;
  marked[metadataMarker] = metadata;
  return marked;
}

export function isHoisted(plugin: PluginFunction & MarkedPlugin): boolean {
  return Boolean(plugin[hoistMarker]);
}
