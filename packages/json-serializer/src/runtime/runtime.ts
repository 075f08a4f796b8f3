/** The names under which generated code finds the functions that it calls. */
import { hasToJson } from '../validate/types.ts';
import { bufferWrites } from './buffer-writes.ts';
import * as dates from './dates.ts';
import * as failures from './failures.ts';
import { finiteText, numberText, type Rounding, toExactNumber, toInteger } from './numbers.ts';
import { flush, flushThreshold, writeText } from './output-buffer.ts';
import * as strings from './strings.ts';
import * as values from './values.ts';
import { writeDateTime } from './write-dates.ts';
import { writeFinite, writeInteger } from './write-numbers.ts';
import { writeQuoted, writeString, writeStringValue } from './write-strings.ts';

/** The functions that generated code calls, by name. */
export type Runtime = Readonly<Record<string, unknown>>;

const common: Runtime = {
  ...dates,
  ...failures,
  ...strings,
  ...values,
  finiteText,
  numberText,
  toNativeNumber: (value: unknown) => values.toNativeInteger(toExactNumber(value)),
  hasToJson,
};

/** The functions that only code for a buffer calls. */
const bufferFunctions: Runtime = {
  flushThreshold,
  writeDateTime,
  writeFinite,
  writeInteger,
  writeQuoted,
  writeString,
  writeStringValue,
  writeText,
  flush,
};

/** The names of functions that all code can call. */
export const commonNames: readonly string[] = [...Object.keys(common), 'integerText', 'toNative'];
/** The names of all functions that code for a buffer calls. */
export const bufferNames: readonly string[] = [...commonNames, ...Object.keys(bufferFunctions)];

const byRounding = new Map<Rounding, Runtime>();

export function runtimeFor(rounding: Rounding): Runtime {
  let runtime = byRounding.get(rounding);
  if (runtime === undefined) {
    runtime = {
      ...common,
      ...bufferFunctions,
      // Called where programs are joined, not inside one.
      bufferWrites,
      integerText: (value: unknown) => `${toInteger(value, rounding)}`,
      toNative: (value: unknown) => values.toNativeInteger(toInteger(value, rounding)),
    };
    byRounding.set(rounding, runtime);
  }
  return runtime;
}
