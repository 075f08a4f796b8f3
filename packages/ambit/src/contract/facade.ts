/** What a facade passes to `ambit()`: the identity of an application, and how it differs. */
import type { Compatibility } from './compatibility.ts';
import type { Context } from './context.ts';

/** The identity of an application, and its compatibility. A facade passes its own to `ambit()`. */
export interface Flavor {
  /** The first name in `pluginName`. */
  readonly name: string;
  /** The version that the application reports. */
  readonly version: string;
  /** The level of the ecosystem's API that plugin version ranges are checked against; by default the version. */
  readonly apiLevel?: string;
  /** How the application behaves where `ambit` and Fastify 5 differ. */
  readonly compatibility: Compatibility;
  /** Functions of the facade that are called in place of the framework's own. */
  readonly interceptors?: Interceptors;
  /** The URL of the facade's module: errors at boot name the file that called it. */
  readonly module?: string;
}

/**
 * Functions of a facade that are called in place of the framework's own. A facade has them in files of its own because monitoring agents
 * look for them there: some agents patch functions of Fastify by name and file, to wrap their arguments; others take the version of Fastify
 * from the package of the file that publishes.
 */
export interface Interceptors {
  /**
   * Publishes a new application on the diagnostics channel `fastify.initialization`.
   *
   * @param application The root context.
   */
  publish(application: Context): void;
  /**
   * Called with each hook that is added.
   *
   * @param name Its name.
   * @param hook The function.
   * @returns The hook to add.
   */
  addHook<Hook>(name: string, hook: Hook): Hook;
  /**
   * Called with each decorator of a context.
   *
   * @param name Its name.
   * @param value Its value.
   * @returns The value to decorate the context with.
   */
  decorate(name: string | symbol, value: unknown): unknown;
}
