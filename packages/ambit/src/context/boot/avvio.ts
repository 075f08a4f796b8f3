/** The part of avvio that we use, with our types and errors. Avvio orders the loading of plugins. */

import { readField } from '../../shared/thrown-values.ts';
import {
  ParentAlreadyLoaded,
  PluginCallbackNotFunction,
  PluginInvalid,
  PluginTimeout,
  RootAlreadyBooted,
} from '../../types/errors.ts';
import type { PluginFunction } from '../../types/plugins.ts';

export type AvvioCallback = (error?: Error | null) => void;

/** The part of avvio that we use, typed for contexts. */
export interface Avvio {
  override: (server: unknown, plugin: PluginFunction, options: object) => unknown;
  use(plugin: unknown, options: unknown): unknown;
  after(): Promise<void>;
  after(listener: (error: Error | null, done: AvvioCallback) => void): unknown;
  ready(listener: (error: Error | null, done: AvvioCallback) => void): void;
  close(listener: (error: Error | null, done: AvvioCallback) => void): void;
  onClose(hook: (root: unknown, done: AvvioCallback) => void): unknown;
  on(event: 'preReady' | 'start', listener: () => void): unknown;
  prettyPrint(): string;
  readonly booted: boolean;
}

const errorsByAvvioCode: Readonly<Record<string, typeof PluginInvalid>> = {
  AVV_ERR_CALLBACK_NOT_FN: PluginCallbackNotFunction,
  AVV_ERR_PLUGIN_NOT_VALID: PluginInvalid,
  AVV_ERR_ROOT_PLG_BOOTED: RootAlreadyBooted,
  AVV_ERR_PARENT_PLG_LOADED: ParentAlreadyLoaded,
  AVV_ERR_READY_TIMEOUT: PluginTimeout,
  AVV_ERR_PLUGIN_EXEC_TIMEOUT: PluginTimeout,
};

/** The error class of our catalogue that stands for an error of avvio; `undefined` for any other error. */
export function ownErrorFor(error: Error): typeof PluginInvalid | undefined {
  const code = String(readField(error, 'code'));
  return Object.hasOwn(errorsByAvvioCode, code) ? errorsByAvvioCode[code] : undefined;
}
