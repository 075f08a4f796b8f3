/** Checks the options of overload protection (of applications, contexts and routes), and fills in their defaults. */

import { isNode } from '../../shared/js-runtime.ts';
import { RuntimeUnsupported } from '../../types/errors.ts';
import type { OverloadOptions, OverloadSettings, RouteOverloadOptions } from '../../types/feature-options.ts';
import { checkNames, checkTypes, isOfType, type OptionTypes } from './check-options.ts';

const defaults = {
  minLimit: 10,
  maxLimit: 1_000,
  initialLimit: 20,
  tolerance: 2,
  maxEventLoopDelayMs: 100,
  retryAfterSeconds: 1,
} as const satisfies Required<OverloadOptions>;

/** The smallest allowed values that are not 1. */
const smallest: Partial<Record<string, number>> = { retryAfterSeconds: 0 };

const priorityTypes: OptionTypes = { priority: ["'low'", "'normal'", "'high'", "'critical'"] };

const hint =
  'Leave it out, and limit requests in front of the application: only Node measures both the delay and the utilization of its event loop';

type MakeError = (problem: string) => Error;

/**
 * @param makeError Creates the error for a value that is not allowed.
 * @returns The settings; `false` for no protection.
 * @throws {UnknownOption} for a name that is not an option.
 * @throws {RuntimeUnsupported} if the event loop cannot be measured.
 */
export function resolveOverload(overload: unknown, makeError: MakeError): OverloadSettings | false {
  if (overload === false) return false;
  // Bun and Deno report that their event loop is never busy, and workers report nothing.
  if (!isNode) throw new RuntimeUnsupported('overload protection', hint);
  if (overload === true) return defaults;
  if (!isOfType(overload, ['object']))
    throw makeError(`overload must be object or boolean, instead got ${describeValue(overload)}`);
  const options = overload as OverloadOptions;
  checkNames(options, Object.keys(defaults), 'overload');
  checkNumbers(options, makeError);
  const { minLimit = Math.min(defaults.minLimit, options.maxLimit ?? defaults.minLimit) } = options;
  const { maxLimit = Math.max(defaults.maxLimit, minLimit) } = options;
  const defaultInRange = Math.min(maxLimit, Math.max(minLimit, defaults.initialLimit));
  const { initialLimit = defaultInRange } = options;
  if (maxLimit < minLimit)
    throw makeError(`overload.maxLimit must be at least minLimit, ${minLimit}, instead got ${maxLimit}`);
  if (initialLimit < minLimit || initialLimit > maxLimit)
    throw makeError(
      `overload.initialLimit must be an integer from ${minLimit} to ${maxLimit}, instead got ${initialLimit}`,
    );
  const definedOptions = Object.fromEntries(
    Object.entries(options).filter(([, value]) => value !== undefined),
  );
  return { ...defaults, ...definedOptions, minLimit, maxLimit, initialLimit };
}

function checkNumbers(options: OverloadOptions, makeError: MakeError): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const from = smallest[name] ?? 1;
    const isValid = name === 'tolerance' ? Number.isFinite(value) : Number.isInteger(value);
    const kind = name === 'tolerance' ? 'a number' : 'an integer';
    if (!isValid || value < from)
      throw makeError(`overload.${name} must be ${kind} >= ${from}, instead got ${describeValue(value)}`);
  }
}

/** @throws {UnknownOption} for a name that is not an option. */
export function checkRouteOverload(
  overload: RouteOverloadOptions | false,
  owner: string,
  makeError: MakeError,
): void {
  if (overload === false) return;
  checkNames(overload, ['priority'], `the overload of ${owner}`);
  checkTypes(overload, priorityTypes, (problem) => makeError(`overload.${problem}`));
}

function describeValue(value: unknown): string {
  return typeof value === 'number' ? String(value) : value === null ? 'null' : typeof value;
}
