/**
 * What a facade does in files of its own, since agents look for it there: some patch functions of Fastify by name and file to wrap what they
 * are given, some find the version of Fastify by the file that publishes.
 */
import type { Context } from './context.ts';

/** Functions of a facade that are called in place of the framework's own. */
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
