/** Wraps plugins, so that boot fails if a plugin throws: avvio would leave the exception uncaught. */

import type { CallSite } from '../../shared/call-site.ts';
import { isGeneratorFunction, isThenable } from '../../shared/thenable.ts';
import { PluginInvalid, PluginTimeout } from '../../types/errors.ts';
import type { Done } from '../../types/hooks.ts';
import { displayNameMarker, metadataMarker } from '../../types/plugins.ts';
import { type Checks, reportMistake } from '../options/check-options.ts';
import {
  type AnyPlugin,
  type Registration,
  type RegistrationOrigin,
  saveRegistration,
} from './plugin-registration.ts';
import { strictDone } from './to-error.ts';

/** The settings that all wrappers share. */
export interface WrapSettings extends Checks {
  /** Longest time in milliseconds until a promise of a plugin settles; 0 is no limit. Avvio's own limit starts only after that. */
  readonly timeoutMs: number;
  /** The running plugins, in the order in which they began: boot waits for the last one. */
  readonly running: Set<Registration>;
  /** The name of a plugin that has none of its own. */
  nameOf(plugin: AnyPlugin, origin: RegistrationOrigin): string;
  /** The error that boot fails with when a plugin, or the promise of one, has failed. */
  toError(origin: RegistrationOrigin | Registration, thrown: unknown): unknown;
}

/** Wraps the plugin in a function, an ES module or a promise. Anything else is returned as it is: avvio rejects it. */
export function wrapPlugin(plugin: unknown, origin: RegistrationOrigin, settings: WrapSettings): unknown {
  if (isThenable(plugin)) return wrapPromise(plugin, origin, settings);
  const { default: inner } = Object(plugin) as { default?: unknown };
  const fill = typeof plugin === 'function' ? plugin : inner;
  if (isGeneratorFunction(fill))
    reportMistake(
      settings,
      new PluginInvalid('Plugin must not be a generator function: its body would not run'),
    );
  return typeof fill === 'function' ? wrapFunction(fill as AnyPlugin, origin, settings) : plugin;
}

/** Avvio does not check what a promise resolves with: it must be a plugin. */
async function wrapPromise(
  promise: PromiseLike<unknown>,
  origin: RegistrationOrigin,
  settings: WrapSettings,
): Promise<unknown> {
  try {
    const loaded = await withTimeout(promise, origin.site, settings.timeoutMs);
    const wrapped = wrapPlugin(loaded, origin, settings);
    if (typeof wrapped === 'function') return wrapped;
    throw new PluginInvalid(`Plugin must be a function or a promise. Received: '${typeof loaded}'`);
  } catch (error) {
    throw settings.toError(origin, error);
  }
}

function withTimeout(plugin: PromiseLike<unknown>, site: CallSite, timeoutMs: number): PromiseLike<unknown> {
  if (timeoutMs === 0) return plugin;
  return new Promise((resolve, reject) => {
    const step = 'the promise passed to `register` has not settled';
    const fail = (): void =>
      reject(
        PluginTimeout.at({ where: { file: site.location, step } }, `Plugin did not load in time: ${step}`),
      );
    const timer = setTimeout(fail, timeoutMs);
    plugin.then(resolve, reject).then(() => clearTimeout(timer));
  });
}

function wrapFunction(plugin: AnyPlugin, origin: RegistrationOrigin, settings: WrapSettings): AnyPlugin {
  const registration: Registration = {
    ...origin,
    plugin,
    placement: undefined,
    startedAtMs: undefined,
    endedAtMs: undefined,
  };
  const makeError = (thrown: unknown): Error => settings.toError(registration, thrown) as Error;
  const end = (): void => {
    registration.endedAtMs ??= performance.now();
    settings.running.delete(registration);
  };
  const wrapped = function (this: unknown, context: never, options: never, done: Done): unknown {
    settings.running.add(registration);
    registration.startedAtMs = performance.now();
    const endWith = (error?: Error | null): void => {
      end();
      done(error);
    };
    try {
      const result: unknown = plugin.call(this as never, context, options, strictDone(endWith, makeError));
      if (isThenable(result)) return settle(result, end, makeError);
      if (plugin.length < 3) end();
      return result;
    } catch (error) {
      endWith(makeError(error));
      return undefined;
    }
  } as AnyPlugin;
  // Avvio reads `length` to know whether the plugin takes a callback, and shows the name or the text.
  Object.defineProperties(wrapped, {
    length: { value: plugin.length },
    name: { value: plugin.name },
    toString: { value: () => settings.nameOf(plugin, origin) },
  });
  const displayName = plugin[metadataMarker]?.name ?? plugin[displayNameMarker];
  if (displayName !== undefined) wrapped[metadataMarker] = { name: displayName };
  saveRegistration(wrapped, registration);
  return wrapped;
}

function settle(
  result: PromiseLike<unknown>,
  end: () => void,
  makeError: (thrown: unknown) => Error,
): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    result.then(
      () => {
        end();
        resolve();
      },
      (error) => {
        end();
        reject(makeError(error));
      },
    );
  });
}
