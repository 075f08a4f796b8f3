/** Lists the simple options that `initialConfig` may show, with their defaults, and checks their values. */
import { OptionsInvalid } from '../../types/errors.ts';
import type { AmbitOptions } from '../../types/options.ts';
import type { PoisoningAction } from '../../types/request.ts';
import { allChecks, type Checks, numberIfText, type OptionTypes, passes } from './check-options.ts';

/** The defaults. A value must have the type of its default, or a type that `known-options.ts` lists. */
export const publicDefaults = {
  connectionTimeout: 0,
  keepAliveTimeout: 72_000,
  headersTimeout: 60_000,
  requestTimeout: 300_000,
  handlerTimeout: 0,
  maxRequestsPerSocket: 0,
  http2SessionTimeout: 72_000,
  bodyLimit: 1_048_576,
  pluginTimeout: 10_000,
  onProtoPoisoning: 'error',
  onConstructorPoisoning: 'error',
  exposeHeadRoutes: true,
  return503OnClosing: true,
  allowErrorHandlerOverride: true,
  requestIdHeader: false,
  requestIdLogLabel: 'reqId',
  disableRequestLogging: false,
} as const;

type PublicOptions = {
  -readonly [Name in keyof typeof publicDefaults]: Widen<(typeof publicDefaults)[Name]>;
};
type Widen<T> = T extends number
  ? number
  : T extends boolean
    ? boolean | string
    : T extends 'error'
      ? PoisoningAction
      : string;
export type ResolvedPublicOptions = Omit<
  PublicOptions,
  'exposeHeadRoutes' | 'return503OnClosing' | 'allowErrorHandlerOverride'
> &
  Record<'exposeHeadRoutes' | 'return503OnClosing' | 'allowErrorHandlerOverride', boolean>;

/** @param checkedTypes The types of options that have been checked already. */
export function resolvePublicOptions(
  userOptions: AmbitOptions,
  checkedTypes: OptionTypes,
  checks: Checks,
): ResolvedPublicOptions {
  const values = userOptions as Record<string, unknown>;
  const resolved = Object.entries(publicDefaults).map(([name, value]) => {
    const set = numberIfText(values[name] ?? value, value);
    // Fastify takes true, false, '' and negative integers for a number, and refuses other values.
    const isIgnored =
      typeof value !== 'number' || typeof set === 'boolean' || set === '' || Number.isInteger(set);
    const isValid = passes(isIgnored ? checks : allChecks, () => checkValue(name, set, checkedTypes));
    return [name, isValid ? set : value] as const;
  });
  return Object.fromEntries(resolved) as unknown as ResolvedPublicOptions;
}

const poisoningActions: ReadonlySet<unknown> = new Set(['error', 'remove', 'ignore']);

function checkValue(name: string, value: unknown, checkedTypes: OptionTypes): void {
  const type = typeof publicDefaults[name as keyof typeof publicDefaults];
  if (!(name in checkedTypes) && typeof value !== type) {
    throw new OptionsInvalid(`${name} must be ${type}, instead got ${JSON.stringify(value) ?? typeof value}`);
  }
  if (type === 'number' && !(Number.isInteger(value) && (value as number) >= 0)) {
    throw new OptionsInvalid(`${name} must be an integer >= 0, instead got ${value}`);
  }
  if (name.endsWith('Poisoning') && !poisoningActions.has(value)) {
    throw new OptionsInvalid(`${name} must be one of error, remove, ignore`);
  }
}
