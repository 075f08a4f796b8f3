/** Wraps plugins so that one that throws fails the boot, where avvio would let the exception escape into the process. */
import type { Done } from '../contract/callback.ts';
import type { PluginFunction } from '../contract/context.ts';
import { PluginTimeout } from '../contract/errors.ts';
import { displayNameMarker, type MarkedPlugin, metadataMarker } from '../contract/plugin.ts';
import type { CallSite } from '../kit/call-site.ts';
import { isThenable } from '../kit/thenable.ts';
import type { BootStep } from './boot-step.ts';
import { errorOf, strictDone } from './error-of.ts';

type AnyPlugin = PluginFunction & MarkedPlugin;

/** Where `register` was called: in which code, and in which step of boot. */
export interface RegistrationOrigin {
  readonly site: CallSite;
  readonly step: BootStep;
}

/** One call of `register`: the same plugin may be registered many times. */
export interface Registration extends RegistrationOrigin {
  readonly plugin: AnyPlugin;
}

const registrations = new WeakMap<object, Registration>();

/**
 * The plugin inside a function, an ES module or a promise, guarded. Anything else is left for avvio to refuse.
 *
 * @param timeoutMs Longest time until a promise settles; 0 is no limit. Avvio counts from when it has the function.
 */
export function guardPlugin(plugin: unknown, origin: RegistrationOrigin, timeoutMs: number): unknown {
  if (typeof plugin === 'function') return guardFunction({ ...origin, plugin: plugin as AnyPlugin });
  if (isThenable(plugin)) {
    return inTime(plugin, origin.site, timeoutMs).then((loaded) => guardPlugin(loaded, origin, timeoutMs));
  }
  const { default: inner } = Object(plugin) as { default?: unknown };
  return typeof inner === 'function' ? guardFunction({ ...origin, plugin: inner as AnyPlugin }) : plugin;
}

function inTime(plugin: PromiseLike<unknown>, site: CallSite, timeoutMs: number): Promise<unknown> {
  if (timeoutMs === 0) return Promise.resolve(plugin);
  return new Promise((resolve, reject) => {
    const step = 'the promise given to `register` has not settled';
    const give = (): void =>
      reject(PluginTimeout.at({ where: { file: site.place, step } }, `Plugin did not load in time: ${step}`));
    const timer = setTimeout(give, timeoutMs);
    plugin.then(resolve, reject).then(() => clearTimeout(timer));
  });
}

/** The registration behind a guard. */
export function registrationOf(guarded: unknown): Registration | undefined {
  return registrations.get(Object(guarded));
}

function guardFunction(registration: Registration): AnyPlugin {
  const { plugin } = registration;
  const guarded = function (this: unknown, context: never, options: never, done: Done): unknown {
    try {
      const result: unknown = plugin.call(this as never, context, options, strictDone(done, 'the plugin'));
      if (!isThenable(result)) return result;
      return new Promise<void>((resolve, reject) => {
        result.then(
          () => resolve(),
          (error) => reject(errorOf(error, 'the plugin')),
        );
      });
    } catch (error) {
      done(errorOf(error, 'the plugin'));
      return undefined;
    }
  } as AnyPlugin;
  // Avvio counts parameters to tell the styles apart, and shows the name or the text.
  Object.defineProperties(guarded, {
    length: { value: plugin.length },
    name: { value: plugin.name },
    toString: { value: () => plugin.toString() },
  });
  const shown = plugin[metadataMarker]?.name ?? plugin[displayNameMarker];
  if (shown !== undefined) guarded[metadataMarker] = { name: shown };
  registrations.set(guarded, registration);
  return guarded;
}
