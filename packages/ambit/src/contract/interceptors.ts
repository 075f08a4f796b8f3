/**
 * What a facade does in files of its own, since agents look for it there: some patch functions of Fastify by name and file to wrap what they
 * are given, some find the version of Fastify by the file that publishes.
 */
import type { Context } from './context.ts';

export interface Interceptors {
  /** Publishes a new application on the diagnostics channel `fastify.initialization`. */
  publish(application: Context): void;
  /** @returns The hook to add. */
  addHook<Hook>(name: string, hook: Hook): Hook;
  /** @returns The value that a context is decorated with. */
  decorate(name: string | symbol, value: unknown): unknown;
}
