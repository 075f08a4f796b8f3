/** Records each call of `register`: its line, its plugin, and when the plugin ran. */

import type { CallSite } from '../../shared/call-site.ts';
import type { Context } from '../../types/context.ts';
import type { MarkedPlugin, PluginFunction } from '../../types/plugins.ts';
import type { BootStep } from './boot-step.ts';
import type { DisplayName } from './plugin-name.ts';

export type AnyPlugin = PluginFunction & MarkedPlugin;

/** Where `register` was called: in which code, and in which step of boot. */
export interface RegistrationOrigin {
  readonly site: CallSite;
  readonly step: BootStep;
}

/** One call of `register`: the same plugin may be registered many times. */
export interface Registration extends RegistrationOrigin {
  readonly plugin: AnyPlugin;
  /** Set when the plugin's turn has come; `undefined` before. */
  placement: PluginPlacement | undefined;
  /** When the plugin was called, on the clock of `performance.now()`; `undefined` before. */
  startedAtMs: number | undefined;
  /** When the plugin itself was done. What it registered may still be loading. */
  endedAtMs: number | undefined;
}

/** The place of a plugin in the tree of contexts. */
export interface PluginPlacement {
  readonly label: DisplayName;
  /** The context that it was registered in. */
  readonly parent: Context;
  /** The context that it fills: the same one if it is hoisted. `undefined` if the plugin was rejected. */
  context: Context | undefined;
}

const registrations = new WeakMap<object, Registration>();

/** The registration of a wrapped plugin. */
export function registrationOf(wrapped: unknown): Registration | undefined {
  return registrations.get(Object(wrapped));
}

export function saveRegistration(wrapped: object, registration: Registration): void {
  registrations.set(wrapped, registration);
}
