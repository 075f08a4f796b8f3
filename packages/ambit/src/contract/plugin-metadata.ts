/** What plugins declare about themselves, under the markers of the ecosystem. */

/** Set on a plugin that fills its parent's context. */
export const hoistMarker: unique symbol = Symbol.for('skip-override');

/** The name that a plugin is shown under. */
export const displayNameMarker: unique symbol = Symbol.for('fastify.display-name');

/** Holds a plugin's metadata. */
export const metadataMarker: unique symbol = Symbol.for('plugin-meta');

/** What a plugin declares about itself. */
export interface PluginMetadata {
  /** The name of the plugin, by which others depend on it. */
  name?: string;
  /** Semver range of the Fastify API level that the plugin was written for. */
  fastify?: string;
  /** Names of plugins that must be registered before it. */
  dependencies?: readonly string[];
  /** Decorators that must exist where the plugin is registered. */
  decorators?: {
    fastify?: readonly (string | symbol)[];
    request?: readonly (string | symbol)[];
    reply?: readonly (string | symbol)[];
  };
}

/** A function that carries the markers. */
export interface MarkedPlugin {
  /** Whether the plugin fills the context that it is registered in. */
  [hoistMarker]?: boolean;
  /** The name that is shown for the plugin. */
  [displayNameMarker]?: string;
  /** What the plugin declares about itself. */
  [metadataMarker]?: PluginMetadata;
}
