/** Checks the options of `close`, because an invalid time would cut off requests or keep the process alive. */

import { CloseOptionsInvalid } from '../../types/errors.ts';
import type { CloseOptions } from '../../types/options.ts';
import { checkNames } from '../options/check-options.ts';
import { maxDelayMs } from './alarm.ts';

const names = ['graceMs', 'delayMs'] as const;

/** @throws {CloseOptionsInvalid} {UnknownOption} */
export function checkCloseOptions(
  options: unknown,
  owner = 'close',
  extraNames: readonly string[] = [],
): asserts options is CloseOptions {
  if (typeof options !== 'object' || options === null || Array.isArray(options))
    throw new CloseOptionsInvalid(`options must be object, instead got ${describeValue(options)}`);
  checkNames(options, [...names, ...extraNames], owner);
  for (const name of names) checkTime(name, (options as CloseOptions)[name]);
}

function checkTime(name: string, value: unknown): void {
  if (value === undefined) return;
  if (typeof value !== 'number' || !(value >= 0 && value <= maxDelayMs))
    throw new CloseOptionsInvalid(
      `${name} must be a number of milliseconds from 0 to ${maxDelayMs}, instead got ${describeValue(value)}`,
    );
}

function describeValue(value: unknown): string {
  if (typeof value === 'number') return String(value);
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
