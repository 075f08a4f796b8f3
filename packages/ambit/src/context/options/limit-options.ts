/** Checks the options `overload` and `multipart` (of applications, contexts and routes), and fills in their defaults. */

import { isNode } from '../../shared/js-runtime.ts';
import { RuntimeUnsupported } from '../../types/errors.ts';
import type { OverloadOptions, OverloadSettings, RouteOverloadOptions } from '../../types/feature-options.ts';
import type { MultipartOptions } from '../../types/multipart.ts';
import { checkInteger, checkNames, checkTypes, isOfType, type MakeError } from './check-options.ts';

const defaults = {
  minLimit: 10,
  maxLimit: 1_000,
  initialLimit: 20,
  tolerance: 2,
  maxEventLoopDelayMs: 100,
  retryAfterSeconds: 1,
} as const satisfies Required<OverloadOptions>;

/** @returns The settings; `false` for no protection. */
export function resolveOverload(overload: unknown, makeError: MakeError): OverloadSettings | false {
  if (overload === false) return false;
  // Bun and Deno report that their event loop is never busy, and workers report nothing.
  if (!isNode)
    throw new RuntimeUnsupported(
      'overload protection',
      'Leave it out, and limit requests in front of the application: only Node measures both the delay and the utilization of its event loop',
    );
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
    const from = name === 'retryAfterSeconds' ? 0 : 1;
    const isValid = name === 'tolerance' ? Number.isFinite(value) : Number.isInteger(value);
    const kind = name === 'tolerance' ? 'a number' : 'an integer';
    if (!isValid || value < from)
      throw makeError(`overload.${name} must be ${kind} >= ${from}, instead got ${describeValue(value)}`);
  }
}

function describeValue(value: unknown): string {
  return typeof value === 'number' ? String(value) : value === null ? 'null' : typeof value;
}

export function checkRouteOverload(
  overload: RouteOverloadOptions | false,
  owner: string,
  makeError: MakeError,
): void {
  if (overload === false) return;
  checkNames(overload, ['priority'], `the overload of ${owner}`);
  const types = { priority: ["'low'", "'normal'", "'high'", "'critical'"] };
  checkTypes(overload, types, (problem) => makeError(`overload.${problem}`));
}

/** The smallest allowed value of each limit. */
const smallestOfMultipart = {
  fileSize: 1,
  files: 0,
  fieldSize: 1,
  fields: 0,
  fieldNameSize: 1,
  headerSize: 1,
  memorySize: 0,
} as const satisfies Partial<Record<keyof MultipartOptions, number>>;

export function checkMultipart(multipart: unknown, makeError: MakeError): void {
  checkTypes({ multipart }, { multipart: ['object'] }, makeError);
  if (typeof multipart !== 'object' || multipart === null) return;
  checkNames(multipart, [...Object.keys(smallestOfMultipart), 'folder'], 'multipart');
  checkTypes(multipart, { folder: ['string'] }, (problem) => makeError(`multipart.${problem}`));
  for (const [name, from] of Object.entries(smallestOfMultipart))
    checkInteger(`multipart.${name}`, (multipart as Record<string, unknown>)[name], from, makeError);
}
