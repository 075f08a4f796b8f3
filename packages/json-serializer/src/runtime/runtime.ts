/** Owns the names under which generated code finds what it calls. */
import { writesItself } from '../validate/types.ts';
import * as dates from './dates.ts';
import * as failures from './failures.ts';
import { finiteText, numberText, type Rounding, toInteger, toNumber } from './numbers.ts';
import { putDateTime } from './put-dates.ts';
import { hasManyDigits, putFinite, putInteger } from './put-numbers.ts';
import { putQuoted, putString, putStringValue } from './put-strings.ts';
import { lastStart, putText, spill } from './sink.ts';
import * as strings from './strings.ts';
import { throughSink } from './through-sink.ts';
import * as values from './values.ts';

/** What generated code calls, by name. */
export type Runtime = Readonly<Record<string, unknown>>;

const common: Runtime = {
  ...dates,
  ...failures,
  ...strings,
  ...values,
  finiteText,
  numberText,
  toNumber,
  writesItself,
};

/** What only code that writes into a sink calls. */
const sinks: Runtime = {
  hasManyDigits,
  lastStart,
  putDateTime,
  putFinite,
  putInteger,
  putQuoted,
  putString,
  putStringValue,
  putText,
  spill,
};

/** Names of what any code calls. */
export const commonNames: readonly string[] = [...Object.keys(common), 'integerText', 'toNative'];
/** Names of all that code calls which writes into a sink. */
export const sinkNames: readonly string[] = [...commonNames, ...Object.keys(sinks)];

const byRounding = new Map<Rounding, Runtime>();

export function runtimeFor(rounding: Rounding): Runtime {
  let runtime = byRounding.get(rounding);
  if (runtime === undefined) {
    runtime = {
      ...common,
      ...sinks,
      // Called where programs are joined, not within one.
      throughSink,
      integerText: (value: unknown) => `${toInteger(value, rounding)}`,
      toNative: (value: unknown) => values.toNativeInteger(toInteger(value, rounding)),
    };
    byRounding.set(rounding, runtime);
  }
  return runtime;
}
