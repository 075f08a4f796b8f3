/** Checks the options of overload protection, of applications, contexts and routes, and fills in their defaults. */

import { RuntimeUnsupported } from '../../contract/errors.ts';
import type { OverloadOptions, OverloadSettings, RouteOverloadOptions } from '../../contract/overload.ts';
import { isNode } from '../../shared/js-runtime.ts';
import { checkNames, checkTypes, isOfType, type OptionTypes } from './check-options.ts';

const defaults = {
  minLimit: 10,
  maxLimit: 1_000,
  initialLimit: 20,
  tolerance: 2,
  maxEventLoopDelayMs: 100,
  retryAfterSeconds: 1,
} as const satisfies Required<OverloadOptions>;

/** The smallest value of those that are not 1. */
const least: Partial<Record<string, number>> = { retryAfterSeconds: 0 };

const priorityTypes: OptionTypes = { priority: ["'low'", "'normal'", "'high'", "'critical'"] };

const wayOut =
  'Leave it out, and limit requests in front of the application: only Node measures how busy its event loop is';

type MakeError = (problem: string) => Error;

/**
 * @param makeError Makes the error for a value that is not allowed.
 * @returns `false` for no protection.
 * @throws {UnknownOption} for a name that is not an option.
 * @throws {RuntimeUnsupported} where the event loop cannot be measured.
 */
export function resolveOverload(overload: unknown, makeError: MakeError): OverloadSettings | false {
  if (overload === false) return false;
  // Bun and Deno tell that their event loop is never busy, and workers tell nothing.
  if (!isNode) throw new RuntimeUnsupported('overload protection', wayOut);
  if (overload === true) return defaults;
  if (!isOfType(overload, ['object']))
    throw makeError(`overload must be object or boolean, instead got ${nameOf(overload)}`);
  const given = overload as OverloadOptions;
  checkNames(given, Object.keys(defaults), 'overload');
  checkNumbers(given, makeError);
  const { minLimit = Math.min(defaults.minLimit, given.maxLimit ?? defaults.minLimit) } = given;
  const { maxLimit = Math.max(defaults.maxLimit, minLimit) } = given;
  const nearest = Math.min(maxLimit, Math.max(minLimit, defaults.initialLimit));
  const { initialLimit = nearest } = given;
  if (maxLimit < minLimit)
    throw makeError(`overload.maxLimit must be at least minLimit, ${minLimit}, instead got ${maxLimit}`);
  if (initialLimit < minLimit || initialLimit > maxLimit)
    throw makeError(
      `overload.initialLimit must be an integer from ${minLimit} to ${maxLimit}, instead got ${initialLimit}`,
    );
  const set = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return { ...defaults, ...set, minLimit, maxLimit, initialLimit };
}

function checkNumbers(given: OverloadOptions, makeError: MakeError): void {
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const from = least[name] ?? 1;
    const isValid = name === 'tolerance' ? Number.isFinite(value) : Number.isInteger(value);
    const kind = name === 'tolerance' ? 'a number' : 'an integer';
    if (!isValid || value < from)
      throw makeError(`overload.${name} must be ${kind} >= ${from}, instead got ${nameOf(value)}`);
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

function nameOf(value: unknown): string {
  return typeof value === 'number' ? String(value) : value === null ? 'null' : typeof value;
}
