/** Resolves the options of the router, which are set under `routerOptions` or at the top level: their names, types and defaults. */

import { OptionsInvalid } from '../../types/errors.ts';
import type { Compatibility } from '../../types/flavor.ts';
import type { AmbitOptions, RouterOptions } from '../../types/options.ts';
import { warnRouterOptions } from '../../types/warnings.ts';
import { numberIfText, type OptionTypes, reportMistake } from './check-options.ts';

const routerDefaults = {
  allowUnsafeRegex: false,
  caseSensitive: true,
  compile: false,
  ignoreDuplicateSlashes: false,
  ignoreTrailingSlash: false,
  maxParamLength: 100,
  useSemicolonDelimiter: false,
} as const;

export const routerTypes: OptionTypes = {
  constraints: ['object'],
  buildPrettyMeta: ['function'],
  defaultRoute: ['function'],
  onBadUrl: ['function'],
  onMaxParamLength: ['function'],
};

export const routerNames: readonly string[] = [
  ...Object.keys(routerDefaults),
  ...Object.keys(routerTypes),
  'querystringParser',
];

/** @throws {OptionsInvalid} */
export function resolveRouterOptions(userOptions: AmbitOptions, compatibility: Compatibility): RouterOptions {
  const values = userOptions as Record<string, unknown>;
  const own = (userOptions.routerOptions ?? {}) as Record<string, unknown>;
  const misplaced = routerNames.filter((name) => name !== 'compile' && Object.hasOwn(userOptions, name));
  if (misplaced.length > 0) warnRouterOptions(compatibility.messages, misplaced.join(', '));
  const defaults = routerDefaults as Record<string, unknown>;
  const entries = routerNames.map((name) => {
    // At the top level, `compile` is an option about schemas.
    const value = own[name] ?? (name === 'compile' ? undefined : values[name]) ?? defaults[name];
    return [name, numberIfText(value, defaults[name])] as const;
  });
  const resolved = entries.map(([name, value]) => {
    const type = typeof defaults[name];
    if (!(name in defaults) || typeof value === type) return [name, value] as const;
    const error = new OptionsInvalid(`${name} must be ${type}, instead got ${String(value)}`);
    if (name === 'compile') throw error;
    reportMistake(compatibility, error);
    return [name, type === 'boolean' ? Boolean(value) : defaults[name]] as const;
  });
  return Object.fromEntries(resolved.filter(([, value]) => value !== undefined)) as RouterOptions;
}
