/** Owns the names under which generated code finds what it calls. */
import { writesItself } from '../validate/types.ts';
import * as dates from './dates.ts';
import * as failures from './failures.ts';
import { finiteText, numberText, type Rounding, toInteger, toNumber } from './numbers.ts';
import * as strings from './strings.ts';
import * as values from './values.ts';

/** What generated code calls, by name. */
export type Runtime = Readonly<Record<string, unknown>>;

export type Writer = (value: unknown) => string;

const fixed: Runtime = {
  ...dates,
  ...failures,
  ...strings,
  ...values,
  finiteText,
  numberText,
  toNumber,
  writesItself,
};

export const runtimeNames: readonly string[] = [...Object.keys(fixed), 'integerText', 'toNative'];

const byRounding = new Map<Rounding, Runtime>();

export function runtimeFor(rounding: Rounding): Runtime {
  let runtime = byRounding.get(rounding);
  if (runtime === undefined) {
    runtime = {
      ...fixed,
      integerText: (value: unknown) => `${toInteger(value, rounding)}`,
      toNative: (value: unknown) => values.toNativeInteger(toInteger(value, rounding)),
    };
    byRounding.set(rounding, runtime);
  }
  return runtime;
}
