/** Wraps plugins so that one that throws fails the boot, where avvio would let the exception escape into the process. */

import { PluginInvalid, PluginTimeout } from '../contract/errors.ts';
import type { Done } from '../contract/hooks.ts';
import { displayNameMarker, type MarkedPlugin, metadataMarker } from '../contract/plugin.ts';
import type { PluginFunction } from '../contract/registration.ts';
import type { CallSite } from '../shared/call-site.ts';
import { isGeneratorFunction, isThenable } from '../shared/thenable.ts';
import type { BootStep } from './boot-step.ts';
import { strictDone } from './error-of.ts';

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

/** What guards are made with. */
export interface GuardSettings {
  /** Longest time until a promise of a plugin settles; 0 is no limit. Avvio counts from when it has the function. */
  readonly timeoutMs: number;
  /** What a plugin without a name is called. */
  nameOf(plugin: AnyPlugin, origin: RegistrationOrigin): string;
  /** What boot fails with when a plugin has thrown something, or its promise before it was known. */
  failure(origin: RegistrationOrigin | Registration, thrown: unknown): unknown;
}

const registrations = new WeakMap<object, Registration>();

/** The plugin inside a function, an ES module or a promise, guarded. Anything else is left for avvio to refuse. */
export function guardPlugin(plugin: unknown, origin: RegistrationOrigin, settings: GuardSettings): unknown {
  if (isThenable(plugin)) return guardPromise(plugin, origin, settings);
  const { default: inner } = Object(plugin) as { default?: unknown };
  const fill = typeof plugin === 'function' ? plugin : inner;
  if (isGeneratorFunction(fill))
    throw new PluginInvalid('Plugin must not be a generator function: its body would not run');
  return typeof fill === 'function' ? guardFunction(fill as AnyPlugin, origin, settings) : plugin;
}

/** Avvio takes what comes out of a promise as it is: it has to be a plugin, or an error. */
async function guardPromise(
  promise: PromiseLike<unknown>,
  origin: RegistrationOrigin,
  settings: GuardSettings,
): Promise<unknown> {
  try {
    const loaded = await inTime(promise, origin.site, settings.timeoutMs);
    const guarded = guardPlugin(loaded, origin, settings);
    if (typeof guarded === 'function') return guarded;
    throw new PluginInvalid(`Plugin must be a function or a promise. Received: '${typeof loaded}'`);
  } catch (error) {
    throw settings.failure(origin, error);
  }
}

function inTime(plugin: PromiseLike<unknown>, site: CallSite, timeoutMs: number): PromiseLike<unknown> {
  if (timeoutMs === 0) return plugin;
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

function guardFunction(plugin: AnyPlugin, origin: RegistrationOrigin, settings: GuardSettings): AnyPlugin {
  const registration: Registration = { ...origin, plugin };
  const failure = (thrown: unknown): Error => settings.failure(registration, thrown) as Error;
  const guarded = function (this: unknown, context: never, options: never, done: Done): unknown {
    try {
      const result: unknown = plugin.call(this as never, context, options, strictDone(done, failure));
      if (!isThenable(result)) return result;
      return new Promise<void>((resolve, reject) => {
        result.then(
          () => resolve(),
          (error) => reject(failure(error)),
        );
      });
    } catch (error) {
      done(failure(error));
      return undefined;
    }
  } as AnyPlugin;
  // Avvio counts parameters to tell the styles apart, and shows the name or the text.
  Object.defineProperties(guarded, {
    length: { value: plugin.length },
    name: { value: plugin.name },
    toString: { value: () => settings.nameOf(plugin, origin) },
  });
  const shown = plugin[metadataMarker]?.name ?? plugin[displayNameMarker];
  if (shown !== undefined) guarded[metadataMarker] = { name: shown };
  registrations.set(guarded, registration);
  return guarded;
}
