/** The markers by which plugins of the ecosystem describe themselves, and the names we read them under. */
import type { LogSerializers } from './logger.ts';

/** Set on a plugin that fills its parent's context. */
export const hoistMarker: unique symbol = Symbol.for('skip-override');

/** The name that a plugin is shown under. */
export const displayNameMarker: unique symbol = Symbol.for('fastify.display-name');

/** Holds a plugin's metadata. */
export const metadataMarker: unique symbol = Symbol.for('plugin-meta');

/** What a plugin declares about itself. */
export interface PluginMetadata {
  name?: string;
  /** Semver range of the Fastify API level that it was written for. */
  fastify?: string;
  /** Names of plugins that must be registered before it. */
  dependencies?: readonly string[];
  /** Decorators that must be visible where it is registered. */
  decorators?: {
    fastify?: readonly (string | symbol)[];
    request?: readonly (string | symbol)[];
    reply?: readonly (string | symbol)[];
  };
  encapsulate?: boolean;
}

/** Options that `register` itself understands; the rest is the plugin's. */
export interface RegisterOptions {
  /** Put before the URL of every route in the plugin. */
  prefix?: string;
  /** The level of the loggers of the plugin's requests. */
  logLevel?: string;
  /** How fields of the log lines of the plugin's requests are written. */
  logSerializers?: LogSerializers;
  /** What the plugin is called where it has no name of its own. */
  name?: string;
}

/** A function that carries the markers. */
export interface MarkedPlugin {
  [hoistMarker]?: boolean;
  [displayNameMarker]?: string;
  [metadataMarker]?: PluginMetadata;
}
