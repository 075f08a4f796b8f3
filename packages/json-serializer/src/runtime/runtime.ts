/** The names under which generated code finds the functions that it calls. */
import { failItem, failMatch, failNever, failRequired, failUndefined } from '../errors.ts';
import { hasToJson } from '../shape/test.ts';
import * as dates from './dates.ts';
import {
  finiteText,
  numberText,
  type Rounding,
  roundings,
  toExactNumber,
  toInteger,
  writeFinite,
  writeInteger,
} from './numbers.ts';
import { bufferWrites, flush, flushThreshold, writeText } from './output-buffer.ts';
import * as strings from './strings.ts';
import * as values from './values.ts';

/** The functions that generated code calls, by name. */
export type Runtime = Readonly<Record<string, unknown>>;

const common: Runtime = {
  ...dates,
  ...strings,
  ...values,
  failItem,
  failMatch,
  failNever,
  failRequired,
  failUndefined,
  finiteText,
  numberText,
  toNativeNumber: (value: unknown) => values.toNativeInteger(toExactNumber(value)),
  hasToJson,
  flush,
  flushThreshold,
  writeFinite,
  writeInteger,
  writeText,
  // Called where programs are joined, not inside one.
  bufferWrites,
};

const byRounding = new Map(roundings.map((rounding) => [rounding, makeRuntime(rounding)]));

export function runtimeFor(rounding: Rounding): Runtime {
  return byRounding.get(rounding)!;
}

function makeRuntime(rounding: Rounding): Runtime {
  return {
    ...common,
    integerText: (value: unknown) => `${toInteger(value, rounding)}`,
    toNative: (value: unknown) => values.toNativeInteger(toInteger(value, rounding)),
  };
}

export const runtimeNames: readonly string[] = Object.keys(runtimeFor('trunc'));
